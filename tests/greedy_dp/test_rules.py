"""Rules and reducts against every set of attributes."""

import itertools

import numpy as np
import pytest

from pinetum.greedy_dp.rules import all_rules, fewest_rules, reduct, row_rule
from pinetum.greedy_dp.tables import decision_table


def tables(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        m, n = int(rng.integers(1, 6)), int(rng.integers(1, 14))
        options = {
            "inconsistent": rng.choice(["most_common", "any", "all"]),
            "prices": rng.integers(1, 4, size=m),
        }
        yield decision_table(rng.integers(0, 3, size=(m, n)), rng.integers(0, 3, size=n), **options)


def subsets(m):
    return [list(s) for k in range(m + 1) for s in itertools.combinations(range(m), k)]


def covered(table, row, attributes):
    return np.flatnonzero(
        (table.codes[attributes] == table.codes[attributes][:, [row]]).all(axis=0)
    )


@pytest.mark.parametrize("aim", ["short", "wide"])
def test_rules_are_the_best_of_all(aim):
    for table in tables(40, 1):
        for row in range(table.n_rows):
            right = table.answers[table.decisions[row]]
            true = [
                (len(s), len(covered(table, row, s)))
                for s in subsets(table.n_attributes)
                if right[covered(table, row, s)].all()
            ]
            best = min(true) if aim == "short" else max(true, key=lambda rule: (rule[1], -rule[0]))
            if aim == "short":
                best = max((rule for rule in true if rule[0] == best[0]), key=lambda rule: rule[1])
            rule = row_rule(table, row, aim)
            assert (rule.length, len(rule.covers)) == best and right[list(rule.covers)].all()
            quick = row_rule(table, row, aim, greedy=True)
            assert right[list(quick.covers)].all() and quick.length >= min(true)[0]
            assert len(quick.covers) <= max(covers for _, covers in true)


def test_reducts_are_the_cheapest_of_all():
    for table in tables(60, 2):
        pairs = [
            (i, k)
            for i, k in itertools.combinations(range(table.n_rows), 2)
            if not (table.answers[:, i] & table.answers[:, k]).any()
        ]

        def parts(attributes, table=table, pairs=pairs):
            return all(
                (table.codes[attributes, i] != table.codes[attributes, k]).any() for i, k in pairs
            )

        least = min(table.price[s].sum() for s in subsets(table.n_attributes) if parts(s))
        found = reduct(table)
        assert parts(found) and table.price[found].sum() == least
        assert parts(reduct(table, greedy=True))


def test_fewest_rules_cover_every_row():
    for table in tables(30, 3):
        rules = all_rules(table)
        rows = set(range(table.n_rows))
        least = next(
            len(s)
            for s in subsets(len(rules))
            if set().union(*(rules[i].covers for i in s)) == rows
        )
        assert (
            len(fewest_rules(table, rules)) == least <= len(fewest_rules(table, rules, greedy=True))
        )
    with pytest.raises(ValueError, match="covered by none"):
        fewest_rules(table, [])


def test_greedy_rules_keep_right_rows_or_drop_wrong_ones():
    """The first attribute tells more wrong rows apart.

    The second, which tells two, keeps more right rows.
    """
    codes = [[0, 1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1, 1], [0, 0, 0, 0, 0, 0, 1]]
    table = decision_table(codes, [0, 0, 0, 0, 1, 1, 1], arity=[2, 2, 2])
    row = int(np.flatnonzero((table.codes == 0).all(axis=0))[0])
    wide, short = (
        row_rule(table, row, "wide", greedy=True),
        row_rule(table, row, "short", greedy=True),
    )
    assert wide.conditions == ((1, 0),) == short.conditions and len(wide.covers) == 2
    table = decision_table([[0, 1, 1, 1, 0], [0, 0, 0, 1, 1], [0, 1, 2, 1, 0]], [0, 0, 0, 1, 1])
    row = int(np.flatnonzero((table.codes == 0).all(axis=0))[0])
    assert len(row_rule(table, row, "wide", greedy=True).covers) == 3


def test_a_greedy_reduct_looks_at_prices():
    table = decision_table([[0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1], prices=[3, 1])
    assert reduct(table, greedy=True) == reduct(table) == [1]
    free = decision_table([[0, 0, 1, 1], [0, 0, 1, 1]], [0, 0, 1, 1], prices=[3, 0])
    assert reduct(free, greedy=True) == [1]
