"""A table as the search between data and prior takes it: candidate cuts, values, and shares of
missing cells.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataWarning
from pinetum.nbdt.kernels.cases import replace_codes, tally_codes
from pinetum.nbdt.questions import Questions, make_questions
from pinetum.trees import Tree

MOST_TESTS = 256  # of all features together, when the number of cuts is left to us
COPIES = 5  # of a case with missing cells, each with its part of the weight


@dataclass(frozen=True, eq=False)
class Candidates:
    """Coded cases and tests.

    codes      int32 (features, copies of cases), no cell missing: values, or intervals between
               candidate cuts
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
        bool((gaps[continuous] <= most).all()),
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
