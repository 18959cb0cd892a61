"""Where a search stands.

A frame is one call DTdistinct(R, S): the role of each feature (offered and required, offered and
optional, or not offered), its tree, and the order in which its used optional features go. Level 0
is the frame where the search began:

    level 0        offers R, S         order  | a | b | c | d |
    level 1          without b                      ^ position: a has gone and is optional again
    ...
    control.level      the frame at hand; the tree that is being made is that of the next level

    bundle    what it holds                                    written by     read by
    control   what is asked, and what has been found           engine, take   all steps
    now       the tree that is being made                      all steps
    frame     by level: how far its features have gone         choose, take
    look      a look ahead: see `ahead`                        ahead
"""

from typing import NamedTuple

import numpy as np

from pinetum.kernels.bundles import record_of

# what `advance` does next
CHOOSE, LOOK, WALK, MAKE, TAKE = range(5)
# how it ends: PAUSED between two trees, RESTED in the midst of one
DONE, PAUSED, NEEDS_FOREST, NEEDS_ROOT, TOO_SMALL, ENOUGH, RESTED, GOES_ON = range(8)
UNBOUNDED = 1 << 60  # more errors than any limit that is one

CONTROL = record_of(
    "order",  # in which used features go: see `order`
    "level",  # of the frame at hand; -1 before the first
    "root",  # the record of all cases, or a leaf
    "virtual",  # 1: the last feature is the one whose branches are the parts, which every tree uses
    "incremental",  # a tree is made from its father's
    "ahead",  # so many undecided splits on a path the bound looks ahead
    "filled",  # which filling of the store is too full to look ahead
    "unlooked",  # which one began too full: it is for a tree alone
    "limit",  # sub-spaces whose trees all err more are left out
    "ties",  # and those that err as much with more features than the best
    "follow",  # the limit follows the best, at a distance of
    "margin",
    "feature_cost",  # what a used feature adds to the errors
    "size_cost",  # what it adds to them in the choice of the best: much, for the smallest subset
    "cap",  # of at most so many errors
    "best_is_set",
    "best_errors",  # of the best tree, its features paid for at both prices
    "best_size",
    # 1: only the first tree and those without one of its features, all of which are handed over
    "shallow",
    "emit_limit",  # trees with at most this many errors are handed over
    "emitted",
    "max_distinct",
    "work_stop",  # it pauses before the next tree
    "work_rest",  # and rests in the midst of one
    "built",
    "distinct",
    "skipped",
)
NOW = record_of(
    "doing",
    "ending",
    "begun",  # 1: the look or the walk has begun
    "removed",  # the feature that the father's frame does not offer on; -1 without a father
    "first",  # 1: of a father's sub-spaces the first, where trees are only counted
    "bare",  # of the latest first ones: those without any below, less the others
    "copies",  # 1: the walk copies what lies between the subtrees that are grown anew
    "whole",  # 1: the tree is not made from its father's
    "level",  # of the frame whose tree is walked: the new one's, or first its father's
    "start",  # of that walk among the nodes of the forest
    "looks",  # 1: before the walk, a look ahead
    "allowed",  # it bounds the errors by more than this, and the sub-space is left out
    "makes",  # 1: the look makes what it lacks
    "lacks",  # what a look or a walk lacks
    "record",  # in this record,
    "entry",  # at this entry of its ranking
)
FRAME = record_of(
    "ordered",  # features that go
    "position",  # of the next one
    "required",  # size of R'
    "begin",  # its tree among the nodes of the forest
    "end",
    "stamp",  # which filling of the store the tree points into
    "used",  # without sharing, the store before this frame
)
# A random path in place of the whole search, see `probe`.
PROBE = record_of("built", "distinct", "work", "stands_for", "ratio", "probing", kind=np.float64)


class Frames(NamedTuple):
    control: np.ndarray  # CONTROL (1,)
    now: np.ndarray  # NOW (1,)
    frame: np.ndarray  # FRAME (levels,)
    role: np.ndarray  # uint8 (levels, features)
    offered: np.ndarray  # int64 (levels, words): the features with a role, as bits
    order: np.ndarray  # int32 (levels, features)
    frontier: np.ndarray  # int64 (levels, features)
    least: np.ndarray  # int64 (levels, features + 1): bounds of the sub-spaces below
    probe: np.ndarray  # PROBE (1,)
    draws: np.ndarray  # float64 (levels,): its random numbers, from 0 to 1


class Results(NamedTuple):
    """What has been found besides numbers of trees, and scratch of the tree that is taken."""

    sizes: np.ndarray  # int64 (features + 1,): distinct trees by number of features
    best: np.ndarray  # uint8 (features,)
    subset: np.ndarray  # uint64 (results, words), with the next two: trees to be handed over
    errors: np.ndarray  # int64 (results,)
    digest: np.ndarray  # uint64 (results,)
    place: np.ndarray  # int64 (features,): when each goes
    path: np.ndarray  # int64 (depth,)
    score: np.ndarray  # int64 (features,)
