"""A tree of ours as scikit-learn's, and through it in the tools that its users have.

The tools are tested where they are installed (`pip install 'pinetum[interop]'`).
"""

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.trees.scikit_learn import from_sklearn, to_sklearn


def numbers(seed=0, cases=160):
    """Numbers that float32 holds, three classes that three columns tell apart for the most part."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(cases, 5)).astype(np.float32).astype(float)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] + X[:, 2] > 0.5)
    y[::9] = rng.integers(0, 3, len(y[::9]))
    return X, np.array(["no", "so", "yes"])[y]


def mixed(seed=0, cases=160):
    X, y = numbers(seed, cases)
    rng = np.random.default_rng(seed)
    town = np.where(X[:, 0] > 0, rng.choice(["Bonn", "Ulm"], cases), rng.choice(["Jena", "Köln"]))
    return pd.DataFrame({"age": X[:, 1], "town": town, "ill": X[:, 2] > 0}), y


@pytest.fixture(scope="module")
def model():
    return pinetum.TreeClassifier(max_depth=6).fit(*numbers())


MODELS = [
    pinetum.TreeClassifier(),
    pinetum.TreeClassifier(prune="PEP"),
    pinetum.NBDTClassifier(2, cost_matrix=[[0, 5, 1], [1, 0, 1], [1, 1, 0]]),
    pinetum.MinimalTree(work=1000),
    pinetum.MinimalTree(inconsistent="all", work=1000),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("table", [numbers, mixed])
@pytest.mark.parametrize("estimator", MODELS, ids=str)
def test_the_same_classes_and_shares(estimator, table):
    X, y = table()
    model = estimator.fit(X, y)
    tree, cases = model.to_sklearn(), model.encode(X)
    assert tree.predict(cases).tolist() == model.predict(X).tolist()
    own = model.tree_.counts[np.arange(model.tree_.n_nodes), model.tree_.label]
    if (own == model.tree_.counts.max(axis=1)).all():
        assert np.allclose(tree.predict_proba(cases), model.predict_proba(X), rtol=0, atol=1e-15)
    again = from_sklearn(tree)
    said = np.array(again.class_names)[again.predict(np.asarray(cases))]
    assert said.tolist() == model.predict(X).tolist()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_missing_values_go_where_the_tree_says_or_are_refused():
    X, y = mixed()
    holed = X.copy()
    holed.loc[::7, ["age", "town"]] = None
    model = pinetum.TreeClassifier().fit(holed, y)
    with pytest.raises(ValueError, match="shares out to all branches"):
        model.encode(holed)
    shares = model.to_sklearn().predict_proba(model.encode(holed, missing="larger"))
    assert np.allclose(shares.sum(axis=1), 1)
    minimal = pinetum.MinimalTree(work=1000).fit(holed, y)
    assert (minimal.to_sklearn().predict(minimal.encode(holed)) == minimal.predict(holed)).all()


def test_a_node_has_the_cases_of_its_branches():
    X, y = mixed()
    tree = pinetum.TreeClassifier().fit(X, y).to_sklearn().tree_
    inner = np.flatnonzero(tree.children_left >= 0)
    below = tree.n_node_samples[tree.children_left] + tree.n_node_samples[tree.children_right]
    assert tree.n_node_samples[0] == len(y)
    assert (below[inner] == tree.n_node_samples[inner]).all()
    assert list(tree.children_left[inner]) == list(inner + 1)


def test_planes_are_refused():
    X, y = numbers()
    with pytest.raises(ValueError, match="weighted sums"):
        pinetum.SeparatorClassifier(max_depth=1).fit(X, y).to_sklearn()


def test_text_and_pictures(model):
    from sklearn.tree import export_graphviz, export_text, plot_tree

    tree = model.to_sklearn()
    assert export_text(tree).count("class:") == model.get_n_leaves()
    assert export_graphviz(tree).count("->") == 2 * model.get_n_leaves() - 2
    assert len(plot_tree(tree)) >= tree.tree_.node_count


def test_shap(model):
    shap = pytest.importorskip("shap")
    X, _ = numbers()
    explainer = shap.TreeExplainer(model.to_sklearn())
    told = explainer.shap_values(X).sum(axis=1) + explainer.expected_value
    assert np.abs(told - model.predict_proba(X)).max() < 1e-9


def test_onnx(model):
    convert = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    X, _ = numbers()
    made = convert.to_onnx(model.to_sklearn(), X[:1].astype(np.float32))
    session = runtime.InferenceSession(made.SerializeToString())
    said = session.run(None, {"X": X.astype(np.float32)})[0]
    assert said.tolist() == model.predict(X).tolist()


def test_code_in_other_languages(model):
    m2cgen = pytest.importorskip("m2cgen")
    X, _ = numbers()
    space: dict = {}
    exec(m2cgen.export_to_python(model.to_sklearn()), space)
    said = model.classes_[[int(np.argmax(space["score"](row))) for row in X]]
    assert said.tolist() == model.predict(X).tolist()
    assert "void score" in m2cgen.export_to_c(model.to_sklearn())


def test_dtreeviz(model):
    dtreeviz = pytest.importorskip("dtreeviz")
    X, y = numbers()
    labels = np.searchsorted(model.classes_, y)
    names = [f"x{j}" for j in range(X.shape[1])]
    tree = dtreeviz.model(
        to_sklearn(model.tree_, classes=[0, 1, 2]),
        X,
        labels,
        feature_names=names,
        target_name="y",
        class_names=["no", "so", "yes"],
    )
    asked = model.tree_.feature_names[model.tree_.feature[0]]
    assert asked in tree.explain_prediction_path(X[0])


def test_supertree(model):
    supertree = pytest.importorskip("supertree")
    X, y = numbers()
    labels = np.searchsorted(model.classes_, y)
    tree = supertree.SuperTree(to_sklearn(model.tree_, classes=[0, 1, 2]), X, labels)
    assert tree is not None


def test_treelite(model):
    treelite = pytest.importorskip("treelite")
    from sklearn.ensemble import RandomForestClassifier

    X, y = numbers()
    forest = RandomForestClassifier(n_estimators=1).fit(X, y)
    forest.estimators_ = [model.to_sklearn()]
    shares = treelite.gtil.predict(treelite.sklearn.import_model(forest), X).reshape(len(X), -1)
    assert np.allclose(shares, model.predict_proba(X), atol=1e-6)
