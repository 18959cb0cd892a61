"""C4.5's error-based pruning, with subtree raising, on flat arrays.

A tree is pruned bottom-up and once. Raising replaces a node by its largest branch, after that
branch was pruned again with all cases of the node; so a raised branch is rewritten in place:
`feature`, `first` (the children's offset) and counts of the node become those of the branch. Nodes
that fall away stay in the arrays, unreachable; the caller picks up what is reachable from the root.

Cases are kept as lists (case, weight in WEIGHT_UNITs); the recursion over subtrees is an explicit
stack of tasks, each with a state. Weights are shared out and added up as whole numbers, as in the
grower, so that nothing depends on the order of the cases; estimates are in cases.
"""

from typing import NamedTuple

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.quality import branch_share
from pinetum.jit import kernel


@kernel
def extra_errors(n, e, cf, z2, release_8):
    """Errors to add to e of n cases, so that the sum is the upper confidence limit.

    `release_8`: 0.67 (n - e) where e + 0.5 >= n, as Release 8; otherwise max(n - e, 0), as J48.
    """
    if n <= 0.0:
        return 0.0
    if e < 1e-6:
        return n * (1.0 - cf ** (1.0 / n))
    if e < 0.9999:
        at_zero = n * (1.0 - cf ** (1.0 / n))
        return at_zero + e * (extra_errors_beyond(n, 1.0, z2, release_8) - at_zero)
    return extra_errors_beyond(n, e, z2, release_8)


@kernel
def extra_errors_beyond(n, e, z2, release_8):
    """The same for at least one error."""
    if e + 0.5 >= n:
        return 0.67 * (n - e) if release_8 else max(n - e, 0.0)
    x = e + 0.5
    p = (x + z2 / 2 + np.sqrt(z2 * (x * (1 - x / n) + z2 / 4))) / (n + z2)
    return n * p - e


@kernel
def weigh(labels, cases, weights, a, b, counts):
    """Class weights of the cases a..b; gives their sum."""
    counts[:] = 0
    total = np.int64(0)
    for i in range(a, b):
        counts[labels[cases[i]]] += weights[i]
        total += weights[i]
    return total


@kernel
def count_parts(codes, cut, branches, tasks, begin, end):
    """Cases in every branch, and their weight whose value is known."""
    cases, weights, known, start = tasks.cases, tasks.weights, tasks.known, tasks.start
    known[:branches] = 0
    start[:branches] = 0
    lacking = 0
    for i in range(begin, end):
        code = codes[cases[i]]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            known[k] += weights[i]
            start[k] += 1
        else:
            lacking += 1
    for k in range(branches):
        start[k] += lacking if known[k] > 0 else 0


@kernel
def copy_parts(codes, cut, branches, tasks, begin, end):
    """Copy cases to where their branches begin, unknown ones in proportion to the known."""
    cases, weights, known, start = tasks.cases, tasks.weights, tasks.known, tasks.start
    total = np.int64(0)
    for k in range(branches):
        total += known[k]
    for i in range(begin, end):
        code = codes[cases[i]]
        if code >= 0:
            k = code if cut < 0 else (1 if code > cut else 0)
            cases[start[k]], weights[start[k]] = cases[i], weights[i]
            start[k] += 1
            continue
        for k in range(branches):
            if known[k] > 0:
                cases[start[k]] = cases[i]
                weights[start[k]] = branch_share(weights[i], known[k], total)
                start[k] += 1


VISIT, BRANCH_DONE, TRIED = 0, 1, 2  # states of a task
DONE, PAUSED, FEW_TASKS, SHORT_LISTS = 0, 1, 2, 3  # statuses; after the last two `Tasks` needs room
GOING = 4  # no status that is returned: `prune` goes on
SOME_TASKS = 64  # for which there is room at first


class Nodes(NamedTuple):
    """A tree that is pruned in place; children of node i are children[first[i] : + branches[i]]."""

    feature: np.ndarray  # int32 (nodes,)
    threshold: np.ndarray  # float64 (nodes,)
    cut: np.ndarray  # int32 (nodes,)
    first: np.ndarray  # int32 (nodes,)
    branches: np.ndarray  # int32 (nodes,)
    children: np.ndarray  # int32
    counts: np.ndarray  # float64 (nodes, classes)
    label: np.ndarray  # int32 (nodes,)


class Question(NamedTuple):
    """How errors are estimated, and what may be done."""

    raising: bool  # a node may be replaced by its largest branch
    cf: float
    z2: float
    release_8: bool
    margin: float  # cases: a simpler tree wins when it errs no more than this above


# A task estimates the errors of a node for the cases begin..end of the lists.
TASK = np.dtype(
    (
        np.record,
        [
            ("node", np.int64),
            ("state", np.int64),
            ("begin", np.int64),
            ("end", np.int64),
            ("used_above", np.int64),  # places of the lists
            ("update", np.int64),  # 1: it prunes on the way
            ("next", np.int64),  # branch at hand
            ("at", np.int64),  # where the cases of the next branch begin
            ("largest", np.int64),  # branch of most cases
            ("leaf", np.float64),  # estimate as a leaf
            ("tree", np.float64),  # and of the branches so far
        ],
    )
)
NOW = np.dtype(
    (
        np.record,
        [
            ("status", np.int64),
            ("left", np.int64),  # cases to look at before it pauses
            ("top", np.int64),  # place of the task at hand; -1: all is done
            ("used", np.int64),  # places of the lists in use
            ("wanted", np.int64),  # that they need
            ("result", np.float64),  # estimated errors of what was done last
        ],
    )
)


class Tasks(NamedTuple):
    """What is still to be done; a task lies above the one that it is a part of."""

    now: np.ndarray  # NOW (1,)
    task: np.ndarray  # TASK (tasks,)
    sizes: np.ndarray  # int64 (tasks, branches): cases of each branch
    known: np.ndarray  # int64 (branches,): their weight whose value is known
    start: np.ndarray  # int64 (branches,): where the next case goes
    counts: np.ndarray  # int64 (classes,)
    cases: np.ndarray  # int32: the lists of all tasks
    weights: np.ndarray  # int64


def first_task(cases, weights, n, branches, classes) -> Tasks:
    """The root, with the cases in [0, n) of lists; nodes have so many branches at most."""
    now, task = np.zeros(1, NOW), np.zeros(SOME_TASKS, TASK)
    now["used"] = task["end"][0] = n
    task["update"][0] = 1
    by_branch = np.zeros((2, branches), np.int64)
    sizes = np.zeros((SOME_TASKS, branches), np.int64)
    return Tasks(now, task, sizes, *by_branch, np.zeros(classes, np.int64), cases, weights)


def with_room(tasks: Tasks) -> Tasks:
    """The same with room for what `prune` wants."""
    if tasks.now["status"][0] == FEW_TASKS:
        task, sizes = np.zeros_like(tasks.task), np.zeros_like(tasks.sizes)
        return tasks._replace(
            task=np.concatenate([tasks.task, task]), sizes=np.concatenate([tasks.sizes, sizes])
        )
    more = max(int(tasks.now["wanted"][0]), 2 * len(tasks.cases)) - len(tasks.cases)
    return tasks._replace(
        cases=np.concatenate([tasks.cases, np.empty(more, dtype=np.int32)]),
        weights=np.concatenate([tasks.weights, np.empty(more, dtype=np.int64)]),
    )


@kernel(inline=True)
def visit(codes, labels, nodes, question, tasks, task, now):
    """Estimate the errors of a node as a leaf, and part its cases among its branches."""
    node, counts = task.node, tasks.counts
    total = weigh(labels, tasks.cases, tasks.weights, task.begin, task.end, counts)
    own = nodes.label[node]
    for c in range(len(counts)):
        if counts[c] > counts[own]:
            own = c
    if task.update:
        nodes.label[node] = own
        for c in range(len(counts)):
            nodes.counts[node, c] = counts[c] / WEIGHT_UNIT
    wrong = (total - counts[own]) / WEIGHT_UNIT
    task.leaf = wrong + extra_errors(
        total / WEIGHT_UNIT, wrong, question.cf, question.z2, question.release_8
    )
    now.left -= task.end - task.begin
    if nodes.feature[node] < 0:
        now.result = task.leaf
        now.top -= 1
    elif now.top + 1 == len(tasks.task):
        now.status = FEW_TASKS
    else:
        part_task(codes[nodes.feature[node]], nodes, tasks, task, now)


@kernel(inline=True)
def part_task(codes, nodes, tasks, task, now):
    """Put the cases of every branch behind the lists in use, if there is room."""
    cut, branches = nodes.cut[task.node], nodes.branches[task.node]
    known, start, sizes = tasks.known, tasks.start, tasks.sizes[now.top]
    count_parts(codes, cut, branches, tasks, task.begin, task.end)
    largest, used = 0, now.used
    for k in range(branches):
        if known[k] >= known[largest]:
            largest = k
        sizes[k], start[k] = start[k], used
        used += sizes[k]
    now.wanted = used
    if used > len(tasks.cases):
        now.status = SHORT_LISTS
    else:
        copy_parts(codes, cut, branches, tasks, task.begin, task.end)
        task.used_above = task.at = now.used
        task.largest, task.next, task.state = largest, -1, BRANCH_DONE
        task.tree = now.result = 0.0
        now.used = used


@kernel(inline=True)
def add_task(tasks, now, node, begin, end, update):
    """Let a node be the next to be visited."""
    now.top += 1
    task = tasks.task[now.top]
    task.node, task.begin, task.end = node, begin, end
    task.update, task.state = update, VISIT


@kernel(inline=True)
def next_branch(nodes, question, tasks, task, now):
    """Go on with the next branch that has cases; after the last one try the largest for all."""
    first, sizes = nodes.first[task.node], tasks.sizes[now.top]
    task.tree += now.result
    task.next += 1
    while task.next < nodes.branches[task.node] and sizes[task.next] == 0:
        task.next += 1
    if task.next < nodes.branches[task.node]:
        begin = task.at
        task.at += sizes[task.next]
        add_task(tasks, now, nodes.children[first + task.next], begin, task.at, task.update)
    else:
        now.used = task.used_above
        if not task.update:
            now.result = task.tree
            now.top -= 1
        else:
            task.state, now.result = TRIED, np.inf
            if question.raising:
                largest = nodes.children[first + task.largest]
                add_task(tasks, now, largest, task.begin, task.end, np.int64(0))


@kernel(inline=True)
def decide(nodes, question, task, now):
    """Make a node a leaf, or its largest branch, or leave it; `now.result` is what the branch makes
    of all cases.
    """
    node, margin = task.node, question.margin
    if task.leaf <= now.result + margin and task.leaf <= task.tree + margin:
        nodes.feature[node], nodes.threshold[node], nodes.cut[node] = -1, np.nan, -1
        nodes.branches[node] = 0
        now.result = task.leaf
        now.top -= 1
    elif now.result <= task.tree + margin and question.raising:
        # The branch takes the node's place and is pruned again with all of its cases.
        largest = nodes.children[nodes.first[node] + task.largest]
        nodes.feature[node], nodes.threshold[node] = (
            nodes.feature[largest],
            nodes.threshold[largest],
        )
        nodes.cut[node], nodes.label[node] = nodes.cut[largest], nodes.label[largest]
        nodes.first[node], nodes.branches[node] = nodes.first[largest], nodes.branches[largest]
        task.state = VISIT
    else:
        now.result = task.tree
        now.top -= 1


@kernel
def prune(codes, labels, nodes, question, tasks, most_work):
    """Prune in place until so many cases were looked at or there is too little room: the status."""
    now = tasks.now[0]
    now.left, now.status = most_work, GOING
    while now.status == GOING:
        task = tasks.task[max(now.top, 0)]
        if now.top < 0:
            now.status = DONE
        elif now.left <= 0:
            now.status = PAUSED
        elif task.state == VISIT:
            visit(codes, labels, nodes, question, tasks, task, now)
        elif task.state == BRANCH_DONE:
            next_branch(nodes, question, tasks, task, now)
        else:
            decide(nodes, question, task, now)
    return now.status
