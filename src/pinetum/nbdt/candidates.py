"""A table as the search between data and prior takes it: candidate cuts, values, and shares of missing cells."""

import warnings
from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataWarning
from pinetum.nbdt.questions import Questions, make_questions
from pinetum.trees import Tree

MOST_TESTS = 256  # of all features together, when the number of cuts is left to us
COPIES = 5  # of a case with missing cells, each with its part of the weight


@dataclass(frozen=True, eq=False)
class Candidates:
    """Coded cases and tests.

    codes      int32 (features, copies of cases), no cell missing: values, or intervals between candidate cuts
    case       int64 (copies,): the case that a copy stands for
    part       float64 (copies,): its part of the case's weight
    cuts       per feature the candidate cuts, None where it is discrete
    all_cuts   whether every midpoint between neighbouring values is among them
    """

    codes: np.ndarray
    case: np.ndarray
    part: np.ndarray
    arity: np.ndarray
    ordered: np.ndarray
    cuts: tuple
    all_cuts: bool
    questions: Questions


def find_candidates(data: Dataset, weight=None, *, max_cuts="auto", max_values=12, costs=None) -> Candidates:
    """Cuts, values and tests of a table.

    Numbers are cut at all midpoints between neighbouring values where they are at most `max_cuts` (with "auto": where
    all features together have at most `MOST_TESTS` tests), else at so many quantiles. A discrete feature of more than
    `max_values` values is left out with a warning. A case with missing cells becomes `COPIES` copies whose cells are
    spread over the values as the known cells are.
    """
    if max_cuts != "auto" and not (isinstance(max_cuts, (int, np.integer)) and max_cuts >= 1):
        raise ValueError(f"max_cuts = {max_cuts!r}: 'auto' or a whole number from 1")
    weight = np.ones(data.n_cases) if weight is None else weight
    tallies = [np.bincount(codes[codes != MISSING], weight[codes != MISSING], len(values))
               for codes, values in zip(data.codes, data.values, strict=True)]  # fmt: skip
    present = [np.flatnonzero(tally > 0) for tally in tallies]
    gaps = np.array([len(there) - 1 for there in present])
    most = most_cuts(data, gaps, max_cuts, max_values)
    codes, arity = data.codes.copy(), data.arity.astype(np.int64)
    cuts: list = []
    wide = []
    for feature, numbers in enumerate(data.values):
        if not data.continuous[feature]:
            cuts.append(None)
            if arity[feature] > max_values:
                wide.append(feature)
                codes[feature], arity[feature] = 0, 1
            continue
        there, tally = present[feature], tallies[feature]
        chosen = there[:-1][: max(gaps[feature], 0)]
        if len(chosen) > most:
            share = np.cumsum(tally[there])[:-1] / tally.sum()
            places = np.searchsorted(share, np.arange(1, most + 1) / (most + 1) - 1e-12)
            chosen = there[np.unique(np.minimum(places, len(there) - 2))]
        after = there[np.searchsorted(there, chosen) + 1] if len(chosen) else chosen
        cuts.append(between(numbers[chosen], numbers[after]))
        known = codes[feature] != MISSING
        codes[feature, known] = np.searchsorted(chosen, codes[feature, known], side="left")
        arity[feature] = len(chosen) + 1
    if wide:
        names = ", ".join(f"{data.feature_names[f]} ({data.arity[f]:,})" for f in wide[:5])
        warnings.warn(
            f"left out, with more than {max_values} values: {names}; group the values, or raise max_values",
            DataWarning,
            stacklevel=4,
        )
    codes, case, part = with_copies(codes, arity, weight)
    ways = "two" if not ((arity > 2) & ~data.continuous).any() else "many"
    return Candidates(
        codes, case, part, arity, np.array(data.continuous), tuple(cuts), bool((gaps[data.continuous] <= most).all()),
        make_questions(arity, data.continuous, ways=ways, costs=costs),
    )  # fmt: skip


def most_cuts(data, gaps, max_cuts, max_values) -> int:
    """Cuts that one feature may have."""
    if max_cuts != "auto":
        return int(max_cuts)
    numbers = np.sort(gaps[data.continuous])
    left = MOST_TESTS - int(data.arity[~data.continuous & (data.arity <= max_values)].sum())
    most = 1
    each = 2 if (data.arity[~data.continuous] > 2).any() else 1  # literals of a cut
    while len(numbers) and each * np.minimum(numbers, most + 1).sum() <= left and most < numbers[-1]:
        most += 1
    return most


def between(low, high):
    """Midpoints that neither overflow nor reach the upper value."""
    with np.errstate(over="ignore"):
        middle = np.where(np.isfinite(low + high), (low + high) / 2, low / 2 + high / 2)
    return np.where(middle >= high, low, middle)


def with_copies(codes, arity, weight):
    """The same without missing cells; the case behind each copy and its part of the case's weight."""
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
            points = ((number + 2 * order) % COPIES + 0.5) / COPIES  # a second missing cell goes through them otherwise
            found = np.searchsorted(np.cumsum(tally) / tally.sum(), points, side="left")
            column[len(whole) :][gone] = np.minimum(found, values - 1)[gone]
            order += gone
    return codes, case, part


def to_plain_tree(found, candidates: Candidates, data: Dataset, cases: float) -> Tree:
    """A `BlendedTree` as a `Tree` over the features of the table; counts are what data and prior expect."""
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
