"""What a tree may ask: the literals and tests of a table of codes, for the search between data and prior."""

from dataclasses import dataclass

import numpy as np

from pinetum.nbdt.kernels.blend import Literals, Tests

SUBSETS = 6  # a feature with so many values at most is asked by all sets of values, where sets are wanted
MOST_LITERALS = 4_000  # of all features; a path is kept as a number of 15 bits a branch
WAYS = ("two", "sets", "many")


@dataclass(frozen=True, eq=False)
class Questions:
    """Tests over coded features, as the kernels take them; features stand by rising cost.

    feature    int64 (tests,), in the order of the table
    chosen     int64 (kept features,): features that have a test, by rising cost
    """

    literals: Literals
    tests: Tests
    feature: np.ndarray
    chosen: np.ndarray
    cells: np.ndarray  # positions of the kept features' values among those of all features

    def holds(self, branch) -> np.ndarray:
        """Which values of its feature a branch takes."""
        literal = self.tests.literal[branch]
        own = self.literals.feature[literal]
        width = self.literals.cell_start[own + 1] - self.literals.cell_start[own]
        return self.literals.holds[literal, :width] != self.tests.negated[branch]


def make_questions(arity, ordered, missing=None, ways="two", costs=None) -> Questions:
    """All tests of features with so many values.

    `ordered` features are cut between neighbouring values. The values of others are asked one against the rest
    ("two"), in sets against the rest ("sets", up to `SUBSETS` values) or all at once ("many"). Where `missing`, the
    last value stands for a missing cell: it lies above every cut, and there is a test for it alone.
    """
    if ways not in WAYS:
        raise ValueError(f"ways = {ways!r}: one of {', '.join(WAYS)}")
    arity = np.asarray(arity, dtype=np.int64)
    missing = np.zeros(len(arity), dtype=bool) if missing is None else missing
    costs = np.ones(len(arity)) if costs is None else np.asarray(costs, dtype=np.float64)
    wanted = arity.sum(dtype=float) * (2 if ways == "many" else 1)
    if ways == "sets":
        wanted += (2.0 ** (arity[arity <= SUBSETS] - 1)).sum()
    if wanted > MOST_LITERALS:
        widest = int(arity.argmax())
        raise MemoryError(
            f"{wanted:,.0f} sets of values to ask for, at most {MOST_LITERALS:,}: take fewer cuts or values "
            f"(feature {widest} has {arity[widest]:,})"
        )
    start = np.concatenate(([0], np.cumsum(arity)))
    chosen: list = []
    sets: list = []
    own: list = []
    owner, cost, branches = [], [], []
    sizes, order = arity.tolist(), np.argsort(costs, kind="stable").tolist()
    for feature, is_ordered, has_missing in zip(
        order, np.asarray(ordered)[order].tolist(), np.asarray(missing)[order].tolist(), strict=True
    ):
        found = tests_of(sizes[feature], is_ordered, has_missing, ways)
        if not found:
            continue
        for group in found:
            branches.append(len(group))
            sets += group
            own += [len(chosen)] * len(group)
        owner += [feature] * len(found)
        cost += [costs[feature]] * len(found)
        chosen.append(feature)
    widest = int(arity[chosen].max()) if chosen else 1
    holds = holds_of(sets, widest)
    features = np.array(own, dtype=np.int64)
    literals = Literals(
        feature=features,
        feature_end=np.searchsorted(features, np.arange(len(chosen)), side="right").astype(np.int64),
        cell_start=np.concatenate(([0], np.cumsum(arity[chosen]))).astype(np.int64),
        holds=holds,
        **ends_of(holds),
    )
    count = len(sets)
    if ways == "many":
        tests = Tests(
            np.concatenate(([0], np.cumsum(branches))).astype(np.int64),
            np.arange(count, dtype=np.int64), np.zeros(count, dtype=np.bool_), np.array(cost, dtype=np.float64), False,
        )  # fmt: skip
    else:
        tests = Tests(
            np.arange(0, 2 * count + 1, 2, dtype=np.int64), np.repeat(np.arange(count, dtype=np.int64), 2),
            np.tile(np.array([False, True]), count), np.array(cost, dtype=np.float64), True,
        )  # fmt: skip
    cells = [np.arange(start[feature], start[feature + 1]) for feature in chosen]
    return Questions(
        literals, tests, np.array(owner, dtype=np.int64), np.array(chosen, dtype=np.int64),
        np.concatenate(cells) if cells else np.zeros(0, dtype=np.int64),
    )  # fmt: skip


def ends_of(holds) -> dict:
    """Where the values of each literal begin and end, if they follow one another."""
    low, count = holds.argmax(axis=1), holds.sum(axis=1)
    last = holds.shape[1] - holds[:, ::-1].argmax(axis=1)
    low[last - low != count] = -1
    return {"low": low.astype(np.int64), "high": last.astype(np.int64)}


def holds_of(sets, widest):
    """Which values each set holds: those from its first number up to its second, or the ones of a binary number."""
    values, pairs = np.arange(widest), np.array(sets, dtype=np.int64).reshape(-1, 2)
    low, high = pairs[:, :1], pairs[:, 1:]
    coded = low < 0
    return np.where(coded, (high >> np.where(coded, values, 0)) & 1 == 1, (values >= low) & (values < high))


def tests_of(arity, ordered, missing, ways):
    """Tests of one feature, each a list of sets of values: a set, asked against the rest, or one per branch.

    A set is (first, end) of values that follow one another, or (-1, number) with a one per value that it holds.
    """
    known = arity - missing
    if arity < 2:
        return []
    if ordered:
        cuts = [(0, cut) for cut in range(1, known)]
        if ways != "many":
            return [[one] for one in cuts] + ([[(known, arity)]] if missing else [])
        return [[one, (one[1], arity)] for one in cuts] + ([[(known, arity), (0, known)]] if missing else [])
    single = [(value, value + 1) for value in range(arity)]
    if ways == "many":
        return [single]
    if arity == 2:
        return [[(0, 1)]]
    if ways == "sets" and arity <= SUBSETS:
        return [[(-1, code)] for code in range(1, 1 << (arity - 1))]
    return [[one] for one in single]
