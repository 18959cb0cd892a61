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

    bundle    what it holds                                      written by         read by
    Table     cases and columns, rules, costs                    nobody             all
    Memory    the records                                        make, children     all
    Store     memory, its hash table, what is free, counters     make, children     all
    Scratch   room for the record that is being made             make, children, evaluate
"""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.quality import Rules
from pinetum.jit import kernel
from pinetum.kernels.bundles import record_of

LINE = 16  # 32-bit words in 64 bytes
UNRANKED = 1  # 64-bit words before the bits; the weight is word 0
RANKING, RANKED, ERRORS, HOPELESS, LABEL, BUILDING, SEARCH, CASES, WEIGHTS, CLASSES, DEPTH = range(
    11
)
SMALL = 12  # even, as 64-bit words follow
HASH_A, HASH_B, DIGEST, LIVE = range(4)  # after the 32-bit part
NOT_MADE = 0
FULL = -(1 << 31)  # more than the pool holds
# what interrupts a walk or a look ahead: a record has features to rank, or branches to make; or the
# caller wants to look at the clock
NEEDS_RANKING, NEEDS_CHILDREN, NEEDS_REST = -2, -3, -4
# kinds of features; CLOSE: some neighbouring values count as one
DISCRETE, CONTINUOUS, CLOSE = 0, 1, 2
COUNTS, NUMBER, KNOWN, LEFT, RIGHT, CHORDS = range(6)  # rows of what is kept by class
LIVE_HERE, WANTED = 0, 1  # and of the sets of features
FEW_WORDS = 8  # of a set of features: larger ones count as work

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
# A branch of the split that is being made: its cases lie from `begin` to `end` of the scratch, the
# first `building` of them building cases. `known`: weight of the building cases whose value is
# known; `total`: of all of them.
BRANCH = record_of("begin", "end", "building", "known", "total")
# A feature of the record that is being ranked.
FOUND = record_of("cut", "children")


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
    values: np.ndarray  # float64: distinct values of the continuous features, one after the other
    value_start: np.ndarray  # int64 (features + 1,)
    hashes: np.ndarray  # uint64 (cases, 2)
    present: np.ndarray  # int32: largest code of a building case up to each, or empty
    member: np.ndarray  # int32: the building cases, then the search cases, part after part
    part: np.ndarray  # int64 (parts, 3): begin of building and search cases in `member`, their end
    cost: np.ndarray  # int64 (classes, classes): of a search case of one class in a leaf of another
    least_cost: np.ndarray  # int64 (classes,): the least of a class in a leaf of another
    rules: tuple[Rules, Rules]  # what decides a tree besides the cases; the same for whole cases
    nlogn: np.ndarray  # int64 (cases + 1,)
    settings: np.ndarray  # SETTINGS (1,)
    order: np.ndarray  # int64 (features, building cases): entries by code, see `induction.cuts`
    # int32 (features, building cases): a case's place in that order; the code of a discrete feature
    cells: np.ndarray


class Memory(NamedTuple):
    """The records."""

    pool: np.ndarray  # int32
    pool64: np.ndarray  # int64, the same memory


class Scratch(NamedTuple):
    """Room for the record that is being made."""

    case: np.ndarray  # int32: its cases, or those of its branches one after the other
    weight: np.ndarray  # int64, with them
    label: np.ndarray  # int64 (building cases,)
    branch: np.ndarray  # BRANCH (branches + 1,)
    counts: np.ndarray  # int64 (classes,)
    by_class: np.ndarray  # int64 (6, classes): COUNTS, NUMBER, ...
    ranked: np.ndarray  # int32 (features,): by falling quality
    quality: np.ndarray  # int64 (features,), with them
    found: np.ndarray  # FOUND (features,)
    sets: np.ndarray  # int64 (2, words): LIVE_HERE, WANTED
    histogram: np.ndarray  # int64 (values of a discrete feature, classes)
    entries: np.ndarray  # int64 (2, cases)
    sizes: np.ndarray  # int64 (cases + 1,): see `induction.kernels.cuts.fill_tables`
    steps: np.ndarray  # int64 (cases + classes,)
    weight_of: np.ndarray  # int64 (cases,)
    bits: np.ndarray  # uint64: a bit per building case, all 0 between two features


class Store(NamedTuple):
    memory: Memory
    slots: np.ndarray  # int32, a power of two: the hash table
    freed: np.ndarray  # int32 (features + 1,): by length, a ranking whose room is free
    offered: np.ndarray  # int64 (words,): the features of the walk at hand, as bits
    counters: np.ndarray  # COUNTERS (1,)
    scratch: Scratch


@kernel
def mix(x):
    """Spread the bits of a 64-bit word (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def small_part(words, record):
    """First of the 32-bit words of a record, in a table whose sets of features have so many 64-bit
    words.
    """
    return record + 2 * (UNRANKED + 2 * words)


@kernel
def cold_part(words, record):
    """First of the 64-bit words that walks do not read."""
    return (small_part(words, record) + SMALL) >> 1


@kernel
def width(words):
    """Work of going through a set of features: 0 for so few that nothing else is as little."""
    return (words - 1) // FEW_WORDS
