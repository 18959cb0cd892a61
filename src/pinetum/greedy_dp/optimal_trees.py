"""An optimal tree per cost as the common `Tree`; values that no row of a subtable has lead to empty leaves."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.kernels import minima_any as kernels
from pinetum.greedy_dp.optimum import Graph, row_words
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.trees import Tree


def optimal_tree(table: DecisionTable, graph: Graph, cost: int, names: Dataset) -> Tree:
    """A tree of least cost, at each node the first attribute it can begin with; counts are of merged rows."""
    if graph.status != "ok":
        raise ValueError(f"the graph is not complete ({graph.status}): no tree is known to be optimal")
    feature, children, counts, label = [], [], [], []

    def enter(rows, above):
        """Append a node and what lies below; recursion is as deep as the tree, at most one level per attribute."""
        node = len(feature)
        votes = np.bincount(table.decisions[rows], minlength=table.n_decisions)
        majority = int(votes.argmax()) if len(rows) else above
        feature.append(-1)
        children.append([])
        counts.append(votes)
        label.append(majority)
        if np.count_nonzero(votes) > 1:
            a = first_attribute(rows)
            feature[node] = a
            for value in range(table.arity[a]):
                children[node].append(len(feature))
                enter(rows[table.codes[a, rows] == value], majority)

    def first_attribute(rows):
        flags = np.zeros((1, table.n_rows), dtype=bool)
        flags[0, rows] = True
        return kernels.best_attribute(
            row_words(flags)[0], len(rows), cost, graph.sets, graph.index, graph.costs, *graph.words.arguments()
        )

    enter(np.arange(table.n_rows), 0)
    n = len(feature)
    return Tree(
        feature=np.array(feature, dtype=np.int32),
        threshold=np.full(n, np.nan),
        cut=np.full(n, -1, dtype=np.int32),
        child_start=np.concatenate([[0], np.cumsum([len(branches) for branches in children])]).astype(np.int32),
        children=np.array([child for branches in children for child in branches], dtype=np.int32),
        counts=np.array(counts, dtype=np.float64),
        label=np.array(label, dtype=np.int32),
        feature_names=names.feature_names,
        class_names=names.class_names,
        values=names.values,
    )
