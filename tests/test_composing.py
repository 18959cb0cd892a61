"""Estimators in the hands of scikit-learn: on penguins and Adult as they come, with text, missing
cells and all.
"""

import lzma
import os
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks

import pinetum

HERE = Path(__file__).parent
CLASSIFIERS = {
    "tree": pinetum.TreeClassifier(min_cases=5, prune="PEP"),
    "nbdt": pinetum.NBDTClassifier(2, n0=30, max_cuts=4),
    "optimal": pinetum.OptimalTreeClassifier(2),
    "separator": pinetum.SeparatorClassifier(max_depth=1),
    "minimal": pinetum.MinimalTree(alpha_rows=5, thresholds=5, work=10**6),
    "best subset": pinetum.BestSubset(2, min_cases=20, work=10**7),
    "near-optimal trees": pinetum.NearOptimalTrees(folds=2, min_cases=20, keep=5, work=10**7),
}
SELECTORS = {
    "elimination": pinetum.BackwardElimination(folds=2, min_cases=10),
    "best subset": CLASSIFIERS["best subset"],
}


def penguins():
    """Gorman, Williams and Fraser (2014), as the package palmerpenguins has them (CC0)."""
    frame = pd.read_csv(HERE / "files/penguins.csv").drop(columns="year")
    return frame.drop(columns="species"), frame["species"]


def adult():
    """Every tenth of the training cases."""
    path = Path(os.environ.get("PINETUM_MIRROR", ""), "adult/adult.data.xz")
    if not path.is_file():
        pytest.skip(
            "needs a mirror: set PINETUM_MIRROR to a folder laid out as UCI lays out its files"
        )
    with lzma.open(path, "rt") as file:
        frame = (
            pd.read_csv(file, header=None, skipinitialspace=True, na_values="?")
            .iloc[::10]
            .reset_index(drop=True)
        )
    frame.columns = [f"c{place}" for place in range(14)] + ["income"]
    frame = frame.drop(columns="c13")  # 40 countries, nearly all the same
    return frame.drop(columns="income"), frame["income"]


TABLES = {"penguins": penguins, "adult": adult}
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning", "ignore::UserWarning"
)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", CLASSIFIERS)
def test_a_classifier_is_cloned_pickled_saved_and_calibrated(name, table, tmp_path):
    X, y = TABLES[table]()
    X, y = (X, y) if table == "penguins" else (X[:800], y[:800])
    model = clone(CLASSIFIERS[name]).fit(X, y)
    expected = model.predict_proba(X)
    assert expected.shape == (len(X), len(model.classes_)) and np.allclose(expected.sum(axis=1), 1)
    assert model.score(X, y) > 0.75
    assert np.array_equal(clone(model).fit(X, y).predict_proba(X), expected)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), expected)
    pinetum.save(model, tmp_path / "model.json")
    assert np.array_equal(pinetum.load(tmp_path / "model.json").predict_proba(X), expected)
    calibrated = CalibratedClassifierCV(clone(model), cv=2).fit(X, y)
    assert calibrated.score(X, y) > 0.7


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("name", SELECTORS)
def test_a_selector_in_pipelines_and_grid_searches(name, table):
    X, y = TABLES[table]()
    pipeline = make_pipeline(clone(SELECTORS[name]), pinetum.TreeClassifier())
    search = GridSearchCV(
        pipeline, {"treeclassifier__min_cases": [5, 50]}, cv=2, error_score="raise"
    ).fit(X, y)
    assert search.best_score_ > 0.75
    assert cross_val_score(pipeline, X, y, cv=2, error_score="raise").mean() > 0.75
    selector = clone(SELECTORS[name]).set_output(transform="pandas").fit(X, y)
    chosen = selector.transform(X)
    assert list(chosen) == list(selector.get_feature_names_out())
    assert (chosen.dtypes == X[list(chosen)].dtypes).all()


@pytest.mark.parametrize("table", TABLES)
def test_votes_and_columns_of_several_kinds(table):
    X, y = TABLES[table]()
    X, y = (X, y) if table == "penguins" else (X[:800], y[:800])
    voters = [
        (name, clone(CLASSIFIERS[name])) for name in ("tree", "nbdt", "separator", "best subset")
    ]
    for voting in ("hard", "soft"):
        assert VotingClassifier(voters, voting=voting).fit(X, y).score(X, y) > 0.75
    columns = make_column_transformer(
        (SimpleImputer(strategy="median"), make_column_selector(dtype_include="number")),
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    model = make_pipeline(
        columns, clone(SELECTORS["elimination"]), pinetum.TreeClassifier(min_cases=5)
    ).fit(X, y)
    assert model.score(X, y) > 0.75
    plain = make_pipeline(
        columns.set_output(transform="default"), pinetum.TreeClassifier(min_cases=5)
    ).fit(X, y)
    assert plain.score(X, y) > 0.75


# What scikit-learn tests its own estimators with, beside what its `check_estimator` runs.
OWN_CHECKS = ["check_dataframe_column_names_consistency", "check_estimator_repr"]
OF_SELECTORS = [
    "check_set_output_transform",
    "check_set_output_transform_pandas",
    "check_global_output_transform_pandas",
    "check_transformer_get_feature_names_out",
    "check_transformer_get_feature_names_out_pandas",
]


@pytest.mark.parametrize("name", [*CLASSIFIERS, "elimination"])
def test_scikit_learn_s_checks_of_its_own_estimators(name):
    model = {**CLASSIFIERS, **SELECTORS}[name]
    for check in OWN_CHECKS + OF_SELECTORS * (name in SELECTORS):
        getattr(checks, check)(name, clone(model))


def test_columns_of_a_frame_for_a_model_of_an_array():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    selector = pinetum.BackwardElimination(folds=2).fit(X, X[:, 1] > 0)
    with pytest.warns(UserWarning, match="has feature names"):
        given = selector.transform(pd.DataFrame(X, columns=list("abc")))
    assert isinstance(given, np.ndarray) and np.array_equal(given, X[:, [1]])
