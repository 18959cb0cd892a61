"""Sequential backward elimination of features (SBE) and its white-box forms (PSBE), section 5 of
the paper.

`select` runs one of four ways on the building and the search cases of a data set. All of them give
the same features, in the same order of removal, with the same search errors.
"""

import time
from dataclasses import dataclass, field

import numpy as np

from pinetum.constants import MOST_CASES
from pinetum.data.dataset import Dataset
from pinetum.elimination.kernels import eliminate as kernels
from pinetum.elimination.kernels.bundles import (
    ASK,
    COUNTER,
    DONE,
    LIE,
    NODE,
    NOW,
    PART,
    SPLIT,
    TOP,
    TREE_NODE,
    Ordering,
    Scratch,
    Search,
    Store,
    Table,
    Votes,
    Walk,
)
from pinetum.induction.grower import new_scan, new_tally
from pinetum.induction.kernels.bundles import FOUND, Features, Listed, Rows
from pinetum.induction.kernels.quality import nlogn_table
from pinetum.induction.options import Options, yadt
from pinetum.induction.table import bits_of_entries

WAYS = {
    "black box": kernels.BLACK_BOX,
    "used only": kernels.USED_ONLY,
    "incremental": kernels.INCREMENTAL,
    "bounded": kernels.BOUNDED,
}
PLACES = 8  # features that a remembered node keeps in order
COLUMNS_PER_CASE = 200  # of presorted entries, if there is memory
BYTES_PER_RECORD = 220  # a guess that shares the memory out between nodes and their cases


@dataclass(frozen=True)
class Elimination:
    """What an elimination did. Search errors are numbers of cases."""

    selected: np.ndarray  # bool (features,)
    removed: np.ndarray  # features in the order they went
    errors: np.ndarray  # search errors of the top tree, then after each removal
    seconds: float  # CPU seconds of the kernel
    counters: dict = field(repr=False)

    @property
    def rounds(self) -> int:
        return len(self.removed) + 1


class Workspace:
    """Room for the records of one data set's trees, used again by every fold.

    `megabytes` bounds the memory; a full store is emptied and the work goes on. Pages that are
    never touched cost nothing.
    """

    def __init__(self, data: Dataset, megabytes: int = 1000):
        n, features, classes = data.n_cases, data.n_features, data.n_classes
        if n > MOST_CASES:
            raise ValueError(f"{data.name}: {n:,} cases; at most {MOST_CASES:,} can be taken")
        self.shape = (n, features, classes)
        self.weighted = data.n_missing > 0
        self.case_bits, self.class_bits = bits_of_entries(n, classes)
        if self.class_bits + self.case_bits + int(data.arity.max(initial=0)).bit_length() > 63:
            raise ValueError(
                f"{data.name}: {classes:,} classes are too many for as many cases and values"
            )
        discrete = np.where(data.continuous, 0, data.arity)
        rows = int(np.count_nonzero(data.continuous))
        branches = max(2, int(discrete.max(initial=0)))
        words = (features + 63) // 64
        record_bytes = BYTES_PER_RECORD + 8 * classes + 8 * words + 20 * PLACES
        entry_bytes = 12 if self.weighted else 4
        budget = megabytes * 1_000_000
        # Records, cases and children are guesses: walks say where they are full. What else is as
        # long as the cases takes those of one node, each of which is there once. A record is the
        # child of one other, so that a walk meets it once: the nodes of a tree and those that wait
        # are no more than the records.
        records = max(1000, int(0.3 * budget / record_bytes))
        entries = max(40 * n, int(0.3 * budget / entry_bytes))
        searched = max(40 * n, int(0.2 * budget / entry_bytes))
        columns = min(int(0.2 * budget / (8 * max(rows, 1))), COLUMNS_PER_CASE * (n + 1))
        weights = entries if self.weighted else 0
        search_weights = searched if self.weighted else 0
        self.store = Store(
            top=np.zeros(1, TOP),
            node=np.empty(records, NODE),
            split=np.empty((records, PLACES), SPLIT),
            counts=np.empty((records, classes), dtype=np.int64),
            alive=np.empty((records, words), dtype=np.int64),
            cases=np.empty(entries, dtype=np.int32),
            weights=np.empty(weights, dtype=np.int64),
            search=np.empty(searched, dtype=np.int32),
            search_weights=np.empty(search_weights, dtype=np.float64),
            children=np.empty(records + branches, dtype=np.int64),
        )
        self.scratch = Scratch(
            rows=Rows(
                entries=np.empty((rows, columns), dtype=np.int64),
                begins=np.zeros((1, max(rows, 1)), dtype=np.int64),
                ends=np.zeros(max(rows, 1), dtype=np.int64),
            ),
            line=np.empty((1, n + 1), dtype=np.int64),
            lie=np.zeros(1, LIE),
            listed=Listed(np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)),
            number=np.empty(classes, dtype=np.int64),
            scan=new_scan(n, n, classes, nlogn_table(n)),
            tally=new_tally(branches, classes),
            ordering=Ordering(
                mark=np.zeros(n, dtype=np.uint8),
                count=np.empty(int(data.arity.max(initial=0)) + 1, dtype=np.int64),
                spare=np.empty(n, dtype=np.int64),
            ),
            active=np.empty(features, dtype=np.int64),
            single=np.empty(1, dtype=np.int64),
            found=np.zeros(features, FOUND),
            tops=np.empty(PLACES, dtype=np.int64),
            quality=np.empty(PLACES, dtype=np.int64),
            no_codes=np.empty(0, dtype=np.int32),
            part=np.zeros(branches, PART),
            totals=np.zeros(branches),
        )
        votes = n if self.weighted else 0
        self.walk = Walk(
            node=np.empty(records, TREE_NODE),
            head=np.empty(features, dtype=np.int64),
            stack=np.empty(records, dtype=np.int64),
            above=np.empty(records, dtype=np.int64),
            is_wrong=np.zeros(n, dtype=np.uint8),
            votes=Votes(
                votes=np.zeros((votes, classes), dtype=np.int64),
                parts=np.zeros(votes, dtype=np.int64),
                new_votes=np.zeros((votes, classes), dtype=np.int64),
                new_parts=np.zeros(votes, dtype=np.int64),
                stamp=np.zeros(n, dtype=np.int64),
                touched=np.empty(n, dtype=np.int64),
                counter=np.zeros(1, COUNTER),
            ),
        )

    def table(self, data: Dataset, building, search) -> Table:
        """The building and the search cases as arrays for the kernels."""
        continuous = np.asarray(data.continuous, dtype=bool)
        lengths = np.where(continuous, data.arity, 0)
        pieces = [
            np.asarray(v, dtype=np.float64)
            for v, c in zip(data.values, continuous, strict=True)
            if c
        ]
        features = Features(
            codes=take(data.codes, building),
            arity=np.ascontiguousarray(data.arity, dtype=np.int32),
            row=np.where(continuous, np.cumsum(continuous) - 1, -1).astype(np.int32),
            values=np.concatenate(pieces) if pieces else np.empty(0),
            value_start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            close=np.zeros(data.n_features, dtype=np.uint8),
            class_bits=self.class_bits,
            case_bits=self.case_bits,
        )
        return Table(
            features=features,
            labels=np.ascontiguousarray(data.labels[building], dtype=np.int32),
            search_codes=take(data.codes, search),
            search_labels=np.ascontiguousarray(data.labels[search], dtype=np.int32),
            continuous=continuous.astype(np.uint8),
            alone=np.where(continuous, 0, -1).astype(np.int32),
            n_discrete=int(np.count_nonzero(~continuous)),
            n_classes=data.n_classes,
        )


def new_search(n_features, offered, places, steps) -> Search:
    """An elimination of up to `steps` of the offered features (all of them when None) before its
    first step.
    """
    chosen = np.ones(n_features) if offered is None else offered
    ask = np.zeros(1, ASK)
    ask["places"] = places
    return Search(
        path=np.empty(steps, dtype=np.int64),
        errors=np.empty(steps, dtype=np.int64),
        counters=np.zeros(6, dtype=np.int64),
        offered=np.array(chosen, dtype=np.uint8),
        used=np.zeros(n_features, dtype=np.uint8),
        used_by_best=np.zeros(n_features, dtype=np.uint8),
        size=np.zeros(n_features, dtype=np.int64),
        stake=np.zeros(n_features, dtype=np.int64),
        order=np.empty(n_features, dtype=np.int64),
        ask=ask,
        saved=np.zeros(1, TOP),
        now=np.zeros(1, NOW),
    )


def rules_of(options: Options):
    """The rules for kernels; refuses what the kernels of the elimination do not know."""
    known = {"min_cases", "min_branch", "min_gain", "penalty", "lowest_class"}
    plain = Options()
    other = [
        name
        for name in vars(plain)
        if name not in known and getattr(options, name) != getattr(plain, name)
    ]
    if other:
        raise ValueError(
            f"options: {', '.join(other)} cannot be set here; only {', '.join(sorted(known))} can"
        )
    return options.rules()


def take(codes, cases):
    return np.ascontiguousarray(codes[:, cases], dtype=np.int32)


def select(
    data: Dataset, building, search, *, way="bounded", options=None, workspace=None, offered=None
) -> Elimination:
    """Eliminate features by trees grown on the `building` cases and judged on the `search` cases.

    way: "bounded" (PSBE with bound and memory), "incremental" (PSBE), "used only" (PSBE without
    incremental growing) or "black box" (SBE). `options`: the rules of the trees, `yadt(2)` when
    None. `offered` (bool per feature) limits the features to start from.
    """
    if way not in WAYS:
        raise ValueError(f"way {way!r}; choose one of {', '.join(map(repr, WAYS))}")
    building, search = checked_cases(data, building, search)
    workspace = workspace or Workspace(data)
    return select_in(
        workspace.table(data, building, search),
        workspace,
        way=way,
        options=options or yadt(2),
        offered=offered,
    )


def select_in(table: Table, workspace: Workspace, *, way, options, offered=None) -> Elimination:
    """The same for a table that is already laid out; only this is inside the clock."""
    n_features = len(table.continuous)
    search = new_search(n_features, offered, PLACES if way == "bounded" else 1, n_features)
    rules, whole_rules = rules_of(options), options.rules(1)
    begun = time.process_time()
    status, steps, top_errors = kernels.eliminate(
        table,
        workspace.store,
        workspace.scratch,
        workspace.walk,
        search,
        WAYS[way],
        rules,
        whole_rules,
    )
    seconds = time.process_time() - begun
    check(status)
    names = ("rounds", "trees", "stopped", "skipped", "rankings", "resets")
    return Elimination(
        selected=search.offered.astype(bool),
        removed=search.path[:steps].copy(),
        errors=np.concatenate([[top_errors], search.errors[:steps]]),
        seconds=seconds,
        counters=dict(zip(names, search.counters.tolist(), strict=True)),
    )


def tree_errors(table: Table, workspace: Workspace, *, options, offered=None) -> int:
    """Errors on the search cases of the tree grown on the building cases from the offered
    features.
    """
    status, _, errors = kernels.eliminate(
        table,
        workspace.store,
        workspace.scratch,
        workspace.walk,
        new_search(len(table.continuous), offered, 1, 0),
        WAYS["black box"],
        rules_of(options),
        options.rules(1),
    )
    check(status)
    return int(errors)


def checked_cases(data, building, search):
    building, search = np.asarray(building, dtype=np.int64), np.asarray(search, dtype=np.int64)
    if data.n_features == 0:
        raise ValueError(f"{data.name}: no features")
    for name, cases in (("building", building), ("search", search)):
        if len(cases) == 0:
            raise ValueError(f"{data.name}: no {name} cases")
        if cases.min() < 0 or cases.max() >= data.n_cases:
            raise ValueError(f"{data.name}: {name} cases must lie in 0..{data.n_cases - 1}")
        if len(np.unique(cases)) < len(cases):
            raise ValueError(f"{data.name}: one of the {name} cases is given twice")
    return building, search


def check(status):
    if status != DONE:
        raise MemoryError("one tree does not fit into the workspace; give it more megabytes")
