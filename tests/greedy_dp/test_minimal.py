"""Every way to the minima of general decision tables against a plain memo: weights, prices, alpha,
meanings.
"""

from fractions import Fraction

import numpy as np
import pytest

from pinetum.greedy_dp.analysis import Analysis
from pinetum.greedy_dp.branch_and_bound import Searcher
from pinetum.greedy_dp.building import costs_of_tree
from pinetum.greedy_dp.costs import COSTS, cost_of
from pinetum.greedy_dp.encoding import Encoded
from pinetum.greedy_dp.greedy import greedy_costs
from pinetum.greedy_dp.kernels import bounds
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.tables import Unsuitable, decision_table, group_equal


class General:
    """The definitions, on lists of rows (values, decisions that are right, weight)."""

    def __init__(self, table):
        self.table = table
        self.memo = {}

    def ends(self, rows):
        table = self.table
        total = sum(int(table.weight[r]) for r in rows)
        best = max(
            sum(int(table.weight[r]) for r in rows if table.answers[c, r])
            for c in range(table.n_decisions)
        )
        return total - best <= table.alpha_rows + Fraction(table.alpha_share) * total

    def parts(self, rows, a):
        found = {}
        for r in rows:
            found.setdefault(int(self.table.codes[a, r]), []).append(r)
        return [tuple(part) for part in found.values()]

    def own(self, rows, a, branches):
        price = int(self.table.price[a])
        path, depth, nodes, inner, leaves = zip(*branches, strict=True)
        weight = sum(int(self.table.weight[r]) for r in rows)
        return (
            price * weight + sum(path),
            price + max(depth),
            price + sum(nodes),
            price + sum(inner),
            sum(leaves),
        )

    def trials(self, rows):
        for a in range(self.table.n_attributes):
            parts = self.parts(rows, a)
            if len(parts) > 1:
                yield a, parts

    def minima(self, rows):
        if rows not in self.memo:
            if self.ends(rows):
                self.memo[rows] = (0, 0, 1, 0, 1)
            else:
                trials = [
                    self.own(rows, a, [self.minima(part) for part in parts])
                    for a, parts in self.trials(rows)
                ]
                self.memo[rows] = tuple(min(column) for column in zip(*trials, strict=True))
        return self.memo[rows]

    def vectors(self, rows):
        """All cost vectors of trees, with the number of trees."""
        if self.ends(rows):
            return {(0, 0, 1, 0, 1): 1}
        found = {}
        for a, parts in self.trials(rows):
            folded = {(): 1}
            for part in parts:
                folded = {
                    (*done, costs): n * count
                    for done, n in folded.items()
                    for costs, count in self.vectors(part).items()
                }
            for branches, n in folded.items():
                costs = self.own(rows, a, branches)
                found[costs] = found.get(costs, 0) + n
        return found


def general_table(rng, *, rows=None, attributes=None, values=None):
    """A small table with anything that tables can have; arity up to 8."""
    m = int(rng.integers(2, 6)) if attributes is None else attributes
    n = int(rng.integers(2, 25)) if rows is None else rows
    most = int(rng.integers(2, 9)) if values is None else values
    arity = rng.integers(2, most + 1, size=m)
    codes = np.stack([rng.integers(0, a, size=n) for a in arity])
    decisions = rng.integers(0, rng.integers(1, 5), size=n)
    options = {"inconsistent": ("most_common", "any", "all")[rng.integers(3)]}
    if rng.random() < 0.4:
        options["weights"] = "cases" if rng.random() < 0.5 else rng.integers(1, 6, size=n)
    if rng.random() < 0.4:
        options["prices"] = rng.integers(0, 5, size=m)
    if rng.random() < 0.2:
        options["alpha_rows"] = int(rng.integers(1, 4))
    if rng.random() < 0.2:
        options["alpha_share"] = float(rng.choice([0.1, 0.25, 0.4]))
    return decision_table(codes, decisions, arity=arity, n_decisions=4, **options)


def check(table):
    wanted = General(table).minima(tuple(range(table.n_rows)))
    for way in ("graph", "branch"):
        minimizer = Minimizer(table, way=way)
        for cost in COSTS.values():
            minimum = minimizer.minimum(cost)
            assert (minimum.low, minimum.high, minimum.status) == (wanted[cost.place],) * 2 + (
                "optimal",
            ), (way, cost)
            assert costs_of_tree(table, minimum.tree())[cost.place] == wanted[cost.place]
    assert (greedy_costs(Encoded.of(table)) >= wanted).all()


@pytest.mark.parametrize("seed", range(6))
def test_graph_and_branch_and_bound_agree_with_a_plain_memo(seed):
    rng = np.random.default_rng([27, seed])
    for _ in range(60):
        check(general_table(rng))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_ten_thousand_general_tables(seed):
    rng = np.random.default_rng([2027, seed])
    for _ in range(500):
        check(general_table(rng))


def test_attributes_of_four_values_do_not_fool_the_bound_of_the_path():
    """One attribute of four or more values among tests in two saves more than two thirds of a test
    a row.
    """
    rng = np.random.default_rng(4)
    for values in (3, 4, 5, 8):
        for _ in range(12):
            codes = np.vstack([rng.integers(0, values, size=40), rng.integers(0, 2, size=(7, 40))])
            table = decision_table(codes, rng.integers(0, 2, size=40), arity=[values] + [2] * 7)
            wanted = General(table).minima(tuple(range(table.n_rows)))
            assert Minimizer(table, way="branch").minimum("path_length").high == wanted[0]


def test_bounds_never_exceed_the_minima_of_any_subtable():
    """The bounds of every subtable that a random path reaches.

    A bound of 0 everywhere would pass, so some are met.
    """
    rng = np.random.default_rng(8)
    met = np.zeros(len(COSTS), dtype=int)
    for _ in range(60):
        table = general_table(rng)
        plain = General(table)
        encoded = Encoded.of(table, pairs=True)
        for cost in COSTS.values():
            searcher = Searcher(encoded, cost, memory_mb=0.01)
            rows = tuple(range(table.n_rows))
            while not plain.ends(rows):
                bound, least = (
                    searcher.bound(encoded.words_of(np.array(rows))),
                    plain.minima(rows)[cost.place],
                )
                assert bound <= least, (cost, rows)
                met[cost.place] += bound == least
                trials = list(plain.trials(rows))
                parts = trials[rng.integers(len(trials))][1]
                rows = parts[rng.integers(len(parts))]
    assert (met > 30).all()


def test_rows_that_clash_share_no_leaf():
    """By the definition: some row of another decision goes wherever both go."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        table = general_table(rng, rows=12)
        encoded = Encoded.of(table, pairs=True)
        if not len(encoded.problem.clash):
            continue
        codes, answers = table.codes[:, encoded.order], table.answers[:, encoded.order]
        for i in range(table.n_rows):
            for j in range(table.n_rows):
                clash = bool(encoded.problem.clash[i, j // 64] >> np.uint64(j % 64) & np.uint64(1))
                if i == j:
                    assert not clash
                    continue
                agree = codes[:, i] == codes[:, j]
                together = (codes[agree] == codes[agree, i][:, None]).all(axis=0)
                if clash:
                    assert not answers[:, together].all(axis=1).any()
                elif table.single:
                    assert answers[:, together].all(axis=1).any()


@pytest.mark.parametrize("wide", [2, 3, 5])
def test_the_code_of_leaves_is_the_best(wide):
    rng = np.random.default_rng(wide)

    def best(weights):
        if len(weights) <= 1:
            return 0
        take = (len(weights) - 2) % (
            wide - 1
        ) + 2  # the first step joins so many, the others `wide`
        weights = sorted(weights)
        return sum(weights[:take]) + best([sum(weights[:take]), *weights[take:]])

    for n in range(1, 12):
        weights = rng.integers(1, 20, size=n)
        assert bounds.huffman(weights.copy(), n, wide, np.zeros(n + 2, dtype=np.int64)) == best(
            weights.tolist()
        )


def test_work_ends_a_search_with_a_proven_interval_and_a_tree():
    rng = np.random.default_rng(1)
    codes, decisions = rng.integers(0, 2, size=(14, 120)), rng.integers(0, 2, size=120)
    table = decision_table(codes, decisions)
    exact = Minimizer(table).all_minima()
    stopped = 0
    for cost, proved in exact.items():
        found = Minimizer(table, way="branch", work=300_000).minimum(cost)
        assert found.low <= proved.high <= found.high
        assert costs_of_tree(table, found.tree())[found.cost.place] == found.high
        again = Minimizer(table, way="branch", work=300_000).minimum(cost)
        assert (again.low, again.high, again.work) == (found.low, found.high, found.work)
        stopped += found.status == "work_limit"
    assert stopped


def test_a_store_of_a_few_places_changes_nothing():
    rng = np.random.default_rng(6)
    for _ in range(20):
        table = general_table(rng, rows=30, attributes=6, values=3)
        small = Minimizer(table, way="branch", memory_mb=0.001).all_minima()
        large = Minimizer(table, way="branch").all_minima()
        assert [found.high for found in small.values()] == [found.high for found in large.values()]
        for found in small.values():
            found.tree()


@pytest.mark.parametrize("seed", range(30))
def test_sequences_fronts_counts_and_samples_are_those_of_all_trees(seed):
    rng = np.random.default_rng([5, seed])
    table = general_table(rng, rows=int(rng.integers(2, 7)), attributes=3, values=3)
    trees = General(table).vectors(tuple(range(table.n_rows)))
    analysis = Analysis.of(table)
    for _ in range(4):
        costs = [cost_of(symbol) for symbol in rng.permutation(list(COSTS))[: rng.integers(1, 5)]]
        ranked = min(tuple(vector[cost.place] for cost in costs) for vector in trees)
        number = sum(
            n for v, n in trees.items() if tuple(v[cost.place] for cost in costs) == ranked
        )
        assert analysis.in_sequence(costs) == ranked
        assert analysis.count(*costs) == number
        assert (
            tuple(costs_of_tree(table, analysis.tree(costs))[cost.place] for cost in costs)
            == ranked
        )
        for tree in analysis.sample(costs, 3, random_state=seed):
            assert tuple(costs_of_tree(table, tree)[cost.place] for cost in costs) == ranked
        first, second = [cost_of(symbol) for symbol in rng.permutation(list(COSTS))[:2]]
        points = {(v[first.place], v[second.place]) for v in trees}
        front = sorted(
            p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points)
        )
        assert analysis.pareto(first, second) == front
        for point, tree in analysis.pareto_trees(first, second):
            found = costs_of_tree(table, tree)
            assert (found[first.place], found[second.place]) == point


def test_samples_are_uniform():
    """Three attributes, the parity of two: trees of least nodes, each drawn equally often."""
    codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 1, 1]])
    analysis = Analysis.of(decision_table(codes, [0, 1, 1, 0]))
    check_uniform(analysis, "nodes")
    # Subtables of more and of fewer rows below: the trees of each are counted, and nothing else.
    codes = [
        [0, 0, 1, 0, 0, 0, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
    ]
    analysis = Analysis.of(decision_table(codes, [0, 1, 1, 1, 1, 0, 1]))
    check_uniform(analysis, "depth")


def check_uniform(analysis, cost):
    """Each tree of least cost is drawn equally often."""
    number = analysis.count(cost)
    drawn = [tree.signature() for tree in analysis.sample([cost], 200 * number, random_state=1)]
    counts = [drawn.count(signature) for signature in set(drawn)]
    assert 1 < len(counts) == number
    assert sum((count - 200) ** 2 / 200 for count in counts) < 4 * number + 20


def test_meanings_of_equal_rows_with_different_decisions():
    codes, decisions = [[0, 0, 0, 1, 1]], [1, 0, 1, 2, 0]
    common = decision_table(codes, decisions)
    assert common.decisions.tolist() == [1, 0]
    either = decision_table(codes, decisions, inconsistent="any")
    assert Minimizer(either).minimum("leaves").high == 1 and either.decision_of(np.arange(2)) == 0
    together = decision_table(codes, decisions, inconsistent="all")
    assert together.groups == ((0, 1), (0, 2)) and Minimizer(together).minimum("leaves").high == 2
    with pytest.raises(Unsuitable, match="2 groups"):
        decision_table(codes, decisions, inconsistent="refuse")


def test_leaves_that_may_be_wrong_for_more_than_there_is():
    """Products with the share would not fit a word: no subtable was a leaf, and none could be
    split.
    """
    codes, decisions = [[0, 1, 2, 2], [0, 0, 1, 0]], [0, 1, 0, 1]
    table = decision_table(codes, decisions, alpha_rows=1 << 62, alpha_share=0.5)
    assert table.alpha_rows == 4
    for way in ("graph", "branch"):
        assert Minimizer(table, way=way).minimum("nodes").high == 1
    heavy = np.array([1 << 40] * 4)
    with pytest.raises(ValueError, match="too large for alpha_share"):
        decision_table(codes, decisions, weights=heavy, alpha_share=0.999999)
    assert decision_table(codes, decisions, weights=heavy, alpha_share=0.5).alpha_share == 0.5


def test_doubtful_numbers_are_refused():
    codes, decisions = [[0, 1]], [0, 1]
    with pytest.raises(ValueError, match="common denominator"):
        decision_table(codes, decisions, weights=[np.pi, 1.0])
    with pytest.raises(ValueError, match="weights are positive"):
        decision_table(codes, decisions, weights=[0, 1])
    with pytest.raises(ValueError, match="prices are 1 numbers"):
        decision_table(codes, decisions, prices=[1, 2])
    with pytest.raises(ValueError, match="cost is 'size'"):
        Minimizer(decision_table(codes, decisions)).minimum("size")
    assert decision_table(codes, decisions, weights=[0.25, 0.75]).weight.tolist() == [1, 3]


def test_equal_rows_are_found_among_many_columns():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 5, size=(70, 40))
    codes[:, 20:] = codes[:, :20]
    first, place = group_equal(codes, np.full(70, 5))
    distinct, inverse = np.unique(codes.T, axis=0, return_inverse=True)
    assert (distinct == codes[:, first].T).all() and (place == inverse.ravel()).all()
