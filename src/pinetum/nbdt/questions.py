"""What a tree may ask: the literals and tests of a table of codes, for the search between data and
prior.
"""

from dataclasses import dataclass, replace

import numpy as np

from pinetum.nbdt.kernels.problem import Literals, Tests

SUBSETS = (
    6  # a feature with so many values at most is asked by all sets of values, where sets are wanted
)
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

    def only(self, kept) -> "Questions":
        """Some tests, in their order, of those that ask one set of values against the rest."""
        feature = self.literals.feature[kept]
        literals = Literals(
            feature,
            np.searchsorted(feature, np.arange(len(self.chosen)), side="right"),
            self.literals.cell_start,
            self.literals.holds[kept],
            self.literals.low[kept],
            self.literals.high[kept],
        )
        return replace(
            self,
            literals=literals,
            tests=against_rest(self.tests.cost[kept]),
            feature=self.feature[kept],
        )


def against_rest(cost) -> Tests:
    """A test of each literal against the rest."""
    count = len(cost)
    literal = np.repeat(np.arange(count), 2)
    return Tests(
        np.arange(0, 2 * count + 1, 2), literal, np.tile(np.array([False, True]), count), cost, True
    )


def make_questions(arity, ordered, missing=None, ways="two", costs=None) -> Questions:
    """All tests of features with so many values.

    `ordered` features are cut between neighbouring values. The values of others are asked one
    against the rest ("two"), in sets against the rest ("sets", up to `SUBSETS` values) or all at
    once ("many"). Where `missing`, the last value stands for a missing cell: it lies above every
    cut, and there is a test for it alone.
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
            f"{wanted:,.0f} sets of values to ask for, at most {MOST_LITERALS:,}: take fewer cuts"
            f" or values (feature {widest} has {arity[widest]:,})"
        )
    order = np.argsort(costs, kind="stable")
    feature, first, end, branches = sets_of(
        arity[order], np.asarray(ordered)[order], np.asarray(missing)[order], ways
    )
    new = np.concatenate(([True], feature[1:] > feature[:-1]))[: len(feature)]
    chosen, own = feature[new], np.cumsum(new) - 1  # places in that order
    cost, asked = costs[order[feature]], order[feature]
    sizes = arity[order[chosen]]
    holds = holds_of(first, end, int(sizes.max(initial=1)))
    cell_start = np.concatenate(([0], np.cumsum(sizes)))
    coded = first < 0
    low, high = np.where(coded, -1, first), end.copy()
    if coded.any():
        low[coded], high[coded] = ends_of(holds[coded])
    literals = Literals(
        own,
        np.searchsorted(own, np.arange(len(chosen)), side="right"),
        cell_start,
        holds,
        low,
        high,
    )
    if ways == "many":
        start = np.concatenate(([0], np.cumsum(branches)))
        everything = np.arange(len(own)), np.zeros(len(own), dtype=np.bool_)
        tests = Tests(start, *everything, cost[start[:-1]], False)
        asked = asked[start[:-1]]
    else:
        tests = against_rest(cost)
    before = np.concatenate(([0], np.cumsum(arity)))[order[chosen]] - cell_start[:-1]
    cells = np.arange(cell_start[-1]) + np.repeat(before, sizes)
    return Questions(literals, tests, asked, order[chosen], cells)


def sets_of(arity, ordered, missing, ways):
    """Sets of values that are asked for, test by test: feature, first value, end.

    Then the branches of each test.

    A set holds the values from its first up to its end, or, where the first is -1, those whose ones
    `end` has as a binary number. Asked many ways, the sets of a test follow one another, and
    `branches` has their number; else each set is asked against the rest.
    """
    known, many = arity - missing, ways == "many"
    subsets = (ways == "sets") & ~ordered & (arity > 2) & (arity <= SUBSETS)
    numbers = np.where(ordered, known - 1 + missing, np.where((arity > 2) | many, arity, 1))
    numbers[subsets] = (1 << (arity[subsets] - 1)) - 1
    numbers[arity < 2] = 0
    feature = np.repeat(np.arange(len(arity)), numbers)
    place = np.arange(len(feature)) - np.repeat(np.cumsum(numbers) - numbers, numbers)
    cut = ordered[feature]
    alone = cut & (place == known[feature] - 1)  # the missing value against all others
    first = np.where(alone, known[feature], np.where(cut, 0, place))
    end = np.where(alone, arity[feature], place + 1)
    first[subsets[feature]] = -1
    if not many:
        return feature, first, end, np.ones(len(feature), dtype=np.int64)
    twice = np.repeat(
        np.arange(len(feature)), 1 + cut
    )  # behind every cut the rest, a set of its own
    rest = np.concatenate(([False], twice[1:] == twice[:-1]))[: len(twice)]
    feature, first, end, alone = feature[twice], first[twice], end[twice], alone[twice]
    branches = np.repeat(np.where(ordered, 2, arity), np.where(ordered, numbers, arity > 1))
    others = np.where(alone, 0, end), np.where(alone, first, arity[feature])
    return feature, np.where(rest, others[0], first), np.where(rest, others[1], end), branches


def ends_of(holds):
    """Where the values of each set begin and end.

    It begins at -1 if they do not follow one another.
    """
    low, count = holds.argmax(axis=1), holds.sum(axis=1)
    last = holds.shape[1] - holds[:, ::-1].argmax(axis=1)
    low[last - low != count] = -1
    return low, last


def holds_of(first, end, widest):
    """Which values each set holds: see `sets_of`."""
    values, low, high = np.arange(widest), first[:, None], end[:, None]
    held = (values >= low) & (values < high)
    coded = first < 0
    if coded.any():
        held[coded] = (high[coded] >> values) & 1 == 1
    return held
