"""Paths through the subsets against slow twins, and against mlxtend where it is installed."""

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.distinct.objective import Objective, cross_validation, hold_out
from pinetum.distinct.search import best_subset
from pinetum.elimination.backward import select
from pinetum.elimination.paths import SEARCHES, STOPS, backward_path, eliminate
from pinetum.induction import Grower, yadt


def slow_errors(data, objective, options):
    growers = [Grower(data, options, cases=building) for building, _ in objective.parts]
    known = {}

    def errors(subset):
        subset = frozenset(subset)
        if subset not in known:
            parts = zip(growers, objective.parts, strict=True)
            known[subset] = sum(
                g.grow(sorted(subset)).errors(data, search) for g, (_, search) in parts
            )
        return known[subset]

    return errors


def slow_backward(errors, n, last=False):
    left, path = set(range(n)), []
    path.append((tuple(sorted(left)), errors(left)))
    while left:
        trials = [(errors(left - {f}), -f if last else f, f) for f in sorted(left)]
        left = left - {min(trials)[2]}
        path.append((tuple(sorted(left)), errors(left)))
    return path


def slow_forward(errors, n):
    chosen, path = set(), [((), errors(()))]
    while len(chosen) < n:
        chosen = chosen | {min((errors(chosen | {f}), f) for f in range(n) if f not in chosen)[1]}
        path.append((tuple(sorted(chosen)), errors(chosen)))
    return path


def slow_beam(errors, n, width):
    front, path = [frozenset(range(n))], [(tuple(range(n)), errors(range(n)))]
    while front[0]:
        below = {subset - {f} for subset in front for f in subset}
        front = sorted(below, key=lambda subset: (errors(subset), sorted(subset)))[:width]
        path.append((tuple(sorted(front[0])), errors(front[0])))
    return path


def as_pairs(path):
    return [(step.subset, step.errors) for step in path.steps]


@pytest.mark.parametrize("block", range(4))
def test_paths_are_their_twins(tools, block):
    for seed in range(15 * block, 15 * block + 15):
        rng = np.random.default_rng([seed, 7])
        data = tools.random_table(rng, features=int(rng.integers(1, 8)))
        if data.n_cases < 10:
            continue
        objective = (
            cross_validation(data, 3, random_state=seed)
            if seed % 2
            else Objective([tools.split(rng, data)])
        )
        options = yadt(float(rng.choice([1, 2, 5]))).but(penalty=bool(seed % 3 == 0))
        errors, n = slow_errors(data, objective, options), data.n_features
        last = bool(seed % 4 > 1)
        path = backward_path(data, objective=objective, options=options, last_of_equals=last)
        assert as_pairs(path) == slow_backward(errors, n, last), seed
        least = min(wrong for _, wrong in as_pairs(path))
        assert path.selected.errors == least
        assert as_pairs(
            eliminate(data, objective=objective, search="forward", stop="best", options=options)
        ) == slow_forward(errors, n)
        wide = eliminate(
            data, objective=objective, search="beam", stop="best", width=3, options=options
        )
        assert as_pairs(wide) == slow_beam(errors, n, 3), seed
        near = eliminate(data, objective=objective, search="floating", stop="best", options=options)
        optimum = best_subset(data, objective=objective, options=options)
        for other in (path, wide, near):
            assert other.selected.errors >= optimum.errors
        assert all(errors(step.subset) == step.errors for step in near.steps)


@pytest.mark.parametrize("seed", range(30))
def test_the_paper_s_rule_is_that_of_the_fast_elimination(tools, seed):
    rng = np.random.default_rng(40_000 + seed)
    data = tools.random_table(rng)
    part = tools.split(rng, data)
    options = yadt(2).but(min_branch=float(seed % 3), penalty=bool(seed % 2))
    fast = select(data, *part, options=options)
    path = eliminate(data, objective=Objective([part]), options=options)
    assert path.selected.subset == tuple(np.flatnonzero(fast.selected))
    assert [step.errors for step in path.steps] == fast.errors.tolist()
    assert [step.changed[0] for step in path.steps[1:]] == fast.removed.tolist()
    if seed < 10:
        ties = eliminate(data, objective=Objective([part]), options=options, stop="ties")
        assert ties.selected.errors <= path.selected.errors
        assert len(ties.selected.subset) <= len(path.selected.subset)


def test_rules_of_selection(tools):
    data = tools.random_table(
        np.random.default_rng(77), cases=120, features=7, classes=2, missing=0.1
    )
    whole = backward_path(data)
    one = eliminate(data, stop="one_standard_error")
    assert as_pairs(one) == as_pairs(whole)
    assert one.selected.errors >= whole.selected.errors and len(one.selected.used) <= len(
        whole.selected.used
    )
    for size in (0, 3, 7):
        for search in ("backward", "forward"):
            path = eliminate(data, search=search, stop="size", n_features_to_select=size)
            assert len(path.features) == size
    dropped = eliminate(data, stop="best", drop_unused=True)
    assert all(set(step.subset) == set(step.used) for step in dropped.steps)
    rows = whole.rows()
    assert [row["offered"] for row in rows] == list(range(7, -1, -1)) and sum(
        row["selected"] for row in rows
    ) == 1
    assert eliminate(data, stop="best", work=1).status == "work_limit"


def test_a_limit_ends_a_round_in_its_midst():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 30)), rng.integers(0, 2, 300)
    one, other = (eliminate(X, y, stop="best", work=1) for _ in range(2))
    assert one.status == "work_limit" and len(one.steps) == 1
    assert one.steps == other.steps and one.selected.errors > 0


def test_one_standard_error_of_one_split_is_that_of_a_share(tools):
    data = tools.random_table(
        np.random.default_rng(78), cases=200, features=6, classes=2, missing=0
    )
    path = eliminate(data, objective=hold_out(data), stop="one_standard_error")
    least = min(step.errors for step in path.steps)
    share = least / path.cases
    limit = least + np.sqrt(path.cases * share * (1 - share))
    assert path.selected.errors <= limit
    assert len(path.selected.used) == min(
        len(step.used) for step in path.steps if step.errors <= limit
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "random"}, "search = 'random': expected one of 'backward', 'floating'"),
        ({"stop": "never"}, "stop = 'never': expected one of 'gain', 'ties'"),
        ({"search": "beam"}, "take 'best'"),
        ({"stop": "size"}, "n_features_to_select"),
        ({"n_features_to_select": 2}, "n_features_to_select"),
        ({"stop": "size", "n_features_to_select": 99}, "expected 0 to"),
    ],
)
def test_wrong_options_are_named(tools, options, message):
    with pytest.raises(ValueError, match=message):
        eliminate(tools.random_table(np.random.default_rng(0), cases=30), **options)
    assert all(kind.about for kind in (*SEARCHES.values(), *STOPS.values()))


def test_mlxtend_goes_the_same_way(tools):
    selection = pytest.importorskip("mlxtend.feature_selection")
    from sklearn.model_selection import PredefinedSplit

    from pinetum.estimators import TreeClassifier

    rng = np.random.default_rng(9)
    X, y = rng.normal(size=(60, 6)), rng.integers(0, 2, 60)
    X[:, 2] += 1.5 * y
    columns = [np.unique(column, return_inverse=True) for column in X.T]
    data = Dataset(
        "numbers",
        np.array([c for _, c in columns], dtype=np.int32),
        y.astype(np.int32),
        np.ones(6, dtype=bool),
        tuple(values for values, _ in columns),
        tuple("abcdef"),
        ("no", "yes"),
    )
    objective = cross_validation(data, 3)
    fold_of = np.empty(60, dtype=int)
    for number, (_, search) in enumerate(objective.parts):
        fold_of[search] = number
    rival = selection.SequentialFeatureSelector(
        TreeClassifier(),
        k_features=1,
        forward=False,
        scoring=lambda tree, X, y: -float(np.sum(tree.predict(X) != y)),
        cv=PredefinedSplit(fold_of),
    ).fit(X, y)
    theirs = [
        (rival.subsets_[k]["feature_idx"], -3 * rival.subsets_[k]["avg_score"])
        for k in range(6, 0, -1)
    ]
    ours = backward_path(data, objective=objective, last_of_equals=True)
    assert as_pairs(ours)[:6] == [(subset, round(errors)) for subset, errors in theirs]
