"""What an elimination works on: the cases of one split, the nodes seen so far, and room.

    Table     building and search cases                                    never written
    Store     records: the nodes that trees went through, with the best    records, ranking
              features of each, and pools of what belongs to them
      node    per record its state and where its cases lie                 records, ranking
      split   per record its best features in order, and their children    ranking, records
    Scratch   room to rank or to split one node                            ranking, records
    Walk      the present tree in preorder, and the search cases           walks
    Search    the elimination: the candidates and where it stands          eliminate

    store.cases     | root ......... | left ..... | right .... | left of left .. |  free
                      ^ node[0].first             ^ node[2].first ^ node[2].last ^ top.cases
    store.children  at split[record, place].child: the records of its branches, one by one

A record is the child of one other. Its search cases lie in `store.search` in the same way.
"""

from typing import NamedTuple

import numpy as np

from pinetum.induction.kernels.bundles import Features, Listed, Rows, Tally
from pinetum.induction.kernels.cuts import Scan
from pinetum.kernels.bundles import borrower, record_of

DONE, FULL, STOPPED = 0, 1, 2  # status codes of the walks
NONE, UNKNOWN = -1, -2
NOWHERE = -1  # where the entries of a node lie that keeps none
# states of a record; CUT_SHORT: perhaps it has more features than places
UNRANKED, LEAF, RANKED, CUT_SHORT = 0, 1, 2, 3


class Table(NamedTuple):
    """Building and search cases by feature."""

    features: Features  # of the building cases
    labels: np.ndarray  # int32 (building cases,)
    search_codes: np.ndarray  # int32 (features, search cases)
    search_labels: np.ndarray  # int32 (search cases,)
    continuous: np.ndarray  # uint8 (features,)
    alone: np.ndarray  # int32 (features,): as `Features.row`, of `Scratch.line`
    n_discrete: int
    n_classes: int


# What the store holds; `rankings` made, and `columns` of entries given out.
TOP = record_of("records", "cases", "search", "children", "rankings", "columns")
NODE = record_of(
    "state",
    "whole",  # 1: every building case counts once
    "label",
    "wrong",  # whole search cases that a leaf here would label wrongly
    "parent",  # record that has all the cases of this one, or -1
    "where",  # its presorted entries, counted from the first column given out; -1: none
    "n_ranked",
    "first",  # of its building cases
    "last",  # the one after them
    "search_first",
    "search_last",
)
# `below` and `above`: codes on both sides of a best cut; `child`: in `Store.children`, or -1
SPLIT = record_of("feature", "below", "above", "child")


class Store(NamedTuple):
    """Records; the pools are filled from the front."""

    top: np.ndarray  # TOP (1,)
    node: np.ndarray  # NODE (records,)
    split: np.ndarray  # SPLIT (records, places): best feature first
    counts: np.ndarray  # int64 (records, classes)
    alive: np.ndarray  # int64 (records, words): features that are not constant here
    cases: np.ndarray  # int32: pool of building cases
    weights: np.ndarray  # int64: theirs; empty where the table has no missing cells
    search: np.ndarray  # int32: pool of search cases
    search_weights: np.ndarray  # float64: as prediction spreads them
    children: np.ndarray  # int64: pool of records; -1: no case of either kind goes there


class Ordering(NamedTuple):
    """What puts the entries of a node in order."""

    mark: np.ndarray  # uint8 (cases,): 1 for those of the node
    count: np.ndarray  # int64 (largest arity + 1,)
    spare: np.ndarray  # int64 (cases,)


# Where the entries of the node at hand lie, and those that they are filtered from (`n_source` 0:
# none); `known`: 1 where they are there already
LIE = record_of("n", "at", "source", "n_source", "known")
# A branch: weight of the building cases whose value is known, and the number of cases of both
# kinds, then where the next ones go
PART = record_of("known", "cases", "search")


class Scratch(NamedTuple):
    """Room for one ranking or one split."""

    rows: Rows  # a ring of columns for the continuous features
    line: np.ndarray  # int64 (1, cases + 1): a row by itself
    lie: np.ndarray  # LIE (1,)
    listed: Listed  # the cases of the node, classes numbered among those that are there
    number: np.ndarray  # int64 (classes,): these numbers
    scan: Scan
    tally: Tally
    ordering: Ordering
    active: np.ndarray  # int64 (features,)
    single: np.ndarray  # int64 (1,)
    found: np.ndarray  # FOUND (features,)
    tops: np.ndarray  # int64 (places,): the best gains
    quality: np.ndarray  # int64 (places,)
    no_codes: np.ndarray  # int32 (0,)
    part: np.ndarray  # PART (most branches,)
    totals: np.ndarray  # float64 (most branches,)


# `stamp`: the last one given; `touched`: number of cases
COUNTER = record_of("stamp", "touched")


class Votes(NamedTuple):
    """Votes for the search cases that end in several leaves, and in how many, of the present tree
    and, as differences, of a candidate.
    """

    votes: np.ndarray  # int64 (search cases, classes)
    parts: np.ndarray  # int64 (search cases,)
    new_votes: np.ndarray  # int64 (search cases, classes)
    new_parts: np.ndarray  # int64 (search cases,)
    stamp: np.ndarray  # int64 (search cases,): last question that met this case
    touched: np.ndarray  # int64: search cases with differences
    counter: np.ndarray  # COUNTER (1,)


TREE_NODE = record_of(
    "record",
    "feature",  # -1 in a leaf
    "parent",
    "end",  # its subtree goes up to here
    "next",  # next node, in preorder, that splits on the same feature
)


class Walk(NamedTuple):
    """The present tree in preorder and what the search cases say about it."""

    node: np.ndarray  # TREE_NODE (nodes,)
    head: np.ndarray  # int64 (features,): first node that splits on a feature, or -1
    stack: np.ndarray  # int64
    above: np.ndarray  # int64: parents of the nodes in the stack
    is_wrong: np.ndarray  # uint8 (search cases,)
    votes: Votes


# What a walk is asked: search errors without the feature `removed` (-1: of the whole tree), if they
# are at most `limit`; `untouched` of them lie elsewhere. `remember`: what is grown is kept; `lazy`:
# a node that no search case reaches is left as it is; `places`: features kept in order.
ASK = record_of("removed", "remember", "lazy", "places", "untouched", "limit", "status", "errors")
NOW = record_of(
    "doing",
    "next",  # what comes after the tree
    "anew",  # 1: the store is emptied before the tree is grown
    "status",
    "steps",
    "errors",  # of the present tree
    "top_errors",
    "candidates",
    "place",  # of the candidate at hand in `order`
    "feature",  # of the candidate
    "again",  # 1: it is tried a second time
    "where",  # before it: the entries of record 0
    "best",  # feature to go, or -1
    "best_errors",
)


class Search(NamedTuple):
    """Where an elimination stands. As many features go at most as `path` has room for."""

    path: np.ndarray  # int64: the features in the order they went
    errors: np.ndarray  # int64: search errors without each
    counters: np.ndarray  # int64 (6,)
    offered: np.ndarray  # uint8 (features,)
    used: np.ndarray  # uint8 (features,): that the tree at hand splits on
    used_by_best: np.ndarray  # uint8 (features,): by the present one
    size: np.ndarray  # int64 (features,): building cases at stake
    stake: np.ndarray  # int64 (features,): search errors at stake
    order: np.ndarray  # int64 (features,): the candidates
    ask: np.ndarray  # ASK (1,)
    saved: np.ndarray  # TOP (1,): of the store, before a candidate that is not remembered
    now: np.ndarray  # NOW (1,)


borrow_table, borrow_store = borrower(Table), borrower(Store)
borrow_scratch, borrow_walk = borrower(Scratch), borrower(Walk)
borrow_search = borrower(Search)
