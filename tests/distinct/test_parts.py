"""Shards, probing, near-optimal trees, bounded memory, and more than 64 features."""

import dataclasses

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.distinct.arrays import hash_words
from pinetum.distinct.engine import Engine
from pinetum.distinct.enumeration import enumerate_trees, run_enumeration
from pinetum.distinct.kernels.children import hash_cases
from pinetum.distinct.kernels.frames import RESTED
from pinetum.distinct.kernels.records import (
    BUILDING,
    CASES,
    CLASSES,
    LINE,
    RANKED,
    RANKING,
    SEARCH,
    WEIGHTS,
    small_part,
)
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.objective import cross_validation
from pinetum.distinct.probing import estimate, probe
from pinetum.distinct.search import search_engine
from pinetum.distinct.shards import merge_shards, run_shard, split_enumeration
from pinetum.induction import Grower, Options, yadt
from pinetum.randomness import stream


def wide_table(features, cases=60, seed=0):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (features, cases)).astype(np.int32)
    labels = ((codes[0] == 2) ^ (codes[1] == 1) ^ (codes[-1] == 0)).astype(np.int32)
    return Dataset(
        name="wide",
        codes=codes,
        labels=labels,
        continuous=np.arange(features) % 2 == 0,
        values=tuple(np.arange(3.0) if f % 2 == 0 else ("a", "b", "c") for f in range(features)),
        feature_names=tuple(f"f{f}" for f in range(features)),
        class_names=("no", "yes"),
    )


@pytest.mark.parametrize("shards", [1, 2, 3, 5])
def test_the_union_of_the_shards_is_the_whole(shards, random_case):
    for seed in range(2000, 2012):
        dataset, options, building, _ = random_case(seed)
        whole = enumerate_trees(dataset, options=options, building=building, cache_mb=0.5)
        engine = Engine(dataset, options, building, cache_mb=0.5)
        plan = split_enumeration(engine, shards, stream(seed, "plan"), parts=3, probes=2)
        merged = merge_shards(plan, [run_shard(engine, plan, shard) for shard in range(shards)])
        assert merged["status"] == "ok"
        assert (merged["distinct"], merged["built"], merged["sizes"]) == (
            whole.distinct,
            whole.built,
            whole.sizes,
        )


def test_a_killed_shard_goes_on_where_it_was(tmp_path, monkeypatch):
    from pinetum.distinct import shards

    dataset = wide_table(10)
    engine = Engine(dataset, yadt(6), cache_mb=2)
    plan = split_enumeration(engine, 1, stream(1, "plan"))
    whole = run_shard(engine, plan, 0)
    done = []

    def killed(*given, **named):
        if len(done) == 5:
            raise KeyboardInterrupt
        done.append(given)
        return run_enumeration(*given, **named)

    monkeypatch.setattr(shards, "run_enumeration", killed)
    with pytest.raises(KeyboardInterrupt):
        run_shard(engine, plan, 0, checkpoint=tmp_path / "shard.json")
    monkeypatch.undo()
    resumed = run_shard(engine, plan, 0, checkpoint=tmp_path / "shard.json")
    assert resumed["distinct"] == whole["distinct"] and resumed["built"] == whole["built"]
    assert len(plan["shards"][0]) > 5


def test_the_average_of_all_probes_is_the_number_of_trees():
    dataset = wide_table(9)
    engine = Engine(dataset, yadt(8), cache_mb=2)
    run_enumeration(engine)
    begun = engine.work
    whole = run_enumeration(engine)  # every record is there: all work is walking
    truth = [whole.distinct, whole.built, engine.work - begun]
    for tilt in (0.0, 1.0):
        rng = stream(4, "probes", tilt)
        probes = np.array([probe(engine, (), range(9), rng, tilt) for _ in range(400)])
        error = probes.std(axis=0, ddof=1) / np.sqrt(len(probes))
        assert np.all(np.abs(probes.mean(axis=0) - truth) <= 4 * error + 1e-9)
        assert np.all(error < 0.2 * np.array(truth))
    guess = estimate(engine, stream(5, "estimate"), probes=100, seconds=None)
    assert abs(guess.distinct - whole.distinct) <= 5 * guess.distinct_se


def test_near_optimal_trees_are_those_of_the_enumeration(random_case, twin):
    for seed in range(3000, 3015):
        dataset, options, building, search = random_case(seed, always=True)
        trees = list(twin(dataset, options, building, search).values())
        engine = Engine(dataset, options, building, search, cache_mb=0.5)
        optimum = search_engine(engine)
        found = near_optimum(engine, optimum, 1)
        near = [used for used, errors in trees if errors <= optimum.errors + 1]
        assert found.trees == len(near)
        assert found.uses == [sum(f in used for used in near) for f in range(dataset.n_features)]


def test_a_small_cache_gives_the_same_trees():
    dataset = wide_table(14, cases=120)
    large, small = (enumerate_trees(dataset, min_cases=4, cache_mb=mb) for mb in (20, 0.4))
    assert large.cache_emptied == 0 and small.cache_emptied > 0
    assert (large.distinct, large.built, large.sizes) == (small.distinct, small.built, small.sizes)
    assert small.cache_mb <= 0.4


def pieces_of(engine):
    """(first word, end) of all that lies in an engine's store, and the number of rankings whose
    room is free.
    """
    store, settings, root = engine.store, engine.table.settings[0], int(engine.control["root"])
    pool, freed, pieces = store.memory.pool, 0, []
    for record in {*store.slots[store.slots != 0].tolist(), *([root] if root > 0 else [])}:
        at = small_part(int(settings["words"]), record)
        n, ranked, ranking = (
            pool[at + BUILDING] + pool[at + SEARCH],
            int(pool[at + RANKED]),
            int(pool[at + RANKING]),
        )
        end = pool[at + CASES] + n + n % 2
        if pool[at + WEIGHTS]:
            end = (
                pool[at + WEIGHTS]
                + 2 * n
                + (2 * settings["n_classes"] if pool[at + CLASSES] else 0)
            )
        pieces.append((record, record + int(end)))
        virtual = engine.virtual and record == root
        if ranked:
            pieces.append((ranking, ranking + (4 if virtual else 5 * ranked + ranked % 2)))
        for entry in range(ranking, ranking + 3 * ranked, 3):
            branches = int(engine.forest.branches[pool[entry]])
            if pool[entry + 2]:
                pieces.append(
                    (int(pool[entry + 2]), int(pool[entry + 2]) + branches + branches % 2)
                )
    for length, ranking in enumerate(store.freed.tolist()):
        while ranking:
            pieces.append((ranking, ranking + 5 * length + length % 2))
            freed, ranking = freed + 1, int(pool[ranking])
    return sorted(pieces), freed


def test_rankings_written_anew_leave_their_room_to_others(random_case):
    """Records, rankings, branches and rankings that are free share the store: none overlap, nothing
    is lost.
    """
    freed, rng = 0, np.random.default_rng(8)
    for seed in range(80_000, 80_060):
        dataset, options, building, search = random_case(seed, always=True)
        objective = {"objective": cross_validation(dataset, 2)} if seed % 2 else {}
        split = () if objective else (building, search)
        engine = Engine(dataset, options, *split, **objective, cache_mb=4)
        for feature in rng.permutation(dataset.n_features).tolist():
            engine.errors_of((feature,))
        search_engine(engine)
        pieces, free = pieces_of(engine)
        ends = [2, *(end for _, end in pieces)]
        gaps = [begin - end for (begin, _), end in zip(pieces, ends, strict=False)]
        assert engine.emptied == 0 and all(0 <= gap < LINE for gap in gaps), seed
        assert ends[-1] == engine.counters["used"] or engine.control["root"] <= 0, seed
        freed += free
    assert freed > 20


def apart(dataset, step):
    """The features `step` places apart among constant ones, so that a set of them takes two
    words.
    """
    wide = step * (dataset.n_features - 1) + 1
    codes, values, continuous = (
        np.zeros((wide, dataset.n_cases), np.int32),
        [("v",)] * wide,
        np.zeros(wide, bool),
    )
    codes[::step], values[::step], continuous[::step] = (
        dataset.codes,
        dataset.values,
        dataset.continuous,
    )
    names = tuple(f"f{place}" for place in range(wide))
    return dataclasses.replace(
        dataset, codes=codes, values=tuple(values), continuous=continuous, feature_names=names
    )


@pytest.mark.parametrize("block", range(6))
def test_any_room_gives_the_same_trees_or_says_it_is_too_small(block, tables, twin):
    """Stores that are emptied after every few records; half of the cells missing.

    Sets of features of two words.
    """
    emptied = 0
    for seed in range(5 * block, 5 * block + 5):
        rng = np.random.default_rng([7, seed])
        dataset = tables(rng, features=int(rng.integers(3, 6)))
        dataset.codes[rng.random(dataset.codes.shape) < [0.0, 0.5][seed % 2]] = -1
        options = Options(min_cases=int(rng.integers(1, 4)))
        order = rng.permutation(dataset.n_cases)
        building, search = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
        step = [1, 22][seed // 2 % 2]
        trees = list(twin(dataset, options, building, search).values())
        trees = sorted(
            (tuple(step * feature for feature in used), errors) for used, errors in trees
        )
        least = min((errors, len(used), used) for used, errors in trees)
        dataset = apart(dataset, step)
        given = {"options": options, "building": building, "search": search}
        room, result = 0.002, None
        while result is None or result.status != "ok" or result.cache_emptied:
            room *= 1.3
            found = []
            result = enumerate_trees(
                dataset,
                **given,
                cache_mb=room,
                each=lambda tree, found=found: found.append((tree.subset, tree.errors)),
            )
            assert (
                sorted(found) == trees if result.status == "ok" else result.status == "memory_limit"
            ), (seed, room)
            emptied += result.cache_emptied
            try:
                best = search_engine(
                    Engine(dataset, *given.values(), cache_mb=room, ahead=seed % 3), start=None
                )
            except MemoryError:
                continue
            assert best.bound <= least[0]
            assert best.status == "memory_limit" or (best.errors, best.subset) == (
                least[0],
                least[2],
            ), (seed, room)
    assert emptied > 2


def test_sets_of_cases_are_told_apart_by_cases_and_weights():
    """Records are found again by two words: the same for the same content in any order, different
    for any other.
    """
    rng = np.random.default_rng(6)
    hashes, known = np.ascontiguousarray(hash_words(5).T), {}
    for _ in range(400):
        n, building = int(rng.integers(1, 6)), int(rng.integers(0, 4))
        case = rng.permutation(5)[:n].astype(np.int32)
        weight = rng.integers(1, 4, n)
        building = min(building, n)
        a, b, digest = hash_cases(hashes, case, weight, 0, building, n - building)
        content = frozenset(zip(case.tolist(), weight.tolist(), strict=True))
        assert known.setdefault(content, (a, b)) == (a, b)
        here = (
            frozenset(zip(case[:building].tolist(), weight[:building].tolist(), strict=True)),
            "digest",
        )
        assert known.setdefault(here, digest) == digest
    assert len(set(known.values())) == len(known) > 200


def test_more_than_64_features():
    dataset = wide_table(70)
    every = np.arange(dataset.n_cases)
    building, search = every[:40], every[40:]
    part = [0, 1, 5, 66, 67, 69]
    result = enumerate_trees(
        dataset, 4, building=building, search=search, optional=part, best_k=100
    )
    grower = Grower(dataset, yadt(4), cases=building)
    wanted = {}
    for bits in range(64):
        tree = grower.grow([f for i, f in enumerate(part) if bits >> i & 1])
        wanted[tuple(int(f) for f in tree.used_features)] = tree.errors(dataset, search)
    assert {tree.subset: tree.errors for tree in result.best} == wanted
    bounded = search_engine(Engine(dataset, yadt(4), building, search), work=3_000_000)
    tree = grower.grow(bounded.subset)
    assert tree.errors(dataset, search) == bounded.errors >= bounded.bound
    assert tuple(int(f) for f in tree.used_features) == bounded.subset


def test_work_limits_give_the_same_result_every_time():
    dataset = wide_table(20)
    runs = [enumerate_trees(dataset, 3, work=200_000) for _ in range(2)]
    assert runs[0].status == "work_limit"
    assert (runs[0].distinct, runs[0].built) == (runs[1].distinct, runs[1].built)


def test_a_rest_in_the_midst_of_a_tree_changes_nothing(random_case, monkeypatch):
    """Where a tree takes long, the caller looks at the clock within it, and the search goes on."""
    from pinetum.distinct import engine as engines

    ends, advance = [], engines.Engine._advance
    monkeypatch.setattr(
        engines.Engine, "_advance", lambda self: ends.append(advance(self)) or ends[-1]
    )
    for seed in range(90_000, 90_030):
        dataset, options, building, search = random_case(seed, always=True)
        answers = []
        for stretch in (20_000_000, 400):
            monkeypatch.setattr(engines, "STRETCH", stretch)
            ends.append(stretch)
            engine = Engine(dataset, options, building, search, build=engines.BUILDS[seed % 3])
            counted = run_enumeration(engine, best_k=3)
            best = search_engine(engine)
            answers.append(
                (
                    counted.distinct,
                    counted.built,
                    counted.best,
                    best.subset,
                    best.errors,
                    engine.work,
                )
            )
        assert answers[0] == answers[1], seed
    assert ends.count(RESTED) > 100 and RESTED not in ends[: ends.index(400)]


def test_frames_of_many_features_are_counted_as_work():
    """The clock is looked at by the work that has been done."""
    work = []
    for features in (100, 10_000):
        engine = Engine(wide_table(features, cases=20), yadt(4), cache_mb=5)
        run_enumeration(engine, optional=range(8))
        work.append(engine.work / engine.built)
    assert work[1] > 10 * work[0]


def test_row_order_changes_nothing():
    dataset = wide_table(12)
    order = np.random.default_rng(2).permutation(dataset.n_cases)
    shuffled = dataset.take_cases(order)
    first, second = (enumerate_trees(d, 5) for d in (dataset, shuffled))
    assert (first.distinct, first.built, first.sizes) == (
        second.distinct,
        second.built,
        second.sizes,
    )


def test_the_picture_of_near_optimal_trees_shows_shares_and_disagreement():
    dataset = wide_table(8)
    every = np.arange(dataset.n_cases)
    engine = Engine(dataset, yadt(4), every[:40], every[40:])
    near = near_optimum(engine, search_engine(engine), 2, keep=1000)
    left, right = near.plot(most=3).axes
    shown = [text.get_text() for text in left.get_yticklabels()]
    widths = [round(bar.get_width(), 9) for bar in left.patches]
    assert len(shown) == 3 and widths == sorted(widths)
    assert widths == [round(100 * near.shares[near.feature_names.index(name)], 9) for name in shown]
    wrong = near.misclassified()[1]
    assert right.lines[0].get_ydata().tolist() == sorted(100 * wrong)
    undecided = sum(0 < share < 1 for share in wrong)
    assert f"disagree on {undecided} of {len(wrong)} cases" in right.get_title()
