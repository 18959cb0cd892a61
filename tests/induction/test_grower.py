"""The grower against its slow twin, and the properties the enumeration rests on."""

from dataclasses import replace

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.induction import Grower, Options, c45, grower, yadt
from pinetum.induction.cases import cases_of

RULES = {
    "gain": yadt(2),
    "gain, m = 5": yadt(5),
    "gini": yadt(2, "gini"),
    "gain ratio": yadt(2, "gain_ratio"),
    "gain ratio with a least gain": Options(criterion="gain_ratio", min_gain=0.05),
    "penalty": Options(penalty=True, min_branch=2),
    "depth 2": Options(max_depth=2),
    "zero gain": Options(zero_gain=True, min_branch=1, min_cases=0),
    "c45": c45(2),
    "c45 -g": c45(1, "gain"),
}


@pytest.mark.parametrize("name", RULES)
def test_grower_agrees_with_the_twin(name, twin):
    options = RULES[name]
    for seed in range(300):
        rng = np.random.default_rng([seed, 1])
        data = twin.random_table(rng)
        cases = None if seed % 3 else rng.permutation(data.n_cases)[: max(1, data.n_cases // 2)]
        n = data.n_cases if cases is None else len(cases)
        weights = rng.choice([0.25, 0.5, 1.0, 1.0, 3.0], n) if seed % 5 == 0 else None
        grown = Grower(data, options, cases=cases, weights=weights).grow()
        assert twin.nested(grown) == twin.plain(twin.grow(data, options, cases, weights)), seed


@pytest.mark.parametrize("name", ["gain", "gini", "c45"])
def test_presorted_columns_agree_with_the_twin(name, twin):
    for seed in range(12):
        rng = np.random.default_rng([seed, 8])
        data = twin.random_table(
            rng, cases=int(rng.integers(70, 110)), missing=[0.0, 0.15][seed % 2]
        )
        cases = None if seed % 3 else np.flatnonzero(rng.random(data.n_cases) < 0.7)
        grown = Grower(data, RULES[name], cases=cases).grow()
        assert twin.nested(grown) == twin.plain(twin.grow(data, RULES[name], cases)), seed


@pytest.mark.parametrize("name", ["gain", "penalty", "gain ratio", "c45"])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_many_weighted_cases_agree_with_the_twin(name, n_classes, twin):
    """With two classes, blocks of cuts are passed over by a bound."""
    for seed in range(5):
        rng = np.random.default_rng([seed, 9])
        data = twin.random_table(
            rng, cases=int(rng.integers(140, 220)), missing=0.1, n_classes=n_classes
        )
        signal = (
            (data.codes[0] + rng.integers(0, 3, data.n_cases)) * n_classes // (data.arity[0] + 3)
        )
        data = replace(data, labels=np.clip(signal, 0, n_classes - 1).astype(np.int32))
        weights = rng.choice([0.25, 1 / 3, 1.0, 3.0], data.n_cases) if seed % 2 else None
        grown = Grower(data, RULES[name], weights=weights).grow()
        assert twin.nested(grown) == twin.plain(twin.grow(data, RULES[name], None, weights)), seed


@pytest.mark.parametrize("name", ["gain", "gini", "gain ratio", "c45"])
def test_fast_path_gives_the_weighted_path_s_tree(name, twin, monkeypatch):
    for seed in range(60):
        rng = np.random.default_rng([seed, 2])
        data = twin.random_table(rng, cases=int(rng.integers(80, 300)), missing=0.0)
        fast = Grower(data, RULES[name])
        slow = Grower(data, RULES[name])
        monkeypatch.setattr(slow, "is_whole", lambda offered: False)
        assert fast.is_whole(np.arange(data.n_features))
        assert fast.grow() == slow.grow(), seed


EXACT = [name for name, options in RULES.items() if options.keeps_assumptions]


@pytest.mark.parametrize("name", EXACT)
def test_dropping_unused_features_never_changes_the_tree(name, twin):
    for seed in range(100):
        rng = np.random.default_rng([seed, 3])
        data = twin.random_table(rng, cases=int(rng.integers(10, 60)))
        grower = Grower(data, RULES[name])
        tree = grower.grow()
        unused = np.setdiff1d(np.arange(data.n_features), tree.used_features)
        kept = np.setdiff1d(np.arange(data.n_features), unused[rng.random(len(unused)) < 0.6])
        assert grower.grow(kept) == tree, seed


@pytest.mark.parametrize("name", EXACT)
def test_stopping_is_monotone(name, twin):
    """Assumption 4.2: a leaf stays a leaf when fewer features are offered."""
    for seed in range(100):
        rng = np.random.default_rng([seed, 4])
        data = twin.random_table(rng)
        grower = Grower(data, RULES[name])
        if grower.grow().n_nodes == 1:
            fewer = np.flatnonzero(rng.random(data.n_features) < 0.5)
            assert grower.grow(fewer).n_nodes == 1


def test_row_order_does_not_matter(twin):
    for seed in range(60):
        rng = np.random.default_rng([seed, 6])
        data = twin.random_table(rng, cases=40, missing=0.2)
        shuffled = data.take_cases(rng.permutation(data.n_cases))
        for options in (RULES["gain"], RULES["c45"], RULES["gini"]):
            assert Grower(data, options).grow() == Grower(shuffled, options).grow()


def test_a_fold_is_the_table_of_its_cases(twin):
    """A grower on some cases shares the presorted columns and gives the tree of the cases alone."""
    for seed in range(60):
        rng = np.random.default_rng([seed, 7])
        data = twin.random_table(rng, cases=int(rng.integers(30, 300)))
        cases = np.flatnonzero(rng.random(data.n_cases) < rng.choice([0.03, 0.6]))
        if len(cases):
            # A few cases of many are sorted, most of them filtered from the whole table's order.
            assert Grower(data, cases=cases).grow() == Grower(data.take_cases(cases)).grow()


@pytest.mark.parametrize("name", ["hepatitis", "vote", "lymphography", "promoters"])
def test_real_tables_agree_with_the_twin(name, twin, encoded):
    """Node for node, missing values included; the options of the two presets."""
    data = encoded(name)
    for options in (yadt(2), c45(2)):
        assert twin.nested(Grower(data, options).grow()) == twin.plain(twin.grow(data, options))


def test_a_case_given_twice_weighs_two(twin):
    for seed in range(40):
        rng = np.random.default_rng([seed, 9])
        data = twin.random_table(rng, cases=90)
        drawn = rng.integers(0, 90, 90)
        times = np.bincount(drawn, minlength=90)
        assert Grower(data, cases=drawn).grow() == Grower(data, weights=times).grow()
        if not data.n_missing:
            assert Grower(data, cases=drawn).grow() == Grower(data.take_cases(drawn)).grow()


def test_wrong_requests_are_refused(twin):
    data = twin.random_table(np.random.default_rng(1))
    with pytest.raises(ValueError, match="no case"):
        Grower(data, cases=[])
    with pytest.raises(ValueError, match="cases go from 0"):
        Grower(data, cases=[data.n_cases])
    with pytest.raises(ValueError, match="criterion 'entropie'"):
        Options(criterion="entropie")
    with pytest.raises(ValueError, match="penalty"):
        Options(criterion="gini", penalty=True)
    with pytest.raises(ValueError, match="weights"):
        Grower(data, weights=-np.ones(data.n_cases))


@pytest.mark.parametrize(("gap", "cut"), [(0.9e-5, False), (1.1e-5, True)])
@pytest.mark.parametrize("cases", [10, 100])
def test_values_nearer_than_c45_tells_apart_are_not_cut(gap, cut, cases):
    values = np.array([0.0, gap])
    codes = np.repeat(np.array([[0, 1]], dtype=np.int32), cases, axis=1)
    labels = codes[0].astype(np.int32)
    data = Dataset("near", codes, labels, np.array([True]), (values,), ("x",), ("a", "b"))
    assert (Grower(data, c45()).grow().sizes.leaves == 2) is cut


class Calls:
    """Counts the calls of a kernel; the one of a number is answered by Ctrl-C."""

    def __init__(self, kernel, interrupted=0):
        self.kernel, self.interrupted, self.n = kernel, interrupted, 0

    def __call__(self, *given):
        self.n += 1
        if self.n == self.interrupted:
            raise KeyboardInterrupt
        return self.kernel(*given)


@pytest.mark.parametrize("name", ["gain", "c45", "depth 2"])
def test_a_tree_that_is_grown_in_stretches_is_the_same(name, twin, monkeypatch):
    """Missing values, weights and values with branches of their own included."""
    calls = Calls(grower.grow_kernels.grow)
    for seed in range(60):
        rng = np.random.default_rng([seed, 11])
        data = twin.random_table(rng, missing=[0.0, 0.2][seed % 2])
        weights = rng.choice([0.5, 1.0, 3.0], data.n_cases) if seed % 3 == 0 else None
        whole = Grower(data, RULES[name], weights=weights).grow()
        with monkeypatch.context() as patch:
            patch.setattr(grower, "STRETCH", 1)
            patch.setattr(grower.grow_kernels, "grow", calls)
            assert Grower(data, RULES[name], weights=weights).grow() == whole
    assert calls.n > 200


def test_a_large_tree_returns_to_python_and_begins_anew_after_ctrl_c(monkeypatch):
    rng = np.random.default_rng(12)
    data = cases_of(rng.normal(size=(90, 3)), rng.integers(0, 2, 90))
    first = Grower(data, yadt(2))
    wanted = first.grow(), first.grow([0])
    calls = Calls(grower.grow_kernels.grow, interrupted=2)
    monkeypatch.setattr(grower, "STRETCH", 1)
    monkeypatch.setattr(grower.grow_kernels, "grow", calls)
    again = Grower(data, yadt(2))
    with pytest.raises(KeyboardInterrupt):
        again.grow()
    assert (again.grow([0]), again.grow()) == wanted[::-1]
