"""Fitted scikit-learn trees as `Tree`, with the same predictions."""

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
