"""What a search for the best small tree is given, and the room that it works in.

    Task        what is asked: Cases, Prior, Literals, Tests, Problem           never written
    Store       worth of nodes that were solved, for other ways to them
    Desk        room to work in, allocated once per problem
      held      by level: the cases and the prior at the node       nodes, shares
      tried     by level: its tests, and branches of the one tried  between, bounds
      room      scratch to solve a node at once                     nodes, pairs
      triples   the same for three tests                            triples
      stack     by level: where the search stands                   between
    Nodes       the tree that is grown                              between

A level of the desk is a node on the path of the search, level 0 the node where it began. A line has
places for all literals and one more, to a whole number of blocks: see `pairs`.
"""

from typing import NamedTuple

import numpy as np

NEVER = -1e300  # worth of a leaf with too few cases
# relative to the worth of the root: two trees this close are equal, and the lower test goes first
SLACK = 1e-12


class Literals(NamedTuple):
    """Sets of values that tests are made of; those of a feature stand together."""

    feature: np.ndarray  # int64 (literals,)
    feature_end: np.ndarray  # int64 (features,): after the last literal of each
    cell_start: (
        np.ndarray
    )  # int64 (features + 1,): where the values of each feature begin in `cells`
    holds: np.ndarray  # bool (literals, most values)
    low: (
        np.ndarray
    )  # int64 (literals,): it holds the values from here; -1 if they do not follow one another
    high: np.ndarray  # int64 (literals,): up to here, which it does not hold


class Tests(NamedTuple):
    """What may be asked, by rising cost. A branch takes the cases inside (or outside) a literal."""

    start: np.ndarray  # int64 (tests + 1,): branches of each test
    literal: np.ndarray  # int64 (branches,)
    negated: np.ndarray  # bool (branches,)
    cost: np.ndarray  # float64 (tests,)
    two_way: bool  # test t is literal t against the rest; else a branch for each of its literals


class Cases(NamedTuple):
    """The training cases, as bits or, where they have weights, one by one."""

    # uint64 (words, places): literals, and those that some tree can classify rightly
    rows: np.ndarray
    class_words: np.ndarray  # int64 (classes + 1,)
    mask: np.ndarray  # uint64 (words,)
    holds: np.ndarray  # uint8 (cases, places)
    labels: np.ndarray  # int64 (cases,)
    weight: np.ndarray  # float64 (cases,)
    weighted: bool


class Prior(NamedTuple):
    """Mass and shares at the root."""

    mass: np.ndarray  # float64 (classes,)
    cells: np.ndarray  # float64 (classes, values of all features)
    relaxed: (
        np.ndarray
    )  # float64 (tests + 1, points): bound on its worth per unit of mass, or nothing


class Problem(NamedTuple):
    """What a tree is worth.

    Of two decisions, as in `pairs`, a node has a lead: what the second gains more than the first.
    """

    data: float  # weight of a case
    counted: bool  # what a tree is worth without a prior is a number of cases
    at_once: int  # tests that a node may have left to be solved at once: 2 or 3
    gain: np.ndarray  # float64 (classes, decisions)
    plain: bool  # a right answer gains 1, a wrong one nothing
    best_gain: np.ndarray  # float64 (classes,)
    worst_gain: np.ndarray  # float64 (classes,)
    lead: (
        np.ndarray
    )  # float64 (classes,): of two decisions, what the second gains more than the first
    both: np.ndarray  # float64 (classes,): what both gain
    least: float  # cases that a leaf needs unless it has none
    penalty: float  # per leaf
    scale: float  # what sums are measured by


class Task(NamedTuple):
    """What is asked: the tree of the greatest worth."""

    cases: Cases
    prior: Prior
    literals: Literals
    tests: Tests
    problem: Problem


class Store(NamedTuple):
    """Solved nodes by the set of branches that lead to them.

    A newcomer takes the place of an older one.
    """

    key: np.ndarray  # int64 (places,): see `between.key_of`
    known: np.ndarray  # int8 (places,): `between.EXACT` or `UPPER`
    value: np.ndarray  # float64 (places,)


class Triples(NamedTuple):
    """Room for three tests at once (`triples`).

    Lines have places for all literals, to a whole number of blocks.
    """

    words: (
        np.ndarray
    )  # uint64 (words + 3, places): the cases of one literal, those of each other one among them
    flip: np.ndarray  # uint64 (words + 3,): ones where the word is of the first class
    alone: np.ndarray  # int32 (places,): lead of each literal
    pairs: np.ndarray  # int32 (literals, places): of two literals
    both: np.ndarray  # int32 (places,): of three, two of which are fixed
    # int32 (4, literals, places): in two, in the first only, in the second only, in none: the best
    # test
    best: np.ndarray


# Where a search stands at a level of the tree.
LEVEL = np.dtype(
    (
        np.record,
        [
            ("purse", np.float64),  # what the tests under the node may cost
            ("floor", np.float64),  # worth that its tree must exceed to matter
            ("enough", np.float64),  # of three tests left, no better tree is looked for
            ("top", np.float64),  # no tree of it is worth more
            ("best", np.float64),  # worth of its best tree so far
            ("hoped", np.float64),  # of the test that is tried: worth so far, at most for the rest
            ("listed", np.int64),  # its cases where they have weights
            ("end", np.int64),  # tests that can be paid
            ("pick", np.int64),  # test of its best tree, -1 for a leaf
            ("tested", np.int64),  # test that is tried, -1 for none
            ("place", np.int64),  # of that test in `Tried.order`
            ("at", np.int64),  # of its next branch in `Tried.turn`
            ("whole", np.int64),  # 1 where `Held.rest` is the table less the branches done
            ("loose", np.int64),  # tested feature with several values left, `NONE` or `SEVERAL`
        ],
    )
)
# Where it stands as a whole.
SEARCH = np.dtype(
    (
        np.record,
        [
            ("level", np.int64),
            ("work", np.int64),  # nodes solved
            ("doing", np.int64),  # what comes next
            ("paused", np.int64),  # 1 where a search from the root was stopped and can go on
            ("bound", np.float64),  # at the end: no tree is worth more
        ],
    )
)


class Held(NamedTuple):
    """By level: what a node holds of the cases and of the prior."""

    rows: np.ndarray  # uint64 (levels, words, places): its cases, packed
    class_words: np.ndarray  # int64 (levels, classes + 1)
    mask: np.ndarray  # uint64 (levels, words)
    listed: np.ndarray  # int64 (levels, cases): its cases where they have weights
    tables: np.ndarray  # int32, of weights float64 (levels, classes, literals + 1, places)
    rest: np.ndarray  # the same: a node less the branches that are done
    counts: np.ndarray  # float64 (levels, classes): weight of cases
    mass: np.ndarray  # float64 (levels, classes): mass of the prior
    cells: np.ndarray  # float64 (levels, classes, values): its shares
    share: np.ndarray  # float64 (levels, classes, places)


class Tried(NamedTuple):
    """By level: the tests of a node, and the branches of the one that is tried."""

    value: (
        np.ndarray
    )  # float64 (levels, tests): the best tree of so many tests as are solved at once
    reach: np.ndarray  # float64 (levels, tests): no tree that begins with it is worth more
    order: np.ndarray  # int64 (levels, tests): in which they are tried
    hope: np.ndarray  # float64 (levels, branches): worth of a branch, if it is not solved at most
    size: np.ndarray  # float64 (levels, branches): weight of its cases
    turn: np.ndarray  # int64 (levels, branches): smaller branches first
    solved: np.ndarray  # int64 (levels, branches): 1 where its worth is known


class Room(NamedTuple):
    """Scratch: one node, or one step, after the other uses it."""

    chosen: np.ndarray  # uint64 (words,)
    count: np.ndarray  # uint64 (places,)
    narrow: np.ndarray  # as the tables (5, places)
    lines: np.ndarray  # float64 (6, places or more)
    mass: np.ndarray  # float64 (1 for leads, else classes + 1, literals, places)
    single: np.ndarray  # float64 (classes + 1, literals)
    total: np.ndarray  # float64 (classes + 1,)
    part: np.ndarray  # float64 (classes,)
    prefix: np.ndarray  # float64 (classes, values and features)
    afford: np.ndarray  # int64 (tests,)


class Desk(NamedTuple):
    """Room to work in."""

    held: Held
    tried: Tried
    room: Room
    triples: Triples  # empty unless three tests are solved at once
    stack: np.ndarray  # LEVEL (levels,)
    trail: np.ndarray  # int64 (2 * levels + 4,): branches to the node
    now: np.ndarray  # SEARCH (1,)


class Nodes(NamedTuple):
    """A tree in preorder, with room for so many nodes."""

    test: np.ndarray  # int64 (room,): -1 in a leaf
    parent: np.ndarray  # int64 (room,): -1 at the root
    branch: np.ndarray  # int64 (room,): that leads to it, -1 at the root
    label: np.ndarray  # int64 (room,)
    mass: np.ndarray  # float64 (room, classes): of cases and prior
    counts: np.ndarray  # float64 (room, classes): of cases
