"""A policy as the common tree, and what any tree of discrete features is worth under Naive
Bayes.
"""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.solver import Policy
from pinetum.trees import Tree


def to_tree(policy: Policy, model: NaiveBayes, dataset: Dataset, cases=None) -> Tree:
    """`counts` are what Naive Bayes expects of so many cases, so that shares of classes are its
    posteriors.
    """
    cases = dataset.n_cases if cases is None else cases
    nodes = len(policy.feature)
    arity = np.diff(model.start)
    branches = np.where(policy.feature >= 0, arity[policy.feature], 0)
    child_start = np.concatenate(([0], np.cumsum(branches)))
    children = np.empty(child_start[-1], dtype=np.int32)
    children[child_start[policy.parent[1:]] + policy.branch[1:]] = np.arange(1, nodes)
    return Tree(
        feature=policy.feature.astype(np.int32),
        threshold=np.full(nodes, np.nan),
        cut=np.full(nodes, -1, dtype=np.int32),
        child_start=child_start.astype(np.int32),
        children=children,
        counts=policy.joint * cases,
        label=policy.label.astype(np.int32),
        feature_names=dataset.feature_names,
        class_names=dataset.class_names,
        values=dataset.values,
    )


def node_joints(tree: Tree, model: NaiveBayes) -> np.ndarray:
    """P(path, class) of every node of a tree whose features are discrete."""
    joint = np.empty((tree.n_nodes, model.n_classes))
    joint[0] = model.prior
    for node in map(int, np.flatnonzero(tree.feature >= 0)):  # preorder: parents first
        first = model.start[tree.feature[node]]
        children = tree.branches(node)
        joint[children] = joint[node] * model.given[:, first : first + len(children)].T
    return joint


def leaf_terms(tree: Tree, model: NaiveBayes) -> np.ndarray:
    """P(path, label) per node, 0 at inner nodes; the sum is the expected accuracy of the tree."""
    right = node_joints(tree, model)[np.arange(tree.n_nodes), tree.label]
    return np.where(tree.feature < 0, right, 0.0)


def expected_accuracy(tree: Tree, model: NaiveBayes) -> float:
    return float(leaf_terms(tree, model).sum())


def leaf_records(tree: Tree, model: NaiveBayes) -> list[dict]:
    """One record per leaf: its path, P(path), its class, P(class | path) and its term of the
    expected accuracy.
    """
    joint, terms = node_joints(tree, model), leaf_terms(tree, model)
    paths = [""] * tree.n_nodes
    for node in map(int, np.flatnonzero(tree.feature >= 0)):
        feature = tree.feature[node]
        for value, child in zip(tree.values[feature], tree.branches(node), strict=True):
            test = f"{tree.feature_names[feature]}={value}"
            paths[child] = f"{paths[node]} & {test}" if paths[node] else test
    return [
        {
            "leaf": int(node),
            "path": paths[node],
            "class": tree.class_names[tree.label[node]],
            "p_path": joint[node].sum(),
            "p_class": terms[node] / joint[node].sum() if joint[node].sum() > 0 else 0.0,
            "term": terms[node],
        }
        for node in np.flatnonzero(tree.feature < 0)
    ]
