"""What a tree is grown from, and the room that it grows in.

    Table       the encoded table, shared by all who grow from it                   never written
    Sample      the cases and features that one tree is grown from                  never written
    Desk        room of one grower, allocated once                                  written by
      rows      per presorted feature the entries of what is still to be done       grow, parting
      listed    the cases themselves, where something must walk through them        parting
      waiting   per branch to be visited its class weights and where it begins      grow
      open      per node above, which of its branches come next                     grow
      scan      the node at hand: what the features of numbers are scanned with     candidates
      tally     the node at hand: counts per value of a discrete feature            candidates
      found     per feature its split of the node at hand                           candidates
      parting   the split of the node at hand: its branches, where a case goes      parting

A row is a stack of segments, one per waiting branch. The leftmost branch is visited first and lies
uppermost; a split writes the segments of its branches over its own, the last branch first. So rows
hold what is still to be done and no more, and only a case with a missing value, which goes down
several branches, makes them longer:

    rows.entries[r]    | slot 0 | slot 1 ........ | slot 2 .... |  free
                       ^ begins[0, r]             ^ begins[2, r] ^ ends[r]

`listed.cases` and `listed.weights` are such a row of the cases, by `waiting.branch[slot].begin`.
"""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.cuts import Scan
from pinetum.kernels.bundles import record_of


class Table(NamedTuple):
    """A data set for kernels; shared by all growers of the data set, its folds included."""

    codes: np.ndarray  # int32 (features, cases), -1 missing
    labels: np.ndarray  # int32 (cases,)
    arity: np.ndarray  # int32 (features,)
    continuous: np.ndarray  # bool (features,)
    values: np.ndarray  # float64, all continuous features' distinct values, end to end
    value_start: np.ndarray  # int64 (features + 1,); empty stretch for a discrete feature
    order: np.ndarray  # int64 (continuous features, cases): entries of the known cases by code
    order_row: np.ndarray  # int32 (features,): row in `order`, or -1
    order_size: np.ndarray  # int64 (continuous features,): number of known cases
    lacking: np.ndarray  # bool (features,): whether any case lacks the feature's value
    nlogn: np.ndarray  # int64 (cases + 1,)
    n_classes: int
    class_bits: int
    case_bits: int


class Sample(NamedTuple):
    """What one tree is grown from."""

    offered: np.ndarray  # int32: the features
    cases: np.ndarray  # int32, rising
    weights: np.ndarray  # int64: theirs; empty where all weigh one and none lacks a value
    present: np.ndarray  # int32: see `nodes.place_cut`
    close: np.ndarray  # uint8 (features,): 1: some neighbouring values count as one


class Rows(NamedTuple):
    """Entries of the presorted features; what depends on the number of cases is long enough for all
    of them at every node.
    """

    entries: np.ndarray  # int64 (presorted features, entries)
    begins: np.ndarray  # int64 (waiting, presorted features): of a branch's segments
    ends: np.ndarray  # int64 (presorted features,): of the rows


class Listed(NamedTuple):
    """The cases of the waiting branches."""

    cases: np.ndarray  # int64 (entries,): case << class_bits | class
    weights: np.ndarray  # int64 (entries,)


# `begin`: in `Listed`; `inner`: 1 where it has segments, because it may be split
BRANCH = record_of("begin", "inner")
# `next`: of its branches; `active`: number of its features that are not constant
OPEN = record_of("node", "next", "active")


class Waiting(NamedTuple):
    """The branches to be visited, the next one last."""

    branch: np.ndarray  # BRANCH (waiting,)
    counts: np.ndarray  # int64 (waiting, classes): class weights


class Tally(NamedTuple):
    """Counts of one discrete feature."""

    histogram: np.ndarray  # int64 (largest arity + 1, classes)
    number: np.ndarray  # int64 (largest arity,): see `count_few_values`
    value_of: np.ndarray  # int64 (largest arity,)


# A feature's split of a node: gain in mass and on the grid, split mass, the codes on both sides of
# a cut; `constant`: 1 where all cases have one value
FOUND = record_of("mass", "split", "gain", "cut", "upper", "constant")
# A branch of a split: its cases, their weight whose value is known, whether it is `wanted` because
# it may be split, and `at`, where its next case goes
PART = record_of("cases", "known", "wanted", "at")
LEFT, RIGHT = 1, 2  # marks of a case: where it goes; both for a missing value


class Parting(NamedTuple):
    """The split that is being made."""

    part: np.ndarray  # PART (most branches,)
    counts: np.ndarray  # int64 (most branches, classes): class weights
    mark: np.ndarray  # uint8 (cases of the table,): LEFT, RIGHT
    branch: np.ndarray  # int32 (cases of the table,): the branch a case takes, -1: several
    buffer: np.ndarray  # int64 (entries + 1,); the last takes what nobody wants
    weight_buffer: np.ndarray  # int64 (entries + 1,)


# Where growing stands.
NOW = record_of(
    "status",
    "left",  # entries to look at before it pauses
    "node",  # the next one,
    "label",  # and the majority of the one above it
    "waiting",  # branches
    "top",  # the innermost open node's place
    "active",  # features that are not constant there
    "listed_end",
    "weighted",  # 1 where cases may weigh other than one
    "listed",  # 1 where something walks through the cases
    "discrete",  # 1 where discrete features are offered
    # of the node at hand:
    "here",
    "feature",  # of its split, -1 for a leaf
    "branches",
    "cut",  # the code below it, -1 of a discrete feature
    "known",  # weight of the cases whose value is known
)


class Desk(NamedTuple):
    """Room of one grower. `waiting` branches may wait at a time, and as many nodes be open."""

    rows: Rows
    listed: Listed
    waiting: Waiting
    open: np.ndarray  # OPEN (waiting,)
    scan: Scan
    tally: Tally
    found: np.ndarray  # FOUND (features,)
    tops: np.ndarray  # int64 (1,): the best gain so far
    parting: Parting
    active: np.ndarray  # int64 (features,): those offered, the constant ones last
    now: np.ndarray  # NOW (1,)


class Features(NamedTuple):
    """How the features of a table lie in rows and codes."""

    codes: np.ndarray  # int32 (features, cases)
    arity: np.ndarray  # int32 (features,)
    row: np.ndarray  # int32 (features,): of a presorted feature, or -1
    values: np.ndarray  # float64
    value_start: np.ndarray  # int64 (features + 1,)
    close: np.ndarray  # uint8 (features,)
    class_bits: int
    case_bits: int
