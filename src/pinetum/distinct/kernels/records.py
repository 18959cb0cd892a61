"""Records of the sets of cases that nodes of greedy trees meet.

What a node splits on depends on the cases that reach it and on the features offered, on nothing
else (Assumptions 4.1 and 4.2). So there is one record per distinct weighted set of cases, found
again by a 128-bit hash of its content, with features ranked by quality. The split under a subset
of features is the first ranked feature of the subset; features are ranked and the children's
records are made when a walk first asks for them. A tree is then a walk over records that touches
the data only where no walk has been.

All records lie in one pool of 32-bit words, which is the memory bound: a record's number is its
offset. `pool64` is the same memory seen as 64-bit words; no word is ever used through both.

    64-bit   weight of the building cases; as bits, the features not ranked yet and the ranked ones
    32-bit   place of the ranking, ranked features, errors of a leaf here, errors of every subtree
             here (search cases whose class no building case has), label, building cases, search
             cases, offset of the cases, of the weights, of the class weights, depth
    64-bit   the hash (2), digest of the building cases alone, as bits the features that may vary
             here (those not ranked yet included) then cases; then, when some are fractional,
             weights and class weights (64-bit)

What a walk reads comes first, and records begin at multiples of 64 bytes: a visit that ends in a
leaf costs one line of the processor's cache.

A ranking has per feature: feature, cut, children (0 when not made yet), then the qualities
(64-bit); when more features are ranked it is written anew. Rankings of its length may then take its
room; until one does, its first word is the next of them.

A child is the number of a record when positive. A branch that is a leaf under every subset of
features needs no record: it is -1 - (search errors there).
"""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.quality import Rules

LINE = 16  # 32-bit words in 64 bytes
UNRANKED = 1  # 64-bit words before the bits; the weight is word 0
RANKING, RANKED, ERRORS, HOPELESS, LABEL, BUILDING, SEARCH, CASES, WEIGHTS, CLASSES, DEPTH = range(
    11
)
SMALL = 12  # even, as 64-bit words follow
HASH_A, HASH_B, DIGEST, LIVE = range(4)  # after the 32-bit part
NOT_MADE = 0
FULL = -(1 << 31)  # more than the pool holds
# what interrupts a walk or a look ahead: a record has features to rank, or branches to make
NEEDS_RANKING, NEEDS_CHILDREN = -2, -3
DISCRETE, CONTINUOUS, CLOSE = (
    0,
    1,
    2,
)  # kinds of features; CLOSE: some neighbouring values count as one
COUNTS, NUMBER, KNOWN, LEFT, RIGHT, CHORDS = range(6)  # rows of what is kept by class
CUT, CHILDREN, FREED = 0, 1, 2  # and by feature; FREED: by length, a ranking whose room is free
LIVE_HERE, WANTED = 0, 1  # and of the sets of features


def record_of(*names):
    """A row of named 64-bit words, which kernels read and write by name at the cost of an array's
    element.
    """
    return np.dtype(
        (np.record, [(name, np.int64) for name in names])
    )  # `np.record`: by name without the compiler too


# What the store counts. `fresh`: the root was just made; `fresh_trees`: trees walked since the
# store was emptied.
COUNTERS = record_of(
    "used", "records", "work", "emptied", "peak", "evaluated", "fresh", "fresh_trees"
)
# `parts`: pairs of building and search cases; `words`: 64-bit words of a set of features, the
# virtual one included; `costly`: errors are weighed by `cost`; `leaf_cost`: what a leaf adds to the
# errors
SETTINGS = record_of(
    "n_building",
    "n_classes",
    "class_bits",
    "case_bits",
    "words",
    "parts",
    "weighted",
    "shared",
    "with_search",
    "costly",
    "leaf_cost",
)


class Table(NamedTuple):
    """The cases of all parts: building cases, each once, then the search cases of one part after
    the other.

    A part is a pair of building and search cases: one for a hold-out, k for k folds. A case may be
    a building case of several parts and a search case of others.
    """

    codes: np.ndarray  # int32 (features, cases)
    labels: np.ndarray  # int32 (cases,)
    kind: np.ndarray  # uint8 (features,): DISCRETE, CONTINUOUS or CLOSE
    arity: np.ndarray  # int32 (features,) codes of a feature
    values: (
        np.ndarray
    )  # float64, the distinct values of the continuous features one after the other
    value_start: np.ndarray  # int64 (features + 1,)
    hashes: np.ndarray  # uint64 (cases, 2)
    present: np.ndarray  # int32: largest code of a building case up to each, or empty
    member: np.ndarray  # int32: the building cases, then the search cases, part after part
    # int64 (parts, 3): where its building and its search cases begin in `member`, and where they
    # end
    part: np.ndarray
    cost: np.ndarray  # int64 (classes, classes): of a search case of one class in a leaf of another
    least_cost: (
        np.ndarray
    )  # int64 (classes,): the least of a search case of a class in a leaf of another
    rules: tuple[
        Rules, Rules
    ]  # what decides a tree besides the cases; the same for whole cases as whole numbers
    nlogn: np.ndarray  # int64 (cases + 1,)
    settings: np.ndarray  # SETTINGS (1,)
    order: (
        np.ndarray
    )  # int64 (features, building cases): entries by code, see `induction.kernels.cuts`
    # int32 (features, building cases): a case's place in that order; the code of a discrete feature
    cells: np.ndarray


class Store(NamedTuple):
    pool: np.ndarray  # int32
    pool64: np.ndarray  # int64, the same memory
    slots: np.ndarray  # int32, a power of two: the hash table
    counters: np.ndarray  # COUNTERS (1,)
    # scratch of the record that is being made: what is as long as its cases, its branches, its
    # classes,
    case: np.ndarray  # int32
    weight: np.ndarray  # int64
    label: np.ndarray  # int64
    begin: np.ndarray  # int64 (branches + 1,), with the next four what `share_out` counts by branch
    known: np.ndarray  # int64
    building: np.ndarray  # int64
    end: np.ndarray  # int64
    total: np.ndarray  # int64
    counts: np.ndarray  # int64 (classes,)
    by_class: np.ndarray  # int64 (6, classes): COUNTS, NUMBER, ...
    # of its features,
    ranked: np.ndarray  # int32, with qualities beside them
    quality: np.ndarray  # int64
    kept: np.ndarray  # int32 (3, features + 1): CUT, CHILDREN, FREED
    sets: np.ndarray  # int64 (2, words): LIVE_HERE, WANTED
    offered: np.ndarray  # int64 (words,): the features of the walk at hand, as bits
    # and of one feature
    histogram: np.ndarray  # int64 (values of a discrete feature, classes)
    entries: np.ndarray  # int64 (2, cases)
    sizes: np.ndarray  # int64 (cases + 1,): see `induction.kernels.cuts.fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    weight_of: np.ndarray  # int64 (cases,)
    bits: np.ndarray  # uint64: a bit per building case, all 0 between two features
