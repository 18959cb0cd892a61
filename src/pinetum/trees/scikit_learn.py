"""Fitted scikit-learn trees as `Tree`, and the other way, with the same predictions."""

from typing import NamedTuple

import numpy as np

from pinetum.trees.tree import Tree


def from_sklearn(model) -> Tree:
    """Convert a fitted scikit-learn decision tree classifier.

    Parameters
    ----------
    model : DecisionTreeClassifier or ExtraTreeClassifier
        Fitted, with one output.

    Returns
    -------
    Tree
        It predicts what the model predicts, for every float64 table without missing values.
        scikit-learn rounds cases to float32 before it compares them; the thresholds are moved by
        that rounding, so that the tree need not round. Missing values are handled in Pinetum's way,
        in proportion to the training cases.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> tree = from_sklearn(model)
    >>> tree.sizes.leaves, (tree.predict(X) == model.predict(X)).all()
    (9, np.True_)
    """
    grown = getattr(model, "tree_", None)
    if grown is None or not hasattr(model, "classes_") or not hasattr(grown, "children_left"):
        raise ValueError(f"{model!r}: expected a fitted scikit-learn decision tree classifier")
    if grown.n_outputs != 1:
        raise ValueError(f"the model has {grown.n_outputs} outputs; expected one")
    visited, stack = [], [0]
    while stack:  # preorder; trees grown best first are not kept so
        node = stack.pop()
        visited.append(node)
        if grown.children_left[node] >= 0:
            stack += [grown.children_right[node], grown.children_left[node]]
    order = np.array(visited)
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    inner = grown.children_left[order] >= 0
    shares = grown.value[order, 0, :]
    counts = shares / shares.sum(axis=1, keepdims=True) * grown.weighted_n_node_samples[order, None]
    whole = np.rint(counts)
    counts = np.where(np.abs(counts - whole) < 1e-6 * np.maximum(whole, 1), whole, counts)
    threshold = np.where(inner, before_rounding(grown.threshold[order]), np.nan)
    feature = np.where(inner, grown.feature[order], -1).astype(np.int32)
    children = np.stack([grown.children_left[order], grown.children_right[order]], axis=1)[inner]
    names = getattr(model, "feature_names_in_", [f"x{j}" for j in range(model.n_features_in_)])
    return Tree(
        feature=feature,
        threshold=threshold,
        cut=places_of(feature, threshold),
        child_start=np.concatenate([[0], np.cumsum(2 * inner)]).astype(np.int32),
        children=place[children.ravel()],
        counts=counts,
        label=shares.argmax(axis=1).astype(np.int32),
        feature_names=tuple(map(str, names)),
        class_names=tuple(map(str, model.classes_)),
        values=(None,) * model.n_features_in_,
    )


def before_rounding(thresholds):
    """The largest float64 that is not above the threshold once it is rounded to float32."""
    low = thresholds.astype(np.float32)
    low = np.where(low.astype(np.float64) > thresholds, np.nextafter(low, np.float32(-np.inf)), low)
    middle = (low.astype(np.float64) + np.nextafter(low, np.float32(np.inf)).astype(np.float64)) / 2
    return np.where(middle.astype(np.float32) == low, middle, np.nextafter(middle, -np.inf))


def places_of(feature, threshold):
    """Rank codes of continuous splits among the tree's own thresholds, -1 at other nodes."""
    cut = np.full(len(feature), -1, np.int32)
    for f in np.unique(feature[~np.isnan(threshold)]):
        mine = (feature == f) & ~np.isnan(threshold)
        cut[mine] = np.unique(threshold[mine], return_inverse=True)[1]
    return cut


class Nodes(NamedTuple):
    """The nodes of a tree with two branches everywhere, as lists in preorder."""

    source: list  # the node of the tree that it stands for
    feature: list  # -1 in a leaf
    threshold: list
    left: list
    right: list
    missing_left: list  # whether missing values go left


def to_sklearn(tree, *, classes=None, labels=None, shares=None, branch_of_missing=None):
    """A `DecisionTreeClassifier` with the predictions of a tree.

    Parameters
    ----------
    tree : Tree
    classes : sequence, optional
        What the classes are called in y. Default: the tree's names of them.
    labels, shares : arrays of shape (nodes,) and (nodes, classes), optional
        Class and class shares of every node. Default: the tree's.
    branch_of_missing : dict, optional
        The branch that takes the missing values of a feature. Default: that of most training cases,
        since scikit-learn cannot share a case out to all branches, as the tree does.

    Returns
    -------
    DecisionTreeClassifier
        Of codes where a column is discrete: a split into many values becomes a chain of `<=`.

    Notes
    -----
    scikit-learn rounds cases to float32 before it compares them: a number that differs from a
    threshold by less may take the other branch. A leaf whose class is not the most frequent one
    (costs, a prior) keeps its class, with a share of 1.

    Examples
    --------
    >>> from pinetum import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    >>> to_sklearn(tree).predict([[1.0], [2.5]]).tolist()
    ['a', 'b']
    """
    from sklearn.tree import DecisionTreeClassifier

    classes = np.array(tree.class_names if classes is None else classes)
    labels = tree.label if labels is None else labels
    shares = one_most_frequent(tree._leaf_shares if shares is None else shares, labels)
    nodes = two_branches(tree, branch_of_missing or {})
    source, count = np.array(nodes.source), len(nodes.source)
    width = len(tree.feature_names)
    # A stump of scikit-learn's own says what its arrays are made of.
    stump = DecisionTreeClassifier(max_depth=1).fit(np.zeros((len(classes), width)), classes)
    kind, (_, n_classes, _), state = stump.tree_.__reduce__()
    weight = weights_of(tree, nodes)
    arrays = np.zeros(count, dtype=state["nodes"].dtype)
    for name, values in (
        ("left_child", nodes.left),
        ("right_child", nodes.right),
        ("feature", np.where(np.array(nodes.feature) < 0, -2, nodes.feature)),
        ("threshold", nodes.threshold),
        ("impurity", 1 - (shares[source] ** 2).sum(axis=1)),
        ("n_node_samples", np.rint(weight)),
        ("weighted_n_node_samples", weight),
        ("missing_go_to_left", nodes.missing_left),
    ):
        arrays[name] = values
    stump.tree_ = kind(width, n_classes, 1)
    stump.tree_.__setstate__(
        {
            **state,
            "max_depth": depth_of(nodes),
            "node_count": count,
            "nodes": arrays,
            "values": np.ascontiguousarray(shares[source][:, None, :]),
        }
    )
    stump.max_depth = None
    return stump


def one_most_frequent(shares, labels):
    """Shares of which each node's class has the largest, alone."""
    nodes = np.arange(len(labels))
    own = shares[nodes, labels]
    tied = (own == shares.max(axis=1)) & (shares.argmax(axis=1) != labels)
    shares = np.where((own < shares.max(axis=1))[:, None], np.eye(shares.shape[1])[labels], shares)
    shares[nodes[tied], labels[tied]] = np.nextafter(own[tied], 2)
    return shares


def two_branches(tree, branch_of_missing) -> Nodes:
    """A split of a discrete feature as a chain: is it the first value, else the second, ..."""
    nodes = Nodes([], [], [], [], [], [])
    # node, branches that are passed, the list to write its number in
    stack: list[tuple[int, int, tuple[list, int] | None]] = [(0, 0, None)]
    while stack:
        node, passed, at = stack.pop()
        branches = tree.branches(node)
        if len(branches) == 1:
            stack.append((int(branches[0]), 0, at))
            continue
        number, feature = len(nodes.source), int(tree.feature[node])
        if at is not None:
            at[0][at[1]] = number
        inner = feature >= 0
        numbers = inner and tree.values[feature] is None
        nodes.source.append(node)
        nodes.feature.append(feature)
        nodes.threshold.append(tree.threshold[node] if numbers else passed + 0.5 if inner else -2.0)
        nodes.left.append(-1)
        nodes.right.append(-1)
        nodes.missing_left.append(False)
        if not inner:
            continue
        taken = branch_of_missing.get(feature, int(tree.totals[branches].argmax()))
        nodes.missing_left[-1] = taken == passed
        if passed + 2 < len(branches):
            stack.append((node, passed + 1, (nodes.right, number)))
        else:
            stack.append((int(branches[passed + 1]), 0, (nodes.right, number)))
        stack.append((int(branches[passed]), 0, (nodes.left, number)))
    return nodes


def weights_of(tree, nodes) -> np.ndarray:
    """Training weight of every node: that of its leaves, behind it in preorder."""
    weight = tree.totals[nodes.source]
    for node in range(len(weight) - 1, -1, -1):
        if nodes.feature[node] >= 0:
            weight[node] = weight[nodes.left[node]] + weight[nodes.right[node]]
    return weight


def depth_of(nodes) -> int:
    depth = np.zeros(len(nodes.source), dtype=int)
    for node, (left, right) in enumerate(zip(nodes.left, nodes.right, strict=True)):
        if left >= 0:
            depth[left] = depth[right] = depth[node] + 1
    return int(depth.max())
