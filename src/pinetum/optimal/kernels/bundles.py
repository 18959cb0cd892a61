"""What the search for the best small tree is given, and the room that it works in.

    Task      what is asked                                              never written
    Sets      by level: a set of cases, in the order of every column     sets
    Lanes     64 cuts of one set, whose both sides are judged at once    lanes
    Queue     intervals of cuts that may hold the best first test        pairs
    Tables    by level: what no tree of either side of a cut costs less  deeper
    Plan      by level: the best tests so far                            pairs, deeper

Level 0 holds all cases, level 1 one side of a cut of them, and so on. A level with two tests left
is solved by `pairs`, one with more by `deeper`, after all smaller numbers of tests. Costs are
float64 throughout: weights of wrong cases (or what a matrix says), prices of tests and a penalty
per leaf. `value` is the cost of a tree that obeys `least`, `low` a bound that holds without it too:
only such bounds carry over from one set of cases to another.
"""

from typing import NamedTuple

import numpy as np

LANES, SIDES = 64, 128  # cuts that are judged at once; their sides, left ones first
SEGMENT = 32  # places of a column that are walked down and up
NEVER = 1e300  # cost of what is not allowed

# What is asked, in numbers.
RULES = np.dtype(
    (
        np.record,
        [
            ("penalty", np.float64),  # per leaf
            ("least", np.float64),  # weight of cases that a leaf needs
            ("slack", np.float64),  # costs this close are equal
            ("two", np.bool_),  # two decisions and no `least`: one number a case, its lead, will do
            ("weighted", np.bool_),  # cases cost differently when they are wrong
            ("priced", np.bool_),
        ],
    )
)
# Where the search stands at a level.
LEVEL = np.dtype(
    (
        np.record,
        [
            ("cases", np.int64),
            ("most", np.float64),  # what all cases cost when all are wrong
            ("target", np.int64),  # tests on a path that it is solved for
            ("tests", np.int64),  # and those that it is being solved for now
            ("value", np.float64),  # cost of its best tree
            ("low", np.float64),  # no tree costs less, once it is solved
            ("column", np.int64),  # the cut that is tried
            ("cut", np.int64),
            ("left", np.bool_),  # whether its left side is the one that is solved
            ("second", np.bool_),  # and is solved after the other
            ("first_value", np.float64),  # of the side that was solved first
            ("first_low", np.float64),
            ("turn", np.int64),  # columns whose best cut was tried at first
        ],
    )
)
# Where it stands as a whole.
SEARCH = np.dtype(
    (
        np.record,
        [
            ("level", np.int64),
            ("doing", np.int64),  # what comes next
            ("work", np.int64),  # cells looked at
            ("begun", np.bool_),  # whether `Queue` belongs to the level
            ("head", np.int64),  # of the queue
            ("waiting", np.int64),  # intervals in it
            ("picked", np.int64),  # intervals of the batch
            ("lanes", np.int64),  # cuts of the batch
        ],
    )
)
# Cuts of a column between two that were judged: both ends are left out. Of the ends it has what
# their two sides cost at least.
INTERVAL = np.dtype(
    (
        np.record,
        [
            ("column", np.int64),
            ("low", np.int64),
            ("high", np.int64),
            ("low_left", np.float64),
            ("low_right", np.float64),
            ("high_left", np.float64),
            ("high_right", np.float64),
            ("first", np.int64),  # of the batch: cuts that may be better, from here
            ("last", np.int64),  # to here
            ("lanes", np.int64),  # and how many of them are judged
        ],
    )
)


class Task(NamedTuple):
    """What is asked; numbers that are summed over cases are typed alike, as small as they fit."""

    rules: np.ndarray  # RULES (1,)
    price: np.ndarray  # float64 (columns,)
    codes: np.ndarray  # int32 (columns, cases): rank of a case in a column
    # A case of a class gains by `decision[e]`, for e from `start[class]` to `start[class + 1]`, its
    # weight times `amount[e]`.
    start: np.ndarray  # int64 (classes + 1,)
    decision: np.ndarray  # int64 (entries,)
    amount: np.ndarray  # typed (entries,)
    most: np.ndarray  # float64 (classes,): what a case of weight 1 costs at most
    decisions: int


class Sets(NamedTuple):
    """Sets of cases, by level; a set numbers its cases from 0."""

    case: np.ndarray  # uint32 (levels, cases + 1): number in the table
    lead: np.ndarray  # typed (levels, cases + 1): gain of decision 1 less that of 0, or the weight
    label: np.ndarray  # int32 (levels, cases + 1)
    weight: np.ndarray  # float64 (levels, cases + 1 or 1): cost of a wrong case, where they differ
    order: np.ndarray  # uint32 (levels, columns, cases + 4): cases by rising value
    change: np.ndarray  # uint8 (levels, columns, cases + 5): 1 where the value rises
    cuts: np.ndarray  # int32 (levels, columns, cases): cases before each cut
    reach: np.ndarray  # float64 (levels, columns, cases or 0): their cost when all are wrong
    many: np.ndarray  # int64 (levels, columns): cuts
    place: np.ndarray  # int32 (levels, cases + 1): number in the set below, -1 outside


class Lanes(NamedTuple):
    """A batch of cuts of one set."""

    column: np.ndarray  # int64 (lanes,); -1: all cases are left of it
    index: np.ndarray  # int64 (lanes,): number of the cut in its column
    cut: np.ndarray  # int64 (lanes,): cases before it
    bits: np.ndarray  # uint64 (cases + 1,): cuts of which a case is left
    inside: np.ndarray  # uint8 (cases + 1, sides): whether it is on a side
    words: np.ndarray  # uint64 (cases + 1, sides / 8): the same memory
    rows: np.ndarray  # typed (rows, sides): see `lanes`
    state: np.ndarray  # typed (rows * sides,): the same memory
    noted: np.ndarray  # typed (segment, sides)
    gains: np.ndarray  # float64 (decisions,): of all cases
    most: np.ndarray  # float64 (sides + 1,): cost when all are wrong, of a side, and of all cases
    low: np.ndarray  # float64 (sides,): cost of the best single test
    value: np.ndarray  # the same of those that obey `least`


class Queue(NamedTuple):
    """Intervals that wait, in a ring, and those of the batch."""

    waiting: np.ndarray  # INTERVAL (room,)
    picked: np.ndarray  # INTERVAL (lanes,)


class Tables(NamedTuple):
    """By level: bounds of both sides of every cut, and the best cut of each column so far."""

    left: np.ndarray  # float64 (levels with three tests or more, columns, cases)
    right: np.ndarray
    least: np.ndarray  # float64 (such levels, columns): of the sum of both
    idle: np.ndarray  # int64 (such levels, columns): updates in a row that did little
    best: np.ndarray  # float64 (levels, columns): cost below the best cut that was judged
    best_cut: np.ndarray  # int64 (levels, columns)
    # int64 (such levels, columns): the best cut by one test less, -1 for none
    first_cut: np.ndarray
    turn: np.ndarray  # int64 (such levels, columns): columns by rising `best`


class Plan(NamedTuple):
    """Trees as heaps: below place h are 2 h and 2 h + 1; column -1: at most one test."""

    column: np.ndarray  # int32 (levels, heap)
    code: np.ndarray  # int32 (levels, heap): left are cases with this code or less
    kept: np.ndarray  # int32 (2, levels, heap): the same of a side that was solved first
