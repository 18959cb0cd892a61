"""What trees between data and prior may ask of a table: its coded cases, literals and tests.

`find_candidates` codes a table: candidate cuts of numbers, values, and shares of missing cells.
`make_questions` makes the literals and tests of any coded features, as the kernels take them.
"""

import warnings
from dataclasses import dataclass, replace

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataWarning
from pinetum.nbdt.kernels.bundles import Literals, Tests
from pinetum.nbdt.kernels.cases import replace_codes, tally_codes
from pinetum.trees import Tree

MOST_TESTS = 256  # of all features together, when the number of cuts is left to us
COPIES = 5  # of a case with missing cells, each with its part of the weight
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


@dataclass(frozen=True, eq=False)
class Candidates:
    """Coded cases and tests.

    codes      int32 (features, copies of cases), no cell missing: values, or intervals between
               candidate cuts
    case       int64 (copies,): the case that a copy stands for
    part       float64 (copies,): its part of the case's weight
    cuts       per feature the candidate cuts, None where it is discrete
    midpoints  between neighbouring values, of all features together
    """

    codes: np.ndarray
    case: np.ndarray
    part: np.ndarray
    arity: np.ndarray
    ordered: np.ndarray
    cuts: tuple
    midpoints: int
    questions: Questions


def find_candidates(
    data: Dataset, weight=None, *, max_cuts="auto", max_values=12, costs=None
) -> Candidates:
    """Cuts, values and tests of a table.

    Numbers are cut at all midpoints between neighbouring values where they are at most `max_cuts`
    (with "auto": where all features together have at most `MOST_TESTS` tests), else at so many
    quantiles. A discrete feature of more than `max_values` values is left out with a warning. A
    case with missing cells becomes `COPIES` copies whose cells are spread over the values as the
    known cells are.
    """
    if max_cuts != "auto" and not (isinstance(max_cuts, (int, np.integer)) and max_cuts >= 1):
        raise ValueError(f"max_cuts = {max_cuts!r}: 'auto' or a whole number from 1")
    weight = np.ones(data.n_cases) if weight is None else weight
    arity, continuous = data.arity.astype(np.int64), np.asarray(data.continuous)
    start = np.concatenate(([0], np.cumsum(arity)))
    tally = np.zeros(start[-1])
    tally_codes(data.codes, weight, start, tally)
    there = np.flatnonzero(tally > 0)
    gaps = np.diff(np.searchsorted(there, start)) - 1
    most = most_cuts(data, gaps, max_cuts, max_values)
    cut = cut_values(tally, there, start, gaps, continuous, most)
    at = np.flatnonzero(cut)
    numbers = np.concatenate(
        [
            values if one else np.zeros(len(values))
            for one, values in zip(continuous, data.values, strict=True)
        ]
    )
    middles = between(numbers[at], numbers[there[np.searchsorted(there, at) + 1]])
    ends = np.searchsorted(at, start).tolist()
    cuts = [
        middles[a:b] if one else None for one, a, b in zip(continuous, ends, ends[1:], strict=False)
    ]
    wide = np.flatnonzero(~continuous & (arity > max_values))
    single = np.flatnonzero(~continuous & (arity < 2))  # whether missing or not tells nothing
    place = np.cumsum(cut) - cut
    place -= np.repeat(place[start[:-1].clip(max=len(place) - 1)], arity) if len(place) else 0
    kept = np.repeat(continuous, arity)
    place = np.where(kept, place, np.arange(start[-1]) - np.repeat(start[:-1], arity))
    codes = np.empty(data.codes.shape, dtype=np.int32)
    replace_codes(data.codes, start, place, codes)
    arity = np.where(continuous, np.diff(ends) + 1, arity)
    for unused in (wide, single):
        codes[unused], arity[unused] = 0, 1
    if len(wide):
        names = ", ".join(f"{data.feature_names[f]} ({data.arity[f]:,})" for f in wide[:5])
        warnings.warn(
            f"left out, with more than {max_values} values: {names}; group the values, or raise"
            " max_values",
            DataWarning,
            stacklevel=4,
        )
    codes, case, part = with_copies(codes, arity, weight)
    ways = "two" if not ((arity > 2) & ~continuous).any() else "many"
    return Candidates(
        codes,
        case,
        part,
        arity,
        continuous.copy(),
        tuple(cuts),
        int(gaps[continuous].clip(min=0).sum()),
        make_questions(arity, continuous, ways=ways, costs=costs),
    )


def most_cuts(data, gaps, max_cuts, max_values) -> int:
    """Cuts that one feature may have."""
    if max_cuts != "auto":
        return int(max_cuts)
    numbers = np.sort(gaps[data.continuous])
    left = MOST_TESTS - int(data.arity[~data.continuous & (data.arity <= max_values)].sum())
    most = 1
    each = 2 if (data.arity[~data.continuous] > 2).any() else 1  # literals of a cut
    while (
        len(numbers) and each * np.minimum(numbers, most + 1).sum() <= left and most < numbers[-1]
    ):
        most += 1
    return most


def cut_values(tally, there, start, gaps, continuous, most):
    """Whether there is a cut after a value, for the values of all features: after all but the last,
    or at quantiles.
    """
    cut = np.zeros(len(tally), dtype=bool)
    cut[there] = True
    last = there[(np.searchsorted(there, start[1:]) - 1)[gaps >= 0]]
    cut[last] = False
    cut &= np.repeat(continuous, np.diff(start))
    for feature in np.flatnonzero(continuous & (gaps > most)):
        own = there[
            np.searchsorted(there, start[feature]) : np.searchsorted(there, start[feature + 1])
        ]
        share = np.cumsum(tally[own])[:-1] / tally[own].sum()
        places = np.searchsorted(share, np.arange(1, most + 1) / (most + 1) - 1e-12)
        cut[own] = False
        cut[own[np.unique(np.minimum(places, len(own) - 2))]] = True
    return cut


def between(low, high):
    """Midpoints that neither overflow nor reach the upper value."""
    with np.errstate(over="ignore"):
        middle = np.where(np.isfinite(low + high), (low + high) / 2, low / 2 + high / 2)
    return np.where(middle >= high, low, middle)


def with_copies(codes, arity, weight):
    """The same without missing cells.

    The case behind each copy and its part of the case's weight.
    """
    if codes.min(initial=0) > MISSING:
        return codes, np.arange(codes.shape[1]), np.ones(codes.shape[1])
    missing = (codes == MISSING).any(axis=0)
    whole = np.flatnonzero(~missing)
    spread = np.repeat(np.flatnonzero(missing), COPIES)
    case = np.concatenate((whole, spread))
    part = np.concatenate((np.ones(len(whole)), np.full(len(spread), 1.0 / COPIES)))
    codes = np.ascontiguousarray(codes[:, case])
    number = np.tile(np.arange(COPIES), len(spread) // COPIES)
    order = np.zeros(len(spread), dtype=np.int64)
    for column, values in zip(codes, arity, strict=True):
        gone = column[len(whole) :] == MISSING
        if gone.any():
            known = column != MISSING
            tally = np.bincount(column[known], (weight[case] * part)[known], values) + 1e-12
            points = (
                (number + 2 * order) % COPIES + 0.5
            ) / COPIES  # a second missing cell goes through them otherwise
            found = np.searchsorted(np.cumsum(tally) / tally.sum(), points, side="left")
            column[len(whole) :][gone] = np.minimum(found, values - 1)[gone]
            order += gone
    return codes, case, part


def to_plain_tree(found, candidates: Candidates, data: Dataset, cases: float) -> Tree:
    """A `BlendedTree` as a `Tree` over the features of the table.

    Counts are what data and prior expect.
    """
    questions, nodes = candidates.questions, len(found.test)
    inner = found.test >= 0
    feature = np.where(inner, questions.feature[found.test] if len(questions.feature) else -1, -1)
    start = questions.tests.start
    branches = np.where(inner, np.diff(start)[found.test] if len(start) > 1 else 0, 0)
    child_start = np.concatenate(([0], np.cumsum(branches)))
    children = np.empty(child_start[-1], dtype=np.int32)
    place = found.branch[1:] - start[found.test[found.parent[1:]]]
    children[child_start[found.parent[1:]] + place] = np.arange(1, nodes)
    threshold, cut = np.full(nodes, np.nan), np.full(nodes, -1, dtype=np.int32)
    for node in np.flatnonzero(inner):
        own = feature[node]
        if data.continuous[own]:
            last = int(np.count_nonzero(questions.holds(start[found.test[node]]))) - 1
            threshold[node] = candidates.cuts[own][last]
            cut[node] = np.searchsorted(data.values[own], threshold[node], side="right") - 1
    scale = cases / found.mass[0].sum() if found.mass[0].sum() > 0 else 0.0
    return Tree(
        feature=feature.astype(np.int32),
        threshold=threshold,
        cut=cut,
        child_start=child_start.astype(np.int32),
        children=children,
        counts=found.mass * scale,
        label=found.label.astype(np.int32),
        feature_names=data.feature_names,
        class_names=data.class_names,
        values=tuple(None if c else v for c, v in zip(data.continuous, data.values, strict=True)),
    )
