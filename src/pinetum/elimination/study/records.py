"""Records of the study: cross-validated elimination, the optimal subset beside it, stand-ins."""

import resource
import time

import numpy as np

from pinetum.data import NoData, load_dataset
from pinetum.distinct.engine import Engine
from pinetum.distinct.search import search_engine
from pinetum.elimination.backward import Workspace, select_in, tree_errors
from pinetum.elimination.study.rows import rows_of
from pinetum.induction import Grower, yadt
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import repeated_folds, stratified_split
from pinetum.workflow.jobs import provenance

KEYS = ["row", "dataset", "m", "repeat", "fold"]
FOLD_COLUMNS = [
    *KEYS, "status", "cases", "features", "building", "search", "held_out", "selected", "removed",
    "used", "top_search_errors", "search_errors", "top_errors", "errors", "errors_kept", "trees",
    "stopped", "skipped", "rankings", "trees_incremental", "trees_black_box", "same_selection",
    "seconds", "seconds_incremental", "seconds_used_only", "seconds_black_box", "seconds_top",
    "version", "commit",
]  # fmt: skip
PATH_COLUMNS = [*KEYS, "step", "feature", "search_errors"]
OPTIMAL_COLUMNS = [
    *KEYS, "status", "search", "held_out", "selected", "start_errors", "search_errors", "bound",
    "proved", "errors", "seconds", "version", "commit",
]  # fmt: skip
LARGE_COLUMNS = [
    "dataset", "status", "cases", "features", "building", "selected", "rounds", "trees", "rankings",
    "top_search_errors", "search_errors", "seconds", "seconds_per_round", "seconds_one_tree",
    "seconds_black_box_estimate", "peak_mb", "version", "commit",
]  # fmt: skip


def rules_in(settings) -> dict:
    """What a configuration adds to the plain rules of the trees."""
    lowest = settings["leaf_ties"] == "lowest"
    return {
        "min_branch": float(settings["min_branch"]),
        "penalty": settings["penalty"],
        "lowest_class": lowest,
    }


class Material:
    """One data set, its folds, and room to work in."""

    def __init__(self, dataset, *, folds, repeats, building, root, cache_mb, rules=None):
        self.data = load_dataset(dataset)
        self.name, self.root, self.building_share = dataset, root, building
        self.folds = repeated_folds(self.data.labels, folds, repeats, root, "elimination", dataset)
        self.workspace = Workspace(self.data, cache_mb)
        self.rules = rules or {}

    def split(self, repeat, fold):
        """Building, search, training (both) and held-out cases."""
        held_out = np.flatnonzero(self.folds[repeat] == fold)
        training = np.flatnonzero(self.folds[repeat] != fold)
        rng = stream(self.root, "elimination", self.name, "split", repeat, fold)
        building, search = stratified_split(self.data.labels[training], self.building_share, rng)
        return training[building], training[search], training, held_out

    def select(self, building, search, way, m):
        table = self.workspace.table(self.data, building, search)
        return select_in(table, self.workspace, way=way, options=yadt(m).but(**self.rules))

    def used(self, building, m, selected):
        """The features that the tree of the selected ones uses on the building cases."""
        tree = Grower(self.data, yadt(m).but(**self.rules), cases=building).grow(
            np.flatnonzero(selected)
        )
        used = np.zeros(self.data.n_features, dtype=bool)
        used[tree.feature[tree.feature >= 0]] = True
        return used

    def held_out_errors(self, training, held_out, m, features):
        table = self.workspace.table(self.data, training, held_out)
        return tree_errors(
            table, self.workspace, options=yadt(m).but(**self.rules), offered=features
        )


def warm_up(with_search=False):
    """Compile before any clock runs."""
    from pinetum.data.dataset import Dataset

    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (3, 30)).astype(np.int32)
    for missing in (0, 5):
        codes[0, :missing] = -1
        labels = (codes[1] > 1).astype(np.int32)
        values = (np.arange(3.0), ("a", "b", "c"), np.arange(3.0))
        data = Dataset(
            "warm", codes, labels, np.array([1, 0, 1], bool), values, ("x", "y", "z"), ("n", "p")
        )
        workspace = Workspace(data, 1)
        select_in(
            workspace.table(data, np.arange(20), np.arange(20, 30)),
            workspace,
            way="bounded",
            options=yadt(2),
        )
        tree_errors(
            workspace.table(data, np.arange(20), np.arange(20, 30)), workspace, options=yadt(2)
        )
        if with_search:
            search_engine(
                Engine(data, yadt(2), np.arange(20), np.arange(20, 30), cache_mb=50),
                time_limit=1,
                start=(0, 1),
            )


def items_of(settings) -> list[tuple]:
    """(row, data set, m, repeat, fold, black box too) of all eliminations.

    Those with the black box, which cost the most, come first, so that every number of shards shares
    them out.
    """
    datasets = rows_of(settings["datasets"])
    folds, curve, with_black_box = settings["folds"], settings["curve"], settings["black_box"]
    items = [
        (
            row,
            dataset,
            settings["min_cases"],
            repeat,
            fold,
            repeat * folds + fold < with_black_box.get(row, 0),
        )
        for row, dataset in datasets.items()
        for repeat in range(settings["repeats"])
        for fold in range(folds)
    ]
    items += [
        (row, datasets[row], m, repeat, fold, False)
        for row in curve["rows"]
        for m in curve["min_cases"]
        for repeat in range(curve["repeats"])
        for fold in range(folds)
        if m != settings["min_cases"] and row in datasets
    ]
    return sorted(items, key=lambda item: not item[-1])


def share_of(items, shard, shards):
    """Every shards-th item: the folds of a data set go to different shards."""
    return items[shard::shards]


def materials(settings, root):
    """Data sets by name, loaded once; None where there are no data."""
    kept = {}

    def get(dataset):
        if dataset not in kept:
            kept.clear()  # one at a time: they are large
            try:
                kept[dataset] = Material(
                    dataset,
                    folds=settings["folds"],
                    repeats=max(settings["repeats"], settings["curve"]["repeats"]),
                    building=settings["building"],
                    root=root,
                    cache_mb=settings["cache_mb"],
                    rules=rules_in(settings),
                )
            except NoData:
                kept[dataset] = None
        return kept[dataset]

    return get


def eliminate_folds(settings, root, shard=0, shards=1):
    """(records per fold, elimination paths) of one shard."""
    warm_up()
    get = materials(settings, root)
    items = share_of(items_of(settings), shard, shards)
    records, paths = [], []
    progress = Progress(len(items), "folds")
    for row, dataset, m, repeat, fold, black_box in items:
        material = get(dataset)
        if material is not None:
            record, path = eliminate_fold(material, row, m, repeat, fold, black_box=black_box)
            records.append(record)
            paths += path
        elif fold == 0:
            key = {"row": row, "dataset": dataset, "m": m, "repeat": repeat, "fold": fold}
            records.append({**key, "status": "no_data", **provenance()})
        progress.step()
    return records, paths


def eliminate_fold(material, row, m, repeat, fold, *, black_box):
    building, search, training, held_out = material.split(repeat, fold)
    key = {"row": row, "dataset": material.name, "m": m, "repeat": repeat, "fold": fold}
    ours = material.select(building, search, "bounded", m)
    begun = time.process_time()
    top_errors = material.held_out_errors(training, held_out, m, None)
    seconds_top = time.process_time() - begun
    used = material.used(building, m, ours.selected)
    record = {
        **key,
        "status": "ok",
        "cases": material.data.n_cases,
        "features": material.data.n_features,
        "building": len(building),
        "search": len(search),
        "held_out": len(held_out),
        "selected": int(ours.selected.sum()),
        "removed": len(ours.removed),
        "used": int(used.sum()),
        "top_search_errors": int(ours.errors[0]),
        "search_errors": int(ours.errors[-1]),
        "top_errors": top_errors,
        "errors": material.held_out_errors(training, held_out, m, used),
        "errors_kept": material.held_out_errors(training, held_out, m, ours.selected),
        **{name: ours.counters[name] for name in ("trees", "stopped", "skipped", "rankings")},
        "seconds": ours.seconds,
        "seconds_top": seconds_top,
        **provenance(),
    }
    if black_box:
        # the rivals run right beside ours, and ours once more: the machine is the same for all
        others = {
            way: material.select(building, search, way, m)
            for way in ("incremental", "used only", "black box")
        }
        record["seconds"] = min(
            ours.seconds, material.select(building, search, "bounded", m).seconds
        )
        for way, other in others.items():
            record[f"seconds_{way.replace(' ', '_')}"] = other.seconds
        record["trees_incremental"] = others["incremental"].counters["trees"]
        record["trees_black_box"] = others["black box"].counters["trees"]
        record["same_selection"] = int(all(same(ours, other) for other in others.values()))
    names = material.data.feature_names
    path = [{**key, "step": 0, "feature": "", "search_errors": int(ours.errors[0])}]
    for step, (feature, errors) in enumerate(
        zip(ours.removed, ours.errors[1:], strict=True), start=1
    ):
        path.append({**key, "step": step, "feature": names[feature], "search_errors": int(errors)})
    return record, path


def same(one, other) -> bool:
    return np.array_equal(one.removed, other.removed) and np.array_equal(one.errors, other.errors)


# ---------------------------------------------------------------------------- optimal subsets


def optimal_items(settings) -> list[tuple]:
    """(row, data set, m, repeat, fold, millions of work), fold by fold."""
    items = []
    datasets = rows_of(settings["datasets"])
    for row, plan in settings["optimal"].items():
        if row in datasets:
            for fold in range(plan["folds"]):
                repeat, number = divmod(fold, settings["folds"])
                items.append(
                    (row, datasets[row], settings["min_cases"], repeat, number, plan["work"])
                )
    curve = settings["curve"]
    for row in curve["rows"]:
        if row in datasets:
            for m in curve["min_cases"]:
                for fold in range(curve["optimal_folds"] if m != settings["min_cases"] else 0):
                    items.append((row, datasets[row], m, 0, fold, curve["optimal_work"]))
    return items


def search_optima(settings, root, shard=0, shards=1) -> list[dict]:
    warm_up(with_search=True)
    items = share_of(optimal_items(settings), shard, shards)
    items.sort(key=lambda item: item[1])  # stable: one data set after the other
    get = materials(settings, root)
    progress = Progress(len(items), "optimal searches")
    records = []
    for row, dataset, m, repeat, fold, work in items:
        key = {"row": row, "dataset": dataset, "m": m, "repeat": repeat, "fold": fold}
        material = get(dataset)
        progress.step()
        if material is None:
            records.append({**key, "status": "no_data", **provenance()})
            continue
        building, search, training, held_out = material.split(repeat, fold)
        start = material.select(building, search, "bounded", m)
        options = yadt(m).but(**material.rules)
        engine = Engine(material.data, options, building, search, cache_mb=settings["cache_mb"])
        start_from = tuple(int(feature) for feature in np.flatnonzero(start.selected))
        found = search_engine(engine, work=work * 1_000_000, start=start_from)
        chosen = np.zeros(material.data.n_features, dtype=bool)
        chosen[list(found.subset)] = True
        records.append(
            {
                **key,
                "status": found.status,
                "search": len(search),
                "held_out": len(held_out),
                "selected": len(found.subset),
                "start_errors": int(start.errors[-1]),
                "search_errors": int(found.errors),
                "bound": int(found.bound),
                "proved": int(found.proved),
                "errors": material.held_out_errors(training, held_out, m, chosen),
                "seconds": found.seconds,
                **provenance(),
            }
        )
    return records


# ---------------------------------------------------------------------------- large tables


def eliminate_large(dataset, settings, root) -> dict:
    """One fold of a table of thousands of features, with its memory."""
    warm_up()
    try:
        material = Material(
            dataset,
            folds=settings["folds"],
            repeats=1,
            building=settings["building"],
            root=root,
            cache_mb=settings["cache_mb"],
            rules=rules_in(settings),
        )
    except NoData:
        return {"dataset": dataset, "status": "no_data", **provenance()}
    building, search, _, _ = material.split(0, 0)
    material.folds = None
    material.data, data = None, material.data  # the table of this fold is all that is needed
    table = material.workspace.table(data, building, search)
    features = data.n_features
    cases = data.n_cases
    del data
    begun = time.process_time()
    tree_errors(
        table, material.workspace, options=yadt(settings["min_cases"]).but(**material.rules)
    )
    one_tree = time.process_time() - begun
    found = select_in(
        table,
        material.workspace,
        way="bounded",
        options=yadt(settings["min_cases"]).but(**material.rules),
    )
    # the black box grows one tree per feature that is left, in every round
    trees = sum(features - round_ for round_ in range(found.rounds))
    return {
        "dataset": dataset,
        "status": "ok",
        "cases": cases,
        "features": features,
        "building": len(building),
        "selected": int(found.selected.sum()),
        "rounds": found.rounds,
        "trees": found.counters["trees"],
        "rankings": found.counters["rankings"],
        "top_search_errors": int(found.errors[0]),
        "search_errors": int(found.errors[-1]),
        "seconds": found.seconds,
        "seconds_per_round": found.seconds / found.rounds,
        "seconds_one_tree": one_tree,
        "seconds_black_box_estimate": trees * one_tree,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
        **provenance(),
    }
