"""The one place where a tree is grown."""

import numpy as np

from pinetum.constants import MISSING, MOST_CASES, WEIGHT_UNIT
from pinetum.data.dataset import Dataset
from pinetum.induction.kernels import grow as grow_kernels
from pinetum.induction.kernels.bundles import (
    BRANCH,
    FOUND,
    NOW,
    OPEN,
    PART,
    Desk,
    Listed,
    Parting,
    Rows,
    Sample,
    Table,
    Tally,
    Waiting,
)
from pinetum.induction.kernels.cuts import Scan
from pinetum.induction.kernels.grow import NO_ROOM_FOR_ENTRIES, NO_ROOM_TO_WAIT, PAUSED
from pinetum.induction.kernels.nodes import FULL, new_nodes
from pinetum.induction.kernels.presort import codes_present
from pinetum.induction.kernels.quality import Rules
from pinetum.induction.options import Options
from pinetum.induction.table import presort
from pinetum.parameters import positions
from pinetum.trees.tree import Tree

# of the nodes of a tree with branches for values; without them it has two a case at most
MOST_BYTES = 300_000_000
BYTES_OF_NODE = 36  # and 8 for each class
STRETCH = 10_000_000  # entries that a call looks at: a tenth of a second or so


def table_of(data: Dataset) -> Table:
    """The kernel's view of a data set; columns are ordered once, however many growers ask."""
    kept = data.__dict__.get("_table")
    if kept is None:
        kept = data.__dict__["_table"] = presort(
            data
        )  # as functools.cached_property does on a frozen class
    return kept


def training_codes(table: Table, cases: np.ndarray) -> np.ndarray:
    """Per rank code of every continuous feature the largest code not above it that one of the cases
    has.
    """
    present = np.empty(len(table.values), dtype=np.int32)
    codes_present(table.codes, table.order_row, table.value_start, cases, present)
    return present


def close_features(table: Table, gap: float) -> np.ndarray:
    """1 for features with neighbouring values that differ by no more than `gap`."""
    close = np.zeros(len(table.arity), dtype=np.uint8)
    for feature in np.flatnonzero(table.continuous) if gap > 0 else ():
        values = table.values[table.value_start[feature] : table.value_start[feature + 1]]
        close[feature] = not (values[:-1] < values[1:] - gap).all()
    return close


def new_desk(table: Table, n_cases: int, entries: int, waiting: int) -> Desk:
    """Room to grow from up to `n_cases` cases of a table.

    `entries` and `waiting` are guesses: `grow` says where they do not do. Untouched pages cost no
    memory.
    """
    n_table, rows, classes = table.codes.shape[1], len(table.order), table.n_classes
    widest = max(2, int(table.arity[~table.continuous].max(initial=0)))
    waiting = max(waiting, widest + 2)
    return Desk(
        rows=Rows(
            entries=np.empty((rows, entries), dtype=np.int64),
            begins=np.empty((waiting, rows), dtype=np.int64),
            ends=np.empty(rows, dtype=np.int64),
        ),
        listed=Listed(np.empty(entries, dtype=np.int64), np.empty(entries, dtype=np.int64)),
        waiting=Waiting(np.zeros(waiting, BRANCH), np.empty((waiting, classes), dtype=np.int64)),
        open=np.zeros(waiting, OPEN),
        scan=new_scan(n_cases, n_table, classes, table.nlogn),
        tally=new_tally(widest, classes),
        found=np.zeros(len(table.arity), FOUND),
        tops=np.empty(1, dtype=np.int64),
        parting=Parting(
            part=np.zeros(widest, PART),
            counts=np.empty((widest, classes), dtype=np.int64),
            mark=np.empty(n_table, dtype=np.uint8),
            branch=np.empty(n_table, dtype=np.int32),
            buffer=np.empty(entries + 1, dtype=np.int64),
            weight_buffer=np.empty(entries + 1, dtype=np.int64),
        ),
        active=np.empty(len(table.arity), dtype=np.int64),
        now=np.zeros(1, NOW),
    )


def new_scan(n_cases: int, n_table: int, classes: int, nlogn: np.ndarray) -> Scan:
    """Room to scan nodes of up to `n_cases` of `n_table` cases.

    `sizes` counts the whole cases below a cut, `steps` has one a case, and one more a class where
    these are two.
    """
    by_class = np.empty((5, classes), dtype=np.int64)
    return Scan(  # type: ignore[misc]  # mypy cannot count the rows
        *by_class,
        sizes=np.empty(n_cases + 1, dtype=np.int64),
        steps=np.empty(n_cases + max(classes, 2), dtype=np.int64),
        weight_of=np.empty(n_table, dtype=np.int64),
        nlogn=nlogn,
    )


def new_tally(widest: int, classes: int) -> Tally:
    """Room to count discrete features of up to `widest` values."""
    return Tally(
        histogram=np.empty((widest + 1, classes), dtype=np.int64),
        number=np.empty(widest, dtype=np.int64),
        value_of=np.empty(widest, dtype=np.int64),
    )


MOST_ROUNDED = 1e-3  # of all weights together that rounding may change


def distinct_cases(data: Dataset, cases, weights) -> tuple[np.ndarray, np.ndarray | None]:
    """Chosen cases in ascending order, each once, and what each weighs in 1 / WEIGHT_UNIT (None:
    all the same).
    """
    chosen = np.arange(data.n_cases, dtype=np.int32) if cases is None else np.asarray(cases)
    if len(chosen) and not 0 <= chosen.min() <= chosen.max() < data.n_cases:
        raise ValueError(
            f"{data.name}: cases go from 0 to {data.n_cases - 1}, got {chosen.min()} to"
            f" {chosen.max()}"
        )
    chosen = np.ascontiguousarray(chosen, dtype=np.int32)
    if weights is None and (chosen[1:] > chosen[:-1]).all():  # the usual case; nothing is copied
        return chosen, None
    found, place, times = np.unique(chosen, return_inverse=True, return_counts=True)
    if weights is None:  # a case drawn twice, as in a bootstrap sample, weighs two
        return found, times * WEIGHT_UNIT if (times > 1).any() else None
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != chosen.shape or not np.all(np.isfinite(weights)) or (weights < 0).any():
        raise ValueError("weights: expected one finite number >= 0 per case")
    units = weights * WEIGHT_UNIT
    if not units.sum() <= MOST_CASES * WEIGHT_UNIT:
        raise ValueError(
            "weights: too large to be added up exactly; divide all of them by a number"
        )
    rounded = np.rint(units)
    if np.abs(rounded - units).sum() > MOST_ROUNDED * units.sum():
        raise ValueError(
            "weights: too small, as they are rounded to 2^-20 of a case; multiply all of them by a"
            " number"
        )
    return found, np.bincount(place, rounded, len(found))


def exact_units(units) -> np.ndarray:
    """Weights in 1 / WEIGHT_UNIT as whole numbers that can be shared out and added up exactly."""
    whole = units.astype(np.int64)
    heaviest, total = int(whole.max(initial=0)), int(whole.sum())
    # Masses must fit 63 bits, and so must the product that shares out a case with a missing value.
    if total > MOST_CASES * WEIGHT_UNIT or heaviest * total >= 1 << 63:
        raise ValueError("weights: too large to be added up exactly; scale them down")
    return whole


def too_many_parts(data: Dataset, cases: int) -> str:
    return f"{data.name}: {cases:,} cases with weights or missing values; at most {MOST_CASES:,}"


def check_nodes(data: Dataset, nodes: int) -> None:
    """Refuse, before anything is allocated, trees that would take more than `MOST_BYTES`."""
    most = MOST_BYTES // (BYTES_OF_NODE + 8 * data.n_classes)
    if nodes <= most:
        return
    discrete = np.where(data.continuous, 0, data.arity)
    widest = int(discrete.argmax())
    name, values = data.feature_names[widest], discrete[widest]
    cause = f"; {name} has {values:,} values: group them or leave it out, or" if values > 2 else ":"
    raise MemoryError(
        f"{data.name}: a tree would have more than {most:,} nodes{cause} raise min_cases"
    )


class Grower:
    """Grows trees from one selection of cases, with any selection of features.

    data      the encoded table
    options   an Options, e.g. `yadt(min_cases=2)` or `c45()`
    cases     indices of the training cases (all of them when None); one given twice weighs two
    weights   weight per chosen case, in cases; rounded to 1 / WEIGHT_UNIT
    """

    def __init__(self, data: Dataset, options: Options | None = None, *, cases=None, weights=None):
        self.data = data
        self.options = Options() if options is None else options
        self.table = table_of(data)
        self.cases, units = distinct_cases(data, cases, weights)
        self.weights = None
        if units is not None:
            self._weigh(units)
        if len(self.cases) == 0:
            raise ValueError(f"{data.name}: no case to grow a tree from")
        self.lacks = self.table.lacking.copy()
        if len(self.cases) < data.n_cases:
            for feature in np.flatnonzero(self.lacks):
                self.lacks[feature] = (data.codes[feature][self.cases] == MISSING).any()
        exact = self.options.training_thresholds
        self.present = (
            training_codes(self.table, self.cases) if exact else np.empty(0, dtype=np.int32)
        )
        # A case with a missing value goes down several branches: the rows are longer than the cases
        # are many.
        entries = len(self.cases) + (len(self.cases) // 8 + 64 if self.lacks.any() else 0)
        waiting = 64 if len(self.cases) < 2000 else 512
        self.close = close_features(self.table, self.options.min_gap)
        self.desk = new_desk(self.table, len(self.cases), entries, waiting)
        capacity = 2 * len(self.cases) + 64
        self.nodes = new_nodes(capacity, data.n_classes, capacity)

    def _weigh(self, units):
        """Keep the cases that weigh something; `units` in 1 / WEIGHT_UNIT cases."""
        rounded = exact_units(units)
        self.cases, rounded = self.cases[rounded > 0], rounded[rounded > 0]
        self.weights = None if (rounded == WEIGHT_UNIT).all() else rounded

    def _offered(self, features) -> np.ndarray:
        if features is None:
            return np.arange(self.data.n_features, dtype=np.int32)
        offered = np.unique(np.asarray(features))
        fine = not len(offered) or (
            offered.dtype.kind in "iu" and 0 <= offered[0] <= offered[-1] < self.data.n_features
        )
        if (
            not fine
        ):  # asked for here, since small trees are grown faster than all positions are looked at
            positions(offered, self.data.n_features, "features")
        return offered.astype(np.int32)

    def is_whole(self, offered) -> bool:
        """Whether the fast path serves: every case counts once and lacks no value."""
        return self.weights is None and not self.lacks[offered].any()

    def case_weights(self) -> np.ndarray:
        if self.weights is not None:
            return self.weights
        return np.full(len(self.cases), WEIGHT_UNIT, dtype=np.int64)

    def grow_nodes(self, features=None) -> int:
        """Grow into `self.nodes`; gives the number of nodes. For those who stay with arrays."""
        offered = self._offered(features)
        whole = self.is_whole(offered)
        weights = np.empty(0, dtype=np.int64) if whole else self.case_weights()
        sample = Sample(offered, self.cases, weights, self.present, self.close)
        fixed = self.table, *self._rules(whole), sample
        return self._with_room(
            lambda resume: grow_kernels.grow(*fixed, self.nodes, self.desk, resume, STRETCH)
        )

    def _rules(self, whole: bool) -> tuple[Rules, Rules]:
        """For weights of any kind (all of one case: `whole`), and for nodes whose cases weigh one
        each.
        """
        if not whole and len(self.cases) > MOST_CASES:
            raise ValueError(too_many_parts(self.data, len(self.cases)))
        in_cases = self.options.rules(1)
        return in_cases if whole else self.options.rules(), in_cases

    def grow(self, features=None) -> Tree:
        """The tree on the given features (indices; all of them when None)."""
        return self.tree(self.grow_nodes(features))

    def _with_room(self, grow) -> int:
        """What `grow` gives, called again with more room as long as it says that there is too
        little, or to go on: Python answers Ctrl-C in between.
        """
        resume = False
        while (count := grow(resume)) < 0:
            resume = count == PAUSED
            entries, waiting = len(self.desk.listed.cases), len(self.desk.open)
            if count == FULL:
                capacity = 2 * len(self.nodes.feature)
                check_nodes(self.data, capacity)
                self.nodes = new_nodes(capacity, self.data.n_classes, capacity)
            elif count != PAUSED:
                entries *= 1 + (count == NO_ROOM_FOR_ENTRIES)
                waiting *= 1 + (count == NO_ROOM_TO_WAIT)
                del self.desk  # before as much again is taken
                self.desk = new_desk(self.table, len(self.cases), entries, waiting)
        return count

    def tree(self, count: int) -> Tree:
        """The first `count` nodes of `self.nodes` as a Tree."""
        nodes, data = self.nodes, self.data
        return Tree(
            feature=nodes.feature[:count].copy(),
            threshold=nodes.threshold[:count].copy(),
            cut=nodes.cut[:count].copy(),
            child_start=nodes.child_start[: count + 1].copy(),
            children=nodes.children[: nodes.child_start[count]].copy(),
            counts=nodes.counts[:count] / WEIGHT_UNIT,
            label=nodes.label[:count].copy(),
            feature_names=data.feature_names,
            class_names=data.class_names,
            values=tuple(
                None if c else v for c, v in zip(data.continuous, data.values, strict=True)
            ),
        )
