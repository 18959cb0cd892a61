"""Decision tables: random ones as in the paper, and real ones from encoded data sets."""

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.names import MEANINGS
from pinetum.randomness import stream


class Unsuitable(ValueError):
    """A data set that is no decision table: numbers, missing cells, equal rows with different
    decisions.
    """


def random_table(seed, index, *, rows, attributes, values, decisions, study="tables"):
    """One table as int8 (rows, attributes + 1), the decision last; equal rows still in it.

    Every table has a stream of its own, so a result depends neither on shards nor on what else
    runs.
    """
    rng = stream(seed, "greedy_dp", study, index)
    table = np.empty((rows, attributes + 1), dtype=np.int8)
    table[:, :-1] = rng.integers(0, values, size=(rows, attributes), dtype=np.int8)
    table[:, -1] = rng.integers(0, decisions, size=rows, dtype=np.int8)
    return table


@dataclass(frozen=True, eq=False)
class DecisionTable:
    """Pairwise different rows, the decisions that answer each, and what trees for them cost.

    codes        int32 (attributes, rows)
    answers      bool (decisions, rows): the decisions that are right for a row
    arity        int32 (attributes,)
    votes        int64 (rows, decisions): the cases that went into a row
    weight       int64 (rows,): what a row counts in the path length and in errors
    price        int64 (attributes,): what a test of an attribute costs
    alpha_rows   weight that a terminal node may answer wrongly ...
    alpha_share  ... beside this share of its weight
    merged       cases that went into another, equal one
    conflicts    groups of equal cases that had different decisions
    groups       for the meaning `all`: the decisions of each new decision, else None
    scale        the user's weights are these integers divided by it
    feature      int32 (attributes,): the data set's feature that an attribute tests; None: each its
                 own
    cut          int32 (attributes,): rank codes up to it go left, where a number is tested; -1:
                 every value a branch
    """

    codes: np.ndarray
    answers: np.ndarray
    arity: np.ndarray
    votes: np.ndarray
    weight: np.ndarray
    price: np.ndarray
    alpha_rows: int = 0
    alpha_share: Fraction = Fraction(0)
    merged: int = 0
    conflicts: int = 0
    groups: tuple | None = None
    scale: int = 1
    feature: np.ndarray | None = None
    cut: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        return self.codes.shape[1]

    @property
    def n_attributes(self) -> int:
        return self.codes.shape[0]

    @property
    def n_decisions(self) -> int:
        return len(self.answers)

    @property
    def decisions(self) -> np.ndarray:
        """The first decision that is right for each row."""
        return self.answers.argmax(axis=0).astype(np.int32)

    @property
    def single(self) -> bool:
        """Has every row one decision?"""
        return bool((self.answers.sum(axis=0) == 1).all())

    @property
    def exact(self) -> bool:
        """May no terminal node be wrong?"""
        return self.alpha_rows == 0 and self.alpha_share == 0

    @property
    def plain(self) -> bool:
        """As in the paper: one decision a row, weights and prices one, nothing wrong."""
        return (
            self.single
            and self.exact
            and bool((self.weight == 1).all() and (self.price == 1).all())
        )

    @property
    def first(self) -> np.ndarray:
        """Where each attribute's values begin when all are numbered through."""
        return np.concatenate([[0], np.cumsum(self.arity)]).astype(np.int64)

    def is_leaf(self, rows) -> bool:
        """Can the rows (indices) share a terminal node?"""
        answered = self.answers[:, rows] @ self.weight[rows]
        total = int(self.weight[rows].sum())
        return self.may_answer_wrongly(total - int(answered.max()), total)

    def may_answer_wrongly(self, wrong, total) -> bool:
        """May a terminal node answer so much of a total weight wrongly?"""
        share = self.alpha_share
        return (wrong - self.alpha_rows) * share.denominator <= share.numerator * total

    def decision_of(self, rows) -> int:
        """The decision of a terminal node: right for most weight, then for most cases, then the
        first.
        """
        answered = self.answers[:, rows] @ self.weight[rows]
        votes = (
            self.votes[rows].sum(axis=0)
            if self.groups is None
            else np.zeros(self.n_decisions, dtype=np.int64)
        )
        return int(np.lexsort((-votes, -answered))[0])


def decision_table(
    codes,
    decisions,
    *,
    arity=None,
    n_decisions=None,
    inconsistent="most_common",
    weights=None,
    prices=None,
    alpha_rows=0,
    alpha_share=0,
) -> DecisionTable:
    """A decision table from codes; equal rows are merged.

    Parameters
    ----------
    codes : array of int, (attributes, cases)
    decisions : array of int, (cases,)
    arity : values of each attribute; from the codes if None
    n_decisions : number of decisions; from the data if None
    inconsistent : {"most_common", "any", "all", "refuse"}
        What equal rows with different decisions mean, see MEANINGS.
    weights : None, "cases" or array (cases,)
        What a row counts in the path length and in `alpha`: one each, its number of cases, or the
        sum of the given weights (integers, or probabilities with a common denominator up to a
        million).
    prices : None or array (attributes,)
        What testing an attribute costs, whole numbers; one each if None.
    alpha_rows, alpha_share : what a terminal node may answer wrongly, as weight and as share of its
    weight

    Returns
    -------
    DecisionTable

    Examples
    --------
    >>> table = decision_table([[0, 0, 1, 1], [0, 0, 0, 1]], [0, 1, 1, 0], inconsistent="any")
    >>> table.n_rows, table.conflicts, table.answers[:, 0].tolist()
    (3, 1, [True, True])
    """
    codes = np.asarray(codes, dtype=np.int32)
    decisions = np.asarray(decisions, dtype=np.int32)
    if inconsistent not in MEANINGS:
        raise ValueError(f"inconsistent is {inconsistent!r}; allowed are {', '.join(MEANINGS)}")
    if len(decisions) == 0:
        raise Unsuitable("a table without rows")
    if codes.ndim != 2 or codes.shape[0] == 0 or codes.shape[1] != len(decisions):
        raise ValueError(
            f"codes are {codes.shape}, decisions {decisions.shape}: (attributes, cases) and"
            " (cases,) wanted"
        )
    if codes.min() < 0 or decisions.min() < 0:
        raise ValueError(
            "codes and decisions count from 0; give missing cells a value of their own"
        )
    n_decisions = int(decisions.max()) + 1 if n_decisions is None else n_decisions
    arity = codes.max(axis=1) + 1 if arity is None else np.asarray(arity)
    first_case, place = group_equal(codes, arity)
    n = len(first_case)
    votes = np.zeros((n, n_decisions), dtype=np.int64)
    np.add.at(votes, (place, decisions), 1)
    conflicts = int(np.count_nonzero((votes > 0).sum(axis=1) > 1))
    if conflicts and inconsistent == "refuse":
        raise Unsuitable(f"{conflicts} groups of equal rows have different decisions")
    groups = None
    if inconsistent == "any":
        answers = votes.T > 0
    elif inconsistent == "all" and conflicts:
        sets, kind = np.unique(votes > 0, axis=0, return_inverse=True)
        order = sorted(range(len(sets)), key=lambda s: np.flatnonzero(sets[s]).tolist())
        groups = tuple(tuple(np.flatnonzero(sets[s]).tolist()) for s in order)
        answers = kind.ravel() == np.array(order)[:, None]
    else:
        answers = votes.argmax(axis=1) == np.arange(n_decisions)[:, None]
    weight, weight_scale = row_weights(weights, place, n)
    price, price_scale = whole_numbers(prices, codes.shape[0], "prices")
    if price_scale > 1:
        raise ValueError("prices are whole numbers; multiply them by a common factor")
    if weight.min() < 1:
        raise ValueError("weights are positive; leave out the cases that have none")
    if alpha_rows < 0 or not 0 <= alpha_share < 1:
        raise ValueError(
            f"alpha_rows is {alpha_rows}, alpha_share {alpha_share}; >= 0 and in [0, 1) wanted"
        )
    total, share = int(weight.sum()), Fraction(alpha_share).limit_denominator(10**6)
    # Kernels add up three such products at most, in 63 bits.
    if total * share.denominator >= 1 << 61:
        raise ValueError(
            f"weights are too large for alpha_share = {alpha_share}; divide them by a common"
            " factor, or take a share with a smaller denominator"
        )
    return DecisionTable(
        codes=np.ascontiguousarray(codes[:, first_case]),
        answers=np.ascontiguousarray(answers),
        arity=np.asarray(arity, dtype=np.int32),
        votes=votes,
        weight=weight,
        price=price,
        alpha_rows=min(int(np.floor(alpha_rows * weight_scale)), total),
        alpha_share=share,
        merged=len(decisions) - n,
        conflicts=conflicts,
        groups=groups,
        scale=weight_scale,
    )


def group_equal(codes, arity):
    """(one case of each group of equal rows, group of each case).

    Groups in the order of their codes.
    """
    keys, room = [], 1
    for code, values in zip(
        codes, arity, strict=True
    ):  # as many columns as fit into a word make one key
        if not keys or room * int(values) >= 2**62:
            keys.append(code.astype(np.int64))
            room = int(values)
        else:
            keys[-1] = keys[-1] * int(values) + code
            room *= int(values)
    order = np.lexsort(keys[::-1])
    new = np.ones(len(order), dtype=bool)
    new[1:] = np.any([key[order[1:]] != key[order[:-1]] for key in keys], axis=0)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.cumsum(new) - 1
    return order[new], place


def row_weights(weights, place, n):
    if weights is None:
        return np.ones(n, dtype=np.int64), 1
    if isinstance(weights, str):
        if weights != "cases":
            raise ValueError(f"weights is {weights!r}; None, 'cases' or an array wanted")
        return np.bincount(place, minlength=n).astype(np.int64), 1
    whole, scale = whole_numbers(weights, len(place), "weights")
    return np.bincount(place, whole, minlength=n).astype(np.int64), scale


def whole_numbers(values, n, name):
    """(integers, scale): the values times the least factor up to a million that makes them
    whole.
    """
    if values is None:
        return np.ones(n, dtype=np.int64), 1
    values = np.asarray(values, dtype=np.float64)
    if values.shape != (n,) or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError(f"{name} are {n} numbers that are not negative; got shape {values.shape}")
    scale = 1
    for value in np.unique(values):
        scale = np.lcm(scale, Fraction(value).limit_denominator(10**6).denominator)
        if scale > 10**6:
            break
    whole = np.rint(values * scale)
    if (
        scale > 10**6
        or np.abs(whole - values * scale).max(initial=0.0) > 1e-6
        or whole.max(initial=0.0) > 2**40
    ):
        raise ValueError(
            f"{name} have no common denominator up to a million; multiply and round them to"
            " integers"
        )
    return whole.astype(np.int64), int(scale)


def chosen_ranks(ranks, most):
    """Ranks after which a threshold stands: between all neighbours, or `most` that part the cases
    evenly.
    """
    present, counts = np.unique(ranks[ranks != MISSING], return_counts=True)
    if most is None or len(present) - 1 <= most:
        return present[:-1]
    below = np.cumsum(counts)[:-1]
    wanted = np.arange(1, most + 1) * counts.sum() / (most + 1)
    return present[np.unique(np.abs(below[:, None] - wanted).argmin(axis=0))]


MOST_BYTES = 2_000_000_000  # of a table with its sets of rows


def check_memory(dataset, thresholds):
    """Refuse, before anything is allocated, a table that would take more than `MOST_BYTES`."""
    most = dataset.n_cases if thresholds is None else thresholds
    arity = dataset.arity.astype(np.int64)
    tests = np.where(dataset.continuous, np.clip(arity - 1, 0, most), 1)
    sets = np.where(dataset.continuous, 2 * tests, arity + 1)
    bytes_of = dataset.n_cases * (16 * tests + sets)
    if bytes_of.sum() > MOST_BYTES:
        widest = int(bytes_of.argmax())
        name, cure = dataset.feature_names[widest], "leave it out or group its values"
        kind = "values" if not dataset.continuous[widest] else "thresholds"
        raise MemoryError(
            f"{tests.sum():,} tests on {dataset.n_cases:,} cases would take"
            f" {bytes_of.sum() / 1e9:.1f} GB, at most {MOST_BYTES / 1e9:.0f}; {name} has"
            f" {sets[widest] if kind == 'values' else tests[widest]:,} {kind}:"
            f" {cure if kind == 'values' else 'give fewer `thresholds`'}"
        )


def from_dataset(
    dataset: Dataset, *, missing="refuse", numbers="refuse", thresholds=None, **options
) -> DecisionTable:
    """The decision table of a data set; codes of discrete features keep their meaning.

    Parameters
    ----------
    dataset : Dataset
    missing : {"refuse", "value"}
        Whether a missing cell is a fault, or one more value of a discrete feature (the last) and
        less than all numbers of another.
    numbers : {"refuse", "thresholds"}
        Whether a number is a fault, or an attribute of two values for each threshold between
        neighbouring numbers.
    thresholds : int, optional
        Most thresholds of a feature, spread evenly over its cases; all if None. Cases that no
        threshold tells apart are equal rows.
    options : see decision_table; `prices` are per feature
    """
    if missing not in ("refuse", "value"):
        raise ValueError(f"missing is {missing!r}; allowed are refuse, value")
    if numbers not in ("refuse", "thresholds"):
        raise ValueError(f"numbers is {numbers!r}; allowed are refuse, thresholds")
    if dataset.continuous.any() and numbers == "refuse":
        first = dataset.feature_names[int(np.argmax(dataset.continuous))]
        raise Unsuitable(f"{int(dataset.continuous.sum())} numeric features, the first is {first}")
    check_memory(dataset, thresholds)
    absent = dataset.codes == MISSING
    if absent.any() and missing == "refuse":
        raise Unsuitable(f"{int(absent.sum())} missing cells")
    codes, arity, feature, cut = [], [], [], []
    for f in range(dataset.n_features):
        if dataset.continuous[f]:
            present = chosen_ranks(dataset.codes[f], thresholds)
            codes.append((dataset.codes[f] > present[:, None]).astype(np.int32))
            arity += [2] * len(present)
            cut += present.tolist()
            feature += [f] * len(present)
        else:
            more = int(absent[f].any())
            codes.append(np.where(absent[f], dataset.arity[f], dataset.codes[f])[None])
            arity.append(max(1, int(dataset.arity[f]) + more))
            cut.append(-1)
            feature.append(f)
    if not arity:  # nothing to test
        codes, arity, feature, cut = (
            [np.zeros((1, dataset.n_cases), dtype=np.int32)],
            [1],
            [0],
            [-1],
        )
    if options.get("prices") is not None:
        options["prices"] = np.asarray(options["prices"], dtype=np.float64)[feature]
    table = decision_table(
        np.concatenate(codes),
        dataset.labels,
        arity=np.array(arity),
        n_decisions=dataset.n_classes,
        **options,
    )
    return replace(
        table, feature=np.array(feature, dtype=np.int32), cut=np.array(cut, dtype=np.int32)
    )
