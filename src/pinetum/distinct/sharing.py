"""The best subset by several processes that know of each other's best through files of one folder.

The top of the search is unrolled into disjoint sub-spaces, the same for every process; shard i of n
searches every n-th of them. Each shard writes one file of its own, whole or not at all: the best
subset that it has met and the sub-spaces that it has finished. It reads the others' while it
searches, so all leave out what cannot beat the best of any, and when it is killed it goes on from
its own file. No process waits for another and nothing is locked. The answer is the least error,
then the fewest features, then the first of equals: it does not depend on who met it when.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from pinetum.distinct.search import backward_elimination, engine_for
from pinetum.files import whole_file
from pinetum.induction.cases import cases_of
from pinetum.parameters import COUNT, Number, check
from pinetum.progress import is_stopped

SUB_SPACES = 64  # at least, if there are so many: the same for any number of shards
BETWEEN_LOOKS = 50_000_000  # work units between two looks at the others: a fraction of a second


@dataclass(frozen=True)
class SharedOptimum:
    """What all shards of a search together have found."""

    subset: tuple[int, ...]
    features: tuple[str, ...]
    errors: float
    proved: (
        bool  # every sub-space is finished: no subset errs less, none as little with fewer features
    )
    finished: int  # sub-spaces
    sub_spaces: int


def rank(found):
    """The order of answers: (errors, subset) by errors, number of features, features."""
    return found[0], len(found[1]), tuple(found[1])


class Shared:
    """The files of a search: what is known, whoever found it."""

    def __init__(self, folder, problem, shard, shards):
        self.folder, self.problem, self.shard = Path(folder), problem, shard
        self.own = {"problem": problem, "shards": shards, "best": None, "done": []}
        self.file = self.folder / f"shard-{shard}.json"
        kept = self.read(self.file)
        if kept is not None:
            self.own.update(best=kept["best"], done=kept["done"])

    def read(self, file):
        """What a shard of this search wrote; None where nothing is there yet."""
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if kept.get("problem") != self.problem:
            raise ValueError(
                f"{file}: of another table, other rules or another objective; take an empty folder"
            )
        return kept

    def best(self):
        """(errors, subset), the best of all shards."""
        kept = [self.own, *map(self.read, sorted(self.folder.glob("shard-*.json")))]
        found = [
            (part["best"][0], tuple(part["best"][1])) for part in kept if part and part["best"]
        ]
        return min(found, key=rank)

    def offer(self, found):
        """Keep an answer of this shard, and tell the others when it is their best too."""
        if self.own["best"] is None or rank(found) < rank(self.own["best"]):
            self.own["best"] = [int(found[0]), [int(f) for f in found[1]]]
            self.write()

    def finish(self, number):
        self.own["done"].append(number)
        self.write()

    def write(self):
        with whole_file(self.file) as file:
            json.dump(self.own, file)


def sub_spaces_of(engine):
    """(disjoint sub-spaces (required, optional), the best tree of the frames that they were
    unrolled from).
    """
    spaces, best = [((), tuple(range(engine.n_features)))], None
    while spaces and len(spaces) < SUB_SPACES:
        below = []
        for space in spaces:
            below += engine.step(*space, order="errors")[2]
            best = engine.best if best is None else min(best, engine.best, key=rank)
        spaces = below
    return spaces, best


def problem_of(engine) -> str:
    """Digest of the table, the rules and the objective."""
    digest = hashlib.sha256(
        repr((engine.options, engine.objective.unit, engine.feature_cost)).encode()
    )
    table = engine.table
    for part in (
        table.codes,
        table.labels,
        table.member,
        table.part,
        table.cost,
        table.settings.view(np.int64),
    ):
        digest.update(np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:16]


def search_shard(
    X,
    y=None,
    objective=None,
    *,
    folder,
    shard=0,
    shards=1,
    min_cases=2,
    criterion="gain",
    options=None,
    work=None,
    cache_mb=1000,
) -> SharedOptimum:
    """Search one shard of all subsets, beside others that may run at the same time on this machine
    or another.

    Parameters
    ----------
    X, y, objective, min_cases, criterion, options, cache_mb
        As in `best_subset`.
    folder : path
        Where the shards write; on a cluster a folder that all of them see. A shard that finds its
        own file there goes on from it.
    shard, shards : int
        Which of how many.
    work : int, optional
        Limit of this shard in steps. What was proved until then is kept.

    Returns
    -------
    SharedOptimum
        What all shards have found so far.

    Examples
    --------
    >>> import tempfile
    >>> from pinetum.data.sample import sample
    >>> folder = tempfile.mkdtemp()
    >>> found = [search_shard(sample(missing=False), folder=folder, shard=shard, shards=2) for shard in (0, 1)]
    >>> found[-1].features, found[-1].proved
    (('w', 'x'), True)
    """  # noqa: E501
    check({"shards": COUNT}, shards=shards, work=work)
    check({"shard": Number(0, shards - 1, whole=True)}, shard=shard)
    engine = engine_for(cases_of(X, y), objective, min_cases, criterion, options, cache_mb)
    shared = Shared(folder, problem_of(engine), shard, shards)
    ends = None if work is None else engine.work + work
    spaces, best = sub_spaces_of(engine)
    eliminated, _ = backward_elimination(engine, range(engine.n_features))
    shared.offer(min(best, eliminated, engine.errors_of(()), key=rank))
    for number in range(shard, len(spaces), shards):
        if number not in shared.own["done"]:
            if search_space(engine, shared, spaces[number], ends) != "done":
                break
            shared.finish(number)
    return join_shards(engine, shared, len(spaces))


def search_space(engine, shared, space, ends) -> str:
    """Search a sub-space for what beats the best of all shards; how it ended."""
    engine.begin(*space, order="errors")
    while True:
        known = shared.best()
        if engine.best is None or rank(known) < rank(engine.best):
            engine.set_best(*known)
        engine.prune_below_best(0, ties=True)
        left = BETWEEN_LOOKS if ends is None else min(BETWEEN_LOOKS, ends - engine.work)
        end = engine.run(work=left) if left > 0 else "work_limit"
        if engine.best is not None:
            shared.offer(engine.best)
        if end != "work_limit" or (ends is not None and engine.work >= ends) or is_stopped():
            return end


def join_shards(engine, shared, sub_spaces) -> SharedOptimum:
    """What the files of a search say."""
    errors, subset = shared.best()
    kept = [shared.read(file) for file in sorted(shared.folder.glob("shard-*.json"))]
    done = {number for part in kept if part for number in part["done"]}
    unit = engine.objective.unit
    return SharedOptimum(
        subset=subset,
        features=tuple(engine.dataset.feature_names[f] for f in subset),
        errors=errors if unit == 1 else errors / unit,
        proved=len(done) == sub_spaces,
        finished=len(done),
        sub_spaces=sub_spaces,
    )


def search_shards(X, y=None, objective=None, *, folder, n_jobs=None, **options) -> SharedOptimum:
    """`search_shard` by `n_jobs` processes of this machine: the same answer for any number of them.

    Parameters
    ----------
    X, y, objective, folder, **options
        As in `search_shard`.
    n_jobs : int, optional
        Processes, one shard each.

    Returns
    -------
    SharedOptimum

    Examples
    --------
    >>> import tempfile
    >>> from pinetum.data.sample import sample
    >>> found = search_shards(sample(missing=False), folder=tempfile.mkdtemp())
    >>> found.features, found.proved
    (('w', 'x'), True)
    """
    data, shards = cases_of(X, y), max(1, n_jobs or 1)
    parts = Parallel(n_jobs)(
        delayed(search_shard)(
            data, None, objective, folder=folder, shard=shard, shards=shards, **options
        )
        for shard in range(shards)
    )
    return max(parts, key=lambda part: part.finished)
