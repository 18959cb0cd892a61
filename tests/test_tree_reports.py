"""What every fitted classifier tells of its tree: leaves, paths, frames, drawings.

The same nodes everywhere.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import pinetum

MODELS = {
    "TreeClassifier": {},
    "NBDTClassifier": {"max_depth": 2},
    "OptimalTreeClassifier": {"max_depth": 2},
    "SeparatorClassifier": {"max_depth": 2},
    "MinimalTree": {},
    "BestSubset": {},
}


def cases(mixed):
    rng = np.random.default_rng(3)
    size, weight = rng.integers(0, 6, 90), rng.integers(0, 6, 90)
    colour = rng.choice(["red", "green", "blue"], 90)
    y = np.where((size > 3) ^ (colour == "red"), "yes", "no")
    if mixed:
        return pd.DataFrame({"size": size, "colour": colour, "weight": weight}), y
    return np.column_stack([size, colour == "red", weight]).astype(float), y


@pytest.mark.parametrize("mixed", [False, True], ids=["numbers", "mixed"])
@pytest.mark.parametrize("name", MODELS)
def test_leaves_and_paths_are_those_of_the_predictions(name, mixed):
    X, y = cases(mixed)
    model = getattr(pinetum, name)(**MODELS[name]).fit(X, y)
    leaves, path, frame = model.apply(X), model.decision_path(X).toarray(), model.to_frame()
    assert path.shape == (90, len(frame)) and set(np.unique(path)) <= {0, 1}
    assert path[:, 0].all() and path[np.arange(90), leaves].all()
    assert path.sum(axis=1).max() - 1 <= model.get_depth()
    assert len(set(leaves)) <= model.get_n_leaves()
    predicted = model.predict(X)
    for leaf in set(leaves):
        assert len(set(predicted[leaves == leaf])) == 1
    assert (predicted == y).mean() > 0.6
    assert model.to_dot().startswith("digraph") and model.to_dot().count("->") == len(frame) - 1


@pytest.mark.parametrize("name", MODELS)
def test_notebooks_draw_a_fitted_tree_and_leave_open_figures_alone(name):
    model = getattr(pinetum, name)(**MODELS[name])
    assert "<svg" not in model._repr_html_() and name in model._repr_html_()
    plt.close("all")
    mine = plt.figure()
    shown = model.fit(*cases(False))._repr_mimebundle_()
    assert plt.get_fignums() == [mine.number]
    plt.close("all")
    assert shown["text/plain"] == repr(model) and "<svg" in shown["text/html"]


def test_a_set_of_near_optimal_trees_tells_of_every_tree():
    X, y = cases(True)
    y[::9] = "yes"
    model = pinetum.NearOptimalTrees(extra=0.2).fit(X, y)
    trees = list(model)
    assert len(trees) == len(model.to_frame()) > 1
    leaves, (path, begins) = model.apply(X), model.decision_path(X)
    assert (
        leaves.shape == (90, len(trees))
        and path.shape == (90, begins[-1])
        and len(begins) == len(trees) + 1
    )
    for place, tree in enumerate(trees):
        part = path[:, begins[place] : begins[place + 1]].toarray()
        assert part.shape[1] == tree.n_nodes and part[np.arange(90), leaves[:, place]].all()
    assert model.get_depth() == max(tree.depth for tree in trees)
    assert model.get_n_leaves() == min(tree.sizes.leaves for tree in trees)
    text = model.to_text(max_trees=1)
    assert text.startswith(
        f"tree 1 of {model.n_trees_:,}, {100 * model.errors_[0]:.2f} % errors in the search\n"
    )
    assert trees[0].to_text() in text and "tree 2" not in text and "tree 2 of" in model.to_text()
