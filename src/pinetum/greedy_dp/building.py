"""Trees for a decision table as the common `Tree`, and what a tree costs, counted again from the
tree alone.
"""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.costs import COSTS
from pinetum.greedy_dp.kernels.constants import DEPTH, NODES, NONTERMINALS, PATH, TERMINALS
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.trees import Tree

ABSENT = "?"  # a missing cell where it is a value of its own
MOST_NODES = 500_000  # of a tree, empty leaves included: some 300 MB while it is made


def tree_of(
    table: DecisionTable, choose, key, names: Dataset | None = None, *, counts="rows"
) -> Tree:
    """The tree that `choose` describes, values that no row of a subtable has leading to empty
    leaves.

    Parameters
    ----------
    table : DecisionTable
    choose : function (rows, key) -> (attribute, {value: key})
        What a subtable (indices of its rows) that is no leaf tests first, and a key for each of its
        branches.
    key : the key of the whole table
    names : the data set that the table is of, for the names of features, values and classes
    counts : {"rows", "cases"}
        What a node counts per class: rows of the merged table, or cases of the data.

    A `MemoryError` says that it would have more than `MOST_NODES` nodes.
    """
    feature: list[int] = []
    threshold, cut, held, label = [], [], [], []
    children: list[list[int]] = []
    numbers = () if names is None else names.values
    tested = np.arange(table.n_attributes) if table.feature is None else table.feature
    cuts = np.full(table.n_attributes, -1) if table.cut is None else table.cut
    per_row = counts_per_row(table, counts)
    planned = 1  # nodes, with the branches of every split so far
    stack = [(np.arange(table.n_rows), key, 0, -1)]
    while stack:
        rows, key, above, parent = stack.pop()
        node = len(feature)
        if parent >= 0:
            children[parent].append(node)
        decision = table.decision_of(rows) if len(rows) else above
        feature.append(-1)
        threshold.append(np.nan)
        cut.append(-1)
        children.append([])
        held.append(per_row[rows].sum(axis=0))
        label.append(decision)
        if len(rows) and not table.is_leaf(rows):
            a, keys = choose(rows, key)
            feature[node] = int(tested[a])
            planned += int(table.arity[a])
            if planned > MOST_NODES:
                raise MemoryError(too_many_nodes(table, tested, names))
            cut[node] = int(cuts[a])
            if cut[node] >= 0:
                threshold[node] = midpoint(numbers[tested[a]], cut[node])
            for value in reversed(range(table.arity[a])):
                below = rows[table.codes[a, rows] == value]
                stack.append((below, keys.get(value), decision, node))
    feature_names, class_names, values = names_of(table, names)
    return Tree(
        feature=np.array(feature, dtype=np.int32),
        threshold=np.array(threshold, dtype=np.float64),
        cut=np.array(cut, dtype=np.int32),
        child_start=np.concatenate(
            [[0], np.cumsum([len(branches) for branches in children])]
        ).astype(np.int32),
        children=np.array([child for branches in children for child in branches], dtype=np.int32),
        counts=np.array(held, dtype=np.float64),
        label=np.array(label, dtype=np.int32),
        feature_names=feature_names,
        class_names=class_names,
        values=values,
    )


def too_many_nodes(table, tested, names) -> str:
    widest = int(np.argmax(table.arity))
    name = f"f{widest + 1}" if names is None else names.feature_names[int(tested[widest])]
    text = f"the tree would have more than {MOST_NODES:,} nodes"
    return f"{text}; {name} has {int(table.arity[widest]):,} values: group them or leave it out"


def midpoint(values, rank):
    """The threshold between two neighbouring numbers.

    Never the upper one, also where rounding would give it.
    """
    low, high = float(values[rank]), float(values[rank + 1])
    middle = low / 2 + high / 2 if np.isinf(high - low) else low + (high - low) / 2
    return middle if middle < high else low


def counts_per_row(table, counts):
    if counts not in ("rows", "cases"):
        raise ValueError(f"counts is {counts!r}; allowed are rows, cases")
    if counts == "cases":
        if table.groups is None:
            return table.votes
        return table.votes.sum(axis=1)[:, None] * table.answers.T
    return np.eye(table.n_decisions, dtype=np.int64)[table.decisions]


def names_of(table, names):
    """(features, classes, values) as a Tree has them.

    A value for missing cells and generalised decisions included.
    """
    if names is None:
        features = tuple(f"f{a + 1}" for a in range(table.n_attributes))
        classes = tuple(str(c) for c in range(table.votes.shape[1]))
        words = {arity: tuple(map(str, range(arity))) for arity in np.unique(table.arity).tolist()}
        values = tuple(words[arity] for arity in table.arity.tolist())
    else:
        features, classes, values = names.feature_names, names.class_names, list(names.values)
        for a in np.flatnonzero(table.cut < 0):
            f = table.feature[a]
            if len(values[f]) < table.arity[a]:
                values[f] = (*values[f], ABSENT)
        values = tuple(
            None if names.continuous[f] else tuple(values[f]) for f in range(len(values))
        )
    if table.groups is not None:
        classes = tuple(" and ".join(classes[c] for c in group) for group in table.groups)
    return features, classes, values


def costs_of_tree(table: DecisionTable, tree: Tree) -> np.ndarray:
    """The five costs of a tree, counted by sending the table's rows down.

    Raises if a leaf is wrong for too much.
    """
    feature = np.arange(table.n_attributes) if table.feature is None else table.feature
    cut = np.full(table.n_attributes, -1) if table.cut is None else table.cut
    asked = np.flatnonzero(np.isin(feature, tree.feature))
    tests = zip(feature[asked].tolist(), cut[asked].tolist(), strict=True)
    attribute = dict(zip(tests, asked.tolist(), strict=True))
    costs = np.zeros(len(COSTS), dtype=np.int64)
    stack = [(0, np.arange(table.n_rows), 0)]
    while stack:
        node, rows, paid = stack.pop()
        if len(rows) == 0:
            continue
        if tree.feature[node] < 0:
            answered = int(table.weight[rows][table.answers[tree.label[node], rows]].sum())
            total = int(table.weight[rows].sum())
            if not table.may_answer_wrongly(total - answered, total):
                raise ArithmeticError(f"node {node} answers {total - answered} of {total} wrongly")
            costs[TERMINALS] += 1
            costs[NODES] += 1
            costs[DEPTH] = max(costs[DEPTH], paid)
            continue
        a = attribute[int(tree.feature[node]), int(tree.cut[node])]
        price = int(table.price[a])
        costs[PATH] += price * int(table.weight[rows].sum())
        costs[NODES] += price
        costs[NONTERMINALS] += price
        for value, child in enumerate(tree.branches(node)):
            stack.append((child, rows[table.codes[a, rows] == value], paid + price))
    return costs
