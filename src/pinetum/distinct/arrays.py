"""The arrays of an enumeration: the table, the store of records, the frames of the search."""

import numpy as np

from pinetum.constants import MISSING, MOST_CASES, WEIGHT_UNIT
from pinetum.distinct.kernels.ahead import SPLIT, Look
from pinetum.distinct.kernels.ahead import STATE as LOOK_STATE
from pinetum.distinct.kernels.frames import CONTROL, FRAME, NOW, PROBE, Frames, Results
from pinetum.distinct.kernels.records import (
    BRANCH,
    CLOSE,
    CONTINUOUS,
    COUNTERS,
    DISCRETE,
    FOUND,
    SETTINGS,
    Memory,
    Scratch,
    Store,
    Table,
)
from pinetum.distinct.kernels.walk import BRANCHES, Forest, Verdicts
from pinetum.distinct.kernels.walk import STATE as WALK_STATE
from pinetum.distinct.objective import MOST
from pinetum.induction.grower import close_features, table_of, training_codes
from pinetum.induction.kernels.quality import nlogn_table
from pinetum.induction.table import bits_of_entries
from pinetum.randomness import stream

LARGEST_CACHE = 8000  # MB: records are numbered by 32-bit words


def words(n_features):
    return (n_features + 63) // 64


def hash_words(n_cases):
    """Two odd random words per case; the stream is fixed, so digests of trees are the same in every
    run.
    """
    rng = stream(0, "distinct", "content hash")
    return rng.integers(0, 1 << 64, size=(2, n_cases), dtype=np.uint64) | np.uint64(1)


def largest_scatter(codes, arity, continuous):
    """The most cases all branches of a split can hold together: missing values go down each of
    them.
    """
    missing = np.count_nonzero(codes == MISSING, axis=1)
    branches = np.where(continuous, 2, arity)
    return int((codes.shape[1] - missing + missing * branches).max(initial=codes.shape[1]))


def aligned(n):
    """n int64 words, the first at the begin of a line of the processor's cache."""
    room = np.empty(n + 8, dtype=np.int64)
    skip = -(room.ctypes.data // 8) % 8
    return room[skip : skip + n]


def table_for(dataset, options, objective, shared):
    """The building cases of all parts, their search cases, and all that decides a tree and its
    errors.
    """
    parts = objective.parts
    grown = np.concatenate([cases for cases, _ in parts])
    building = grown if len(parts) == 1 else np.flatnonzero(np.bincount(grown))
    search = np.concatenate([cases for _, cases in parts])
    cases = np.concatenate([building, search])
    codes = np.ascontiguousarray(dataset.codes[:, cases])
    weighted = bool((codes == MISSING).any())
    if weighted and len(building) > MOST_CASES:
        raise ValueError(
            f"{dataset.name}: {len(building):,} cases with missing values; at most {MOST_CASES:,}"
        )
    rules = options.rules(WEIGHT_UNIT if weighted else 1)
    lengths = [len(v) if c else 0 for v, c in zip(dataset.values, dataset.continuous, strict=True)]
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    values = np.concatenate(
        [v for v, c in zip(dataset.values, dataset.continuous, strict=True) if c] or [np.empty(0)]
    ).astype(np.float64)
    spread = hash_words(dataset.n_cases + len(search))
    # A search case has other words than the same case as a building case.
    own = np.concatenate([building, dataset.n_cases + np.arange(len(search))])
    present = np.empty(0, dtype=np.int32)
    if options.training_thresholds:
        if len(parts) > 1:
            raise ValueError(
                "training_thresholds: not with several parts, whose trees have other training"
                " values"
            )
        present = training_codes(table_of(dataset), building)
    member, part = members_of(parts, building)
    cost = objective.cost_matrix(dataset.n_classes)
    other = np.where(np.eye(len(cost), dtype=bool), MOST, cost)
    leaf_cost = objective.in_parts(objective.leaf_penalty)
    # What the leaves of one node and its search cases can cost: records hold no larger sums.
    leaves = sum(len(b) for b, _ in parts) * int(max(2, dataset.arity.max(initial=2)))
    worst = int(cost.max(initial=1)) * len(search) + leaf_cost * leaves
    worst += objective.in_parts(objective.feature_penalty) * dataset.n_features
    objective.check_size(worst)
    settings = np.zeros(1, dtype=SETTINGS)
    case_bits, class_bits = bits_of_entries(len(building), dataset.n_classes)
    order, cells = order_of(codes[:, : len(building)], dataset, cases, case_bits, class_bits)
    settings[0] = (
        len(building),
        dataset.n_classes,
        class_bits,
        case_bits,
        words(dataset.n_features + (len(parts) > 1)),
        len(parts),
        weighted,
        shared,
        len(search) > 0,
        objective.costs is not None or objective.unit > 1,
        leaf_cost,
    )
    near = close_features(table_of(dataset), options.min_gap)
    kind = np.where(dataset.continuous, np.where(near, CLOSE, CONTINUOUS), DISCRETE).astype(
        np.uint8
    )
    return Table(
        codes=codes,
        labels=np.ascontiguousarray(dataset.labels[cases]),
        kind=kind,
        arity=dataset.arity,
        values=values,
        value_start=start,
        hashes=np.ascontiguousarray(spread[:, own].T),
        present=present,
        member=member,
        part=part,
        cost=cost,
        least_cost=other.min(axis=1, initial=MOST),
        rules=(rules, options.rules(1)),
        nlogn=nlogn_table(len(building)),
        settings=settings,
        order=order,
        cells=cells,
    )


def order_of(codes, dataset, cases, case_bits, class_bits):
    """The entries of every continuous feature in order, and every case's place there, or its
    code.
    """
    labels = dataset.labels[cases[: codes.shape[1]]].astype(np.int64)
    order, cells = np.zeros(codes.shape, dtype=np.int64), codes.astype(np.int32)
    for feature in np.flatnonzero(dataset.continuous):
        code = codes[feature].astype(np.int64)
        known = np.argsort(code, kind="stable")[np.count_nonzero(code == MISSING) :]
        order[feature, : len(known)] = (
            ((code[known] << case_bits) | known) << class_bits
        ) | labels[known]
        cells[feature, known] = np.arange(len(known))
    return order, cells


def members_of(parts, building):
    """Columns of the building and the search cases of every part, one after the other, and where
    each begins.
    """
    place = np.empty(building.max() + 1, dtype=np.int64)
    place[building] = np.arange(len(building))
    pieces, part, begin, searched = [], [], 0, len(building)
    for cases, search in parts:
        pieces += [place[cases], searched + np.arange(len(search))]
        part.append((begin, begin + len(cases), begin + len(cases) + len(search)))
        begin, searched = part[-1][2], searched + len(search)
    return np.concatenate(pieces).astype(np.int32), np.array(part, dtype=np.int64)


def store_for(dataset, table, cache_mb):
    """An empty store of at most this size."""
    if not 0 < cache_mb <= LARGEST_CACHE:
        raise ValueError(f"cache_mb={cache_mb}: allowed is 1 to {LARGEST_CACHE}")
    total = int(cache_mb * 1e6 / 4)
    slots = 1 << max(8, int(np.log2(total / 48)))
    pool64 = aligned((total - slots) // 2)
    n = len(table.codes)
    n_words = int(table.settings[0]["words"])
    # A record has columns of the table, each once: no split of it holds more cases than one of all.
    scatter = largest_scatter(table.codes, table.arity, dataset.continuous)
    branches = int(max(2, table.arity[~dataset.continuous].max(initial=2)))
    n_building = int(table.settings[0]["n_building"])  # the most of one record
    scratch = Scratch(
        case=np.zeros(scatter, dtype=np.int32),
        weight=np.zeros(scatter, dtype=np.int64),
        label=np.zeros(n_building, dtype=np.int64),
        branch=np.zeros(branches + 1, dtype=BRANCH),
        counts=np.zeros(dataset.n_classes, dtype=np.int64),
        by_class=np.zeros((6, dataset.n_classes), dtype=np.int64),
        ranked=np.zeros(n, dtype=np.int32),  # a feature is ranked once, or does not vary
        quality=np.zeros(n, dtype=np.int64),
        found=np.zeros(n, dtype=FOUND),
        sets=np.zeros((2, n_words), dtype=np.int64),
        histogram=np.zeros((branches, dataset.n_classes), dtype=np.int64),
        entries=np.zeros((2, n_building), dtype=np.int64),
        sizes=np.zeros(n_building + 1, dtype=np.int64),
        # One a case, and one a class where these are two: two are looked for where there is one.
        steps=np.zeros(n_building + 2 + dataset.n_classes, dtype=np.int64),
        weight_of=np.zeros(n_building, dtype=np.int64),
        bits=np.zeros((n_building + 63) // 64, dtype=np.uint64),
    )
    return Store(
        memory=Memory(pool64.view(np.int32), pool64),
        slots=np.empty(slots, dtype=np.int32),  # emptied before it is used
        freed=np.zeros(n + 1, dtype=np.int32),
        offered=np.zeros(n_words, dtype=np.int64),
        counters=np.zeros(1, dtype=COUNTERS),
        scratch=scratch,
    )


def verdicts_for(table):
    """Room for the votes on the search cases that have missing values."""
    settings, n_cases = table.settings[0], table.codes.shape[1]
    n_building = settings["n_building"]
    fractional = np.flatnonzero((table.codes[:, n_building:] == MISSING).any(axis=0)) + n_building
    number = np.full(n_cases, -1, dtype=np.int32)
    number[fractional] = np.arange(len(fractional))
    # `first` counts leaves by the removal that ends them, none of which may be.
    return Verdicts(
        number=number,
        votes=np.zeros((len(fractional), settings["n_classes"])),
        given=np.zeros(len(fractional), dtype=np.int64),
        decided=np.zeros(len(fractional), dtype=np.uint8),
        leaf=np.zeros(0, dtype=np.int64),
        rank=np.zeros(0, dtype=np.int64),
        turn=np.zeros(0, dtype=np.int64),
        first=np.zeros(len(table.codes) + 4, dtype=np.int64),
        case=fractional.astype(np.int32),
    )


def forest_for(nodes, deepest, branches, before=None):
    """Room for trees of so many nodes, with those of another forest."""
    arrays = [np.zeros(nodes, dtype=np.int32) for _ in range(5)] + [np.zeros(nodes, dtype=np.int64)]
    if before is not None:
        for new, old in zip(arrays, before, strict=False):
            new[: len(old)] = old
    return Forest(
        *arrays,
        masks=np.zeros((nodes, 2), dtype=np.int64),  # a row for each node of one tree at most
        stack=np.zeros(deepest, dtype=BRANCHES),
        state=np.zeros(1, dtype=WALK_STATE),
        branches=branches,
    )


def frames_for(n):
    """Frames for n features."""
    levels = n + 2  # each offers a feature less than the one above
    return Frames(
        control=np.zeros(1, dtype=CONTROL),
        now=np.zeros(1, dtype=NOW),
        frame=np.zeros(levels, dtype=FRAME),
        role=np.zeros((levels, n), dtype=np.uint8),
        offered=np.zeros((levels, words(n)), dtype=np.int64),
        order=np.zeros((levels, n), dtype=np.int32),
        frontier=np.zeros((levels, n), dtype=np.int64),
        least=np.zeros((levels, n + 1), dtype=np.int64),
        probe=np.zeros(1, dtype=PROBE),
        draws=np.zeros(levels),
    )


def look_for(n, deepest):
    """Room for a look ahead: nodes of one path, and features, each of which goes once on a path."""
    return Look(
        state=np.zeros(1, dtype=LOOK_STATE),
        stack=np.zeros(deepest, dtype=SPLIT),
        role=np.zeros(n, dtype=np.uint8),
        gone=np.zeros(n, dtype=np.int64),
    )


def results_for(n, deepest, block):
    """Room for `block` results, and for taking a tree of this depth."""
    return Results(
        sizes=np.zeros(n + 1, dtype=np.int64),
        best=np.zeros(n, dtype=np.uint8),
        subset=np.zeros((block, words(n)), dtype=np.uint64),
        errors=np.zeros(block, dtype=np.int64),
        digest=np.zeros(block, dtype=np.uint64),
        place=np.zeros(n, dtype=np.int64),
        path=np.zeros(deepest, dtype=np.int64),
        score=np.zeros(n, dtype=np.int64),
    )
