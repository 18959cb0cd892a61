"""Growing: both compiled growers against plain recursion, and against one another."""

import dataclasses
import itertools

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.pruning.forest import PAPER_RULES, grow_forest, grown
from pinetum.pruning.kernels.id3 import OVERFLOW, Rules
from pinetum.pruning.kernels.networks import FOLDS, FULL, HOLDOUT, draw_network
from pinetum.pruning.methods.raising import raised_of_networks, raised_of_table
from pinetum.pruning.networks import PLAIN, cubes, network_forest, networks
from pinetum.pruning.table import Table, Unsuitable, table_of

RULES = [Rules(*map(bool, choice)) for choice in itertools.product((0, 1), repeat=3)]


def network_table(seed, inputs, removed, portion, variant=PLAIN):
    """One data set in the open: codes (attributes kept, cases), labels, and the rows of training
    and test part.
    """
    size = 2**inputs
    labels, features = np.empty(size, np.int32), np.empty(inputs, np.int32)
    rows = np.empty(size, np.int32)
    training, before, population = draw_network(
        np.uint64(seed), inputs, removed, portion, variant, labels, features, rows
    )
    kept = features[: inputs - removed]
    return cubes(inputs)[kept], labels, rows[:training].copy(), rows[before:population].copy()


def same(a, b):
    if (a.feature, a.label, a.n, a.c, len(a.children)) != (
        b.feature,
        b.label,
        b.n,
        b.c,
        len(b.children),
    ):
        return False
    return list(a.train) == list(b.train) and all(map(same, a.children, b.children))


@pytest.mark.parametrize("rules", RULES)
def test_trees_agree_with_recursive_id3(rules, make_table, twin):
    for seed in range(25):
        rng = np.random.default_rng(seed)
        table = make_table(
            rng, cases=int(rng.integers(1, 50)), features=int(rng.integers(3, 6)), widest=3
        )
        roles = (rng.random((3, len(table.labels))) < 0.3).astype(np.int8)
        forest = grow_forest(table, roles, rules)
        for t in range(3):
            mine = roles[t] == 0
            want = twin.id3(
                table.codes.T[mine],
                table.labels[mine],
                table.arity,
                table.classes,
                rules,
                above=None,
            )
            assert same(twin.nested(forest, t), want)
            judged = [
                twin.classify(twin.nested(forest, t), case) for case in table.codes.T[roles[t] == 1]
            ]
            whole = forest.unpruned()
            assert whole.hits[t] == (np.array(judged, int) == table.labels[roles[t] == 1]).sum()


def test_identical_rows_of_mixed_classes_end():
    table = Table(
        "same",
        np.zeros((3, 7), np.int16),
        np.array([0, 1, 0, 1, 1, 0, 1], np.int32),
        np.array([1, 2, 2], np.int32),
        np.arange(3, dtype=np.int32),
        2,
        (),
        (),
        (),
    )
    forest = grow_forest(table, np.zeros((1, 7), np.int8))
    assert forest.depth.max() == 3
    assert forest.unpruned().nodes[0] == 6  # a chain: each two-valued attribute adds an empty leaf


def test_room_is_doubled_until_the_trees_fit(make_table):
    table = make_table(np.random.default_rng(1), cases=80)
    roles = np.zeros((1, 80), np.int8)
    whole = grow_forest(table, roles)
    calls = []

    def grow_into(nodes, tests):
        calls.append(len(nodes.feature))
        return OVERFLOW if len(nodes.feature) < 1000 else 0

    grown(grow_into, 100, 3)
    assert calls == [100, 200, 400, 800, 1600]
    with pytest.raises(MemoryError, match="nodes"):
        grown(lambda nodes, tests: OVERFLOW, 100, 3, most=500)
    assert len(whole.nodes.feature) == whole.start[-1]


def table_from_network(codes, labels):
    features = np.arange(len(codes), dtype=np.int32)
    return Table(
        "network", codes, labels, np.full(len(codes), 2, np.int32), features, 2, (), (), ()
    )


@pytest.mark.parametrize("rules", [PAPER_RULES, Rules(False, True, True)])
@pytest.mark.parametrize("design", [FULL, FOLDS, HOLDOUT])
def test_bit_trees_are_the_trees_of_the_general_grower(design, rules):
    sets = networks(4, "test", range(1))
    forest = network_forest(sets, design, rules=rules)
    per_set = len(forest) // len(sets)
    for d in range(0, len(sets), 3):
        cell = sets.seeds[d], sets.inputs[d], sets.removed[d], sets.portions[d]
        codes, labels, training, test = network_table(*cell)
        roles = np.full((per_set, len(labels)), 2, np.int8)
        for t in range(per_set):
            roles[t, training] = 0
            if design == FULL:
                roles[t, test] = 1
            elif design == FOLDS:
                roles[t, training[np.arange(len(training)) % 10 == t]] = 1
            else:
                roles[t, training[2 * len(training) // 3 :]] = 1
        want = grow_forest(table_from_network(codes, labels), roles, rules)
        begin, end = forest.start[d * per_set], forest.start[(d + 1) * per_set]
        assert (forest.start[d * per_set : (d + 1) * per_set + 1] - begin == want.start).all()
        for name in ("label", "n", "c", "train"):
            assert (getattr(forest.nodes, name)[begin:end] == getattr(want.nodes, name)).all()
        inner = want.nodes.feature >= 0
        assert ((forest.nodes.feature[begin:end] >= 0) == inner).all()
        assert (forest.tests[begin:end] == want.tests).all()
        if design == HOLDOUT:
            assert forest.probes[begin].sum() == len(test)


def test_networks_are_what_the_paper_describes():
    sets = networks(4, "test", range(2))
    assert len(sets) == 120
    cells = set(zip(sets.inputs, sets.portions, sets.removed, strict=True))
    assert len(cells) == 60
    smallest = []
    for d in range(60):
        codes, labels, training, test = network_table(
            sets.seeds[d], sets.inputs[d], sets.removed[d], sets.portions[d]
        )
        assert codes.shape == (sets.inputs[d] - sets.removed[d], 2 ** sets.inputs[d])
        assert (
            len({*training, *test})
            == len(training) + len(test)
            == 2 ** sets.inputs[d] - len(training)
        )
        smallest.append(len(training))
        if (
            sets.removed[d] == 0
        ):  # a linear threshold through the origin: x and its complement differ, 0 has class 0
            assert labels[0] == 0
            assert 0.3 < labels.mean() < 0.7 or labels[-1] == (labels.mean() > 0.5)
            sums = np.where(labels[1:] == 1, 1, -1)
            assert np.linalg.lstsq(codes.T[1:].astype(float), sums, rcond=None)[2] == sets.inputs[d]
    assert min(smallest) == 102


def split_mix(seed):
    """Numbers from 0 to 1, and what they are made of, of splitmix64 in plain integers."""
    state, most = int(seed), 2**64 - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & most
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & most
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & most
        yield (z ^ (z >> 31)) >> 11, z ^ (z >> 31)


@pytest.mark.parametrize("bias", [False, True])
def test_networks_are_drawn_as_said(bias):
    """Two output nodes, a weight from each input (and the bias) each: class 1 where the second
    output is larger.
    """
    for seed in range(30):
        inputs, removed = 3 + seed % 4, seed % 3
        codes, labels, training, test = network_table(
            seed, inputs, removed, 0.2, PLAIN._replace(bias=bias)
        )
        draw = split_mix(seed)
        bias_weights = [next(draw)[0] for _ in range(2)] if bias else [0, 0]
        weights = [[next(draw)[0] for _ in range(2)] for _ in range(inputs)]
        left = list(range(inputs))
        for _ in range(removed):
            left.pop(next(draw)[1] % len(left))
        for x in range(2**inputs):
            on = [bool(x >> i & 1) for i in range(inputs)]
            first, second = (
                sum(w[k] for w, o in zip(weights, on, strict=True) if o) for k in (0, 1)
            )
            margin = second - first + bias_weights[0] - bias_weights[1]
            assert labels[x] == (margin > 0) or abs(margin) < 1e-9 * 2**53
            assert codes[:, x].tolist() == [on[i] for i in left]
        rows = list(range(2**inputs))
        for i in range(2 * len(training)):
            j = i + next(draw)[1] % (len(rows) - i)
            rows[i], rows[j] = rows[j], rows[i]
        assert (
            training.tolist() == rows[: len(training)]
            and test.tolist() == rows[2 * len(training) :]
        )


def test_raising_generated_sets_is_raising_their_tables():
    sets = networks(4, "test", range(1))
    some = ("seeds", "inputs", "removed", "portions")
    sets = dataclasses.replace(sets, **{name: getattr(sets, name)[:12:4] for name in some})
    forest = network_forest(sets, FULL)
    made = raised_of_networks(forest, sets, PLAIN, cubes(int(sets.inputs.max())))(0.25)
    for d in range(len(sets)):
        codes, labels, training, test = network_table(
            sets.seeds[d], sets.inputs[d], sets.removed[d], sets.portions[d]
        )
        roles = np.full((1, len(labels)), 2, np.int8)
        roles[0, training], roles[0, test] = 0, 1
        table = table_from_network(codes, labels)
        wanted = raised_of_table(grow_forest(table, roles), table, roles)(0.25)
        for name in ("hits", "nodes", "errors"):
            assert getattr(made, name)[d] == getattr(wanted, name)[0], (d, name)


def test_equal_rows_can_be_kept_once():
    sets = networks(4, "test", range(1))
    d = int(np.flatnonzero(sets.removed == 4)[0])
    cell = sets.seeds[d], sets.inputs[d], sets.removed[d], sets.portions[d]
    plain = PLAIN._replace(set_aside=False)
    codes, labels, training, test = network_table(*cell, variant=plain._replace(distinct_rows=True))
    rows = [(*codes[:, i], labels[i]) for i in [*training, *test]]
    assert len(set(rows)) == len(rows) < 2 ** sets.inputs[d]
    everything = network_table(*cell, variant=plain)
    assert sorted([*everything[2], *everything[3]]) == list(range(2 ** sets.inputs[d]))
    assert {(*everything[0][:, i], everything[1][i]) for i in range(len(labels))} == set(rows)


def dataset(codes, continuous=None):
    codes = np.array(codes, np.int32)
    return Dataset(
        name="t",
        codes=codes,
        labels=np.zeros(codes.shape[1], np.int32),
        continuous=np.array(continuous or [False] * len(codes)),
        values=tuple(("a", "b", "c", "d") for _ in codes),
        feature_names=tuple(f"f{i}" for i in range(len(codes))),
        class_names=("x",),
    )


def test_unknown_cells_become_the_mode_and_unseen_values_have_no_branch():
    table = table_of(dataset([[0, 2, 2, -1, 2], [3, 3, 3, 3, -1], [-1, -1, -1, -1, -1]]))
    assert table.codes.tolist() == [[0, 1, 1, 1, 1], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]
    assert table.arity.tolist() == [2, 1, 1]
    assert table.values == (("a", "c"), ("d",), ("?",))


def test_numbers_are_unsuitable():
    with pytest.raises(Unsuitable, match="f1 is a number"):
        table_of(dataset([[0, 1], [0, 1]], [False, True]))
