"""Models come back from files as they were, and damaged files are refused."""

import contextlib
import json
import runpy
import sqlite3
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.data.errors import DataError
from pinetum.models import VERSION

MODELS = {
    "tree": pinetum.TreeClassifier(min_cases=3),
    "pruned": pinetum.TreeClassifier("c45", prune=True, class_weight="balanced"),
    "nbdt": pinetum.NBDTClassifier(2, n0=30),
    "optimal": pinetum.OptimalTreeClassifier(2),
    "separator": pinetum.SeparatorClassifier(max_depth=2),
    "minimal": pinetum.MinimalTree("depth"),
    "best subset": pinetum.BestSubset(3, min_cases=10),
    "near-optimal trees": pinetum.NearOptimalTrees(folds=3, min_cases=10),
    "elimination": pinetum.BackwardElimination(),
}


def mixed(rng, cases=120):
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], cases)),
            "size": rng.normal(size=cases),
            "old": rng.random(cases) < 0.5,
            "count": pd.array(rng.integers(0, 9, cases), dtype="Int64"),
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 0.2), 7, 3)
    frame.loc[::11, "size"] = np.nan
    frame.loc[1::13, "colour"] = None
    frame.loc[2::13, "count"] = pd.NA
    return frame, y


@pytest.mark.parametrize("kind", ["frame", "numbers", "table"])
@pytest.mark.parametrize("name", MODELS)
def test_a_saved_model_is_the_same_model(name, kind, tmp_path):
    frame, y = mixed(np.random.default_rng(1))
    new, _ = mixed(np.random.default_rng(2))
    new = new.assign(colour="purple") if kind != "numbers" else new
    if kind == "numbers":
        frame, new = (part[["size", "count"]].astype(float).to_numpy() for part in (frame, new))
    model = MODELS[name]
    if kind == "table":
        model.fit(pinetum.Table.from_frame(frame, y))
    else:
        model.fit(frame, y)
    pinetum.save(model, tmp_path / "model.json")
    back = pinetum.load(tmp_path / "model.json")
    assert type(back) is type(model)
    assert back.get_params() == model.get_params()
    if name == "elimination":
        assert (back.get_support() == model.get_support()).all()
    else:
        assert (back.predict(new) == model.predict(new)).all()
        assert back.predict(new).dtype == model.predict(new).dtype
        assert np.array_equal(back.predict_proba(new), model.predict_proba(new))
        assert np.array_equal(back.feature_importances_, model.feature_importances_)
    pinetum.save(back, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()


@pytest.mark.parametrize(
    "model",
    [
        pinetum.NBDTClassifier(1, n0=np.inf, costs={"size": 2.0}),
        pinetum.TreeClassifier(class_weight={3: 1, 7: 5.5}, prune="PEP"),
        pinetum.NBDTClassifier(1, cost_matrix=np.array([[0, 1], [5, 0]]), max_cuts=3),
        pinetum.MinimalTree("depth", then=["nodes"], prices={"colour": 3}),
    ],
)
def test_every_parameter_comes_back(model, tmp_path):
    pinetum.save(model.fit(*mixed(np.random.default_rng(1), 40)), tmp_path / "model.json")
    back, given = pinetum.load(tmp_path / "model.json").get_params(), model.get_params()
    given = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in given.items()
    }
    assert back == given


def test_a_pruner_that_is_an_object_is_not_lost_in_silence(tmp_path):
    class Stump:
        def prune(self, tree):
            return tree.cut_back(np.arange(tree.n_nodes) == 0)

    model = pinetum.TreeClassifier(prune=Stump()).fit(*mixed(np.random.default_rng(1)))
    with pytest.raises(DataError, match=r"prune = .* cannot hold; give it by name"):
        pinetum.save(model, tmp_path / "model.json")
    pinetum.save(model.set_params(prune=None), tmp_path / "model.json")
    assert pinetum.load(tmp_path / "model.json").get_n_leaves() == 1


def paths_in(content, path=()):
    yield path
    parts = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for key, part in parts:
        yield from paths_in(part, (*path, key))


@pytest.mark.parametrize("name", MODELS)
def test_a_damaged_model_is_refused_or_predicts(name, tmp_path):
    """Any part replaced by nonsense: a `DataError`, or a model that answers or misses a column.

    Never another error, a loop or a crash.
    """
    frame, y = mixed(np.random.default_rng(3), 60)
    path = tmp_path / "model.json"
    pinetum.save(MODELS[name].fit(frame, y), path)
    whole = path.read_text()
    rng = np.random.default_rng(4)
    places = list(paths_in(json.loads(whole)))[1:]
    for _ in range(150):
        content = json.loads(whole)
        *before, last = places[rng.integers(len(places))]
        part = content
        for key in before:
            part = part[key]
        nonsense = [None, -1, 10**9, 1e300, "x", [], {}, [[]], True, "", [1, 2]]
        part[last] = nonsense[rng.integers(len(nonsense))]
        path.write_text(json.dumps(content))
        try:
            back = pinetum.load(path)
        except DataError:
            continue
        if name != "elimination":
            with contextlib.suppress(ValueError):  # other columns than the frame has
                assert len(back.predict(frame)) == len(frame)


@pytest.mark.parametrize("name", ["tree", "pruned", "nbdt", "minimal", "best subset", "separator"])
def test_code_predicts_as_the_estimator(name):
    frame, y = mixed(np.random.default_rng(5))
    new, _ = mixed(np.random.default_rng(6))
    frame, new = (part.astype({"old": object, "count": float}) for part in (frame, new))
    model = MODELS[name].fit(frame, y)
    module = {}
    exec(model.to_code(), module)
    rows = [
        {name: None if pd.isna(value) else value for name, value in row.items()}
        for row in new.to_dict("records")
    ]
    expected = model.predict(new).tolist()
    assert [module["predict"](row) for row in rows] == expected
    base = sqlite3.connect(":memory:")
    new.assign(old=new["old"].astype(str), colour=new["colour"].astype(object)).to_sql(
        "cases", base
    )
    assert [line[-1] for line in base.execute(model.to_code("sql"))] == expected


FILES = Path(__file__).parent / "files"
OLD = sorted(FILES.glob("models-*"))


def test_files_of_today_s_version_are_kept():
    assert f"models-{'.'.join(map(str, VERSION))}" in {folder.name for folder in OLD}


@pytest.mark.parametrize(
    "path",
    [path for folder in OLD for path in sorted(folder.glob("[!a]*.json"))],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_models_of_every_version_load_and_say_the_same(path, tmp_path):
    cases = runpy.run_path(str(FILES / "make_models.py"))["cases"]
    answers = json.loads((path.parent / "answers.json").read_text(encoding="utf-8"))
    model, (frame, _) = pinetum.load(path), cases()
    if path.stem in answers:
        given = model.predict(frame) if hasattr(model, "predict") else model.support_
        assert given.tolist() == answers[path.stem]
    for later in ("1.99", "2.0"):
        content = {**json.loads(path.read_text(encoding="utf-8")), "version": later}
        (tmp_path / "later.json").write_text(json.dumps(content), encoding="utf-8")
        with pytest.raises(DataError, match=f"version {later} is later than"):
            pinetum.load(tmp_path / "later.json")


@pytest.mark.parametrize("estimator", [pinetum.TreeClassifier, pinetum.MinimalTree])
def test_a_tree_of_other_columns_is_refused(estimator):
    X = pd.DataFrame({"sky": ["sun", "rain", "sun", "rain"], "wind": [1.0, 3.0, 3.0, 1.0]})
    content = estimator(min_cases=1) if estimator is pinetum.TreeClassifier else estimator()
    content = content.fit(X, ["yes", "no", "no", "no"]).to_dict()
    assert estimator.from_dict(content).feature_importances_.sum() == pytest.approx(1)
    content["state"]["tree"]["features"] = ["sky", "rain"]
    with pytest.raises(DataError, match="names 'rain', which is none of the columns"):
        estimator.from_dict(content)
