"""What the functions below the estimators refuse, each by name and with what is allowed, before any
work.
"""

import re

import numpy as np
import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.data.sample import sample
from pinetum.distinct.arrays import store_for
from pinetum.distinct.engine import Engine
from pinetum.distinct.objective import Objective, cross_validation
from pinetum.distinct.shards import digest_of, merge_shards
from pinetum.greedy_dp.greedy import greedy_costs, greedy_tree
from pinetum.greedy_dp.minimal import Minimizer
from pinetum.greedy_dp.rules import attribute_name, row_rule
from pinetum.greedy_dp.tables import decision_table, from_dataset
from pinetum.induction import Grower, yadt
from pinetum.induction.pruning import error_based
from pinetum.nbdt.between import BlendSolver
from pinetum.nbdt.fixed_depth import BudgetSolver, TwoClassSolver
from pinetum.nbdt.naive_bayes import NaiveBayes, discrete, find_prior
from pinetum.nbdt.splits import find_candidates, make_questions

CODES, ANSWERS = np.array([[0, 0, 1, 1], [0, 1, 0, 1]]), np.array([0, 1, 1, 0])
DATA = sample()  # two discrete columns and two of numbers, some cells missing
PLAIN = sample(continuous=False, missing=False)
TREE = Grower(PLAIN, yadt()).grow()


def bayes(classes=2, features=3):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (features, 20))
    return NaiveBayes.estimate(codes, np.arange(20) % classes, [2] * features, classes)


def table(**options):
    return decision_table(CODES, ANSWERS, **options)


REFUSED = {
    # ---------------------------------------------------------------- greedy_dp
    "meaning": (
        lambda: table(inconsistent="some"),
        "inconsistent is 'some'; allowed are most_common, any",
    ),
    "no rows": (lambda: decision_table(np.empty((2, 0)), []), "a table without rows"),
    "shape": (lambda: decision_table(CODES.T, ANSWERS), "codes are (4, 2), decisions (4,)"),
    "below 0": (
        lambda: decision_table(CODES - 1, ANSWERS),
        "count from 0; give missing cells a value of their own",
    ),
    "equal rows": (
        lambda: decision_table([[0, 0]], [0, 1], inconsistent="refuse"),
        "1 groups of equal rows have different decisions",
    ),
    "prices": (
        lambda: table(prices=[1, 0.5]),
        "prices are whole numbers; multiply them by a common factor",
    ),
    "weight 0": (
        lambda: table(weights=[0, 1, 1, 1]),
        "weights are positive; leave out the cases that have none",
    ),
    "alpha": (
        lambda: table(alpha_share=1),
        "alpha_rows is 0, alpha_share 1; >= 0 and in [0, 1) wanted",
    ),
    "weights word": (
        lambda: table(weights="rows"),
        "weights is 'rows'; None, 'cases' or an array wanted",
    ),
    "weights shape": (
        lambda: table(weights=[1, 2]),
        "weights are 4 numbers that are not negative; got shape (2,)",
    ),
    "denominator": (
        lambda: table(weights=[1 / 1009, 1 / 1013, 1 / 1019, 1]),
        "weights have no common denominator up to a million; multiply and round them",
    ),
    "missing": (
        lambda: from_dataset(DATA, missing="drop"),
        "missing is 'drop'; allowed are refuse, value",
    ),
    "numbers": (
        lambda: from_dataset(DATA, numbers="cut"),
        "numbers is 'cut'; allowed are refuse, thresholds",
    ),
    "given numbers": (lambda: from_dataset(DATA), "2 numeric features, the first is x"),
    "given missing": (lambda: from_dataset(DATA, numbers="thresholds"), "5 missing cells"),
    "heuristic": (
        lambda: greedy_costs(table(), ["gini"]),
        "heuristic 'gini' is unknown; allowed are",
    ),
    "heuristic of a tree": (
        lambda: greedy_tree(table(), "gini"),
        "heuristic 'gini' is unknown; allowed are",
    ),
    "way": (
        lambda: Minimizer(table(), way="fast"),
        "way = 'fast': expected one of 'auto', 'graph', 'branch'",
    ),
    "large weights": (
        lambda: Minimizer(table(weights=[2**40] * 4, prices=[2**20, 1])),
        "weights and prices are too large: their sums multiply to more than 2^52",
    ),
    "aim": (lambda: row_rule(table(), 0, aim="long"), "aim is 'long'; allowed are"),
    "names": (
        lambda: attribute_name(from_dataset(sample(missing=False), numbers="thresholds"), 2),
        "names: a table with cuts needs the data set that it was made from",
    ),
    # ---------------------------------------------------------------- nbdt
    "two classes": (
        lambda: TwoClassSolver(bayes(3), 2),
        "3 classes: the two-class solver takes two",
    ),
    "half a test": (
        lambda: TwoClassSolver(bayes(), 1.5),
        "depth = 1.5: a whole number of tests is needed",
    ),
    "number of costs": (lambda: BudgetSolver(bayes(), 2, [1, 1]), "2 costs for 3 features"),
    "cost 0": (
        lambda: BudgetSolver(bayes(), 2, [1, 0, 1]),
        "costs must be positive and finite, got [0.]",
    ),
    "budget": (lambda: BudgetSolver(bayes(), -1), "budget = -1: must not be negative"),
    "tests on a path": (
        lambda: BudgetSolver(bayes(features=8), 7, [1] * 8),
        "7 tests on a path can be paid, at most 6 are taken",
    ),
    "cuts": (
        lambda: find_candidates(DATA, max_cuts=0),
        "max_cuts = 0: 'auto' or a whole number from 1",
    ),
    "ways": (
        lambda: make_questions([2], [False], ways="three"),
        "ways = 'three': one of two, sets, many",
    ),
    "prior": (
        lambda: find_prior("clases"),
        "prior = 'clases': known are naive_bayes, classes, uniform; did you mean",
    ),
    "gains": (
        lambda: BlendSolver(
            CODES, ANSWERS, bayes(), make_questions([2, 2], [False] * 2), gain=np.eye(3)
        ),
        "gains of shape (3, 3) for 2 classes, or one is not finite",
    ),
    "continuous": (
        lambda: discrete(DATA, "refuse"),
        "2 continuous features (x, z); allow `continuous: mdl`",
    ),
    "alpha below 0": (
        lambda: NaiveBayes.estimate(CODES, ANSWERS, [2, 2], 2, -1),
        "alpha = -1: a Dirichlet parameter",
    ),
    "codes": (
        lambda: NaiveBayes.estimate(CODES, ANSWERS, [2], 2),
        "codes of shape (2, 4) for 1 features and 4 cases",
    ),
    "no feature": (
        lambda: NaiveBayes.estimate(np.empty((0, 4)), ANSWERS, [], 2),
        "Naive Bayes needs a case",
    ),
    "domain": (
        lambda: NaiveBayes.estimate(CODES, ANSWERS, [1, 2], 2),
        "a code lies outside its feature's domain",
    ),
    # ---------------------------------------------------------------- induction
    "penalty": (
        lambda: yadt(criterion="gini").but(penalty=True),
        "penalty: counted in bits, which the criterion",
    ),
    "average gain": (
        lambda: yadt().but(average_gain=True),
        "average_gain: a rule of the criterion 'gain_ratio' only",
    ),
    "confidence": (
        lambda: error_based(TREE, PLAIN, cf=1),
        "cf 1: expected a number between 0 and 1",
    ),
    "limits": (lambda: error_based(TREE, PLAIN, limits="j47"), "limits 'j47': expected one of"),
    "weights of cases": (
        lambda: error_based(TREE, PLAIN, weights=[-1.0] * 60),
        "one finite number >= 0 per case",
    ),
    # ---------------------------------------------------------------- distinct
    "build": (lambda: Engine(PLAIN, yadt(), build="twice"), "build='twice': one of "),
    "store": (lambda: store_for(PLAIN, None, 10**9), "cache_mb=1000000000: allowed is 1 to"),
    "parts": (
        lambda: Objective(()),
        "parts: an objective needs one pair of building and search cases at least",
    ),
    "no building": (lambda: Objective((([], [1]),)), "parts[0]: no building cases"),
    "costs": (
        lambda: Objective((([0], [1]),), costs=[[0, -1], [1, 0]]),
        "costs: expected a square matrix of finite",
    ),
    "thresholds of folds": (
        lambda: Engine(
            DATA, yadt().but(training_thresholds=True), objective=cross_validation(DATA, 2)
        ),
        "training_thresholds: not with several parts, whose trees have other training values",
    ),
    "a shard twice": (
        lambda: merge_shards({"shards": [0, 1]}, [{"shard": 0}, {"shard": 0}]),
        "not every shard is there once",
    ),
    "another plan": (
        lambda: merge_shards({"shards": [0]}, [{"shard": 0, "plan": digest_of({"shards": [1]})}]),
        "shards of another plan",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_meant_is_refused_by_name(name):
    ask, says = REFUSED[name]
    with pytest.raises(ValueError, match=re.escape(says)):
        ask()


def test_tables_know_their_classes():
    import pinetum

    frame = pd.DataFrame({"a": [1, 2, 3, 4], "y": list("nyny")})
    data = pinetum.Table.from_frame(frame, "y")
    for ask in (pinetum.TreeClassifier().fit, pinetum.count_trees, pinetum.best_subset):
        with pytest.raises(ValueError, match="y: a table knows its classes"):
            ask(data, [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"X has 4 cases and y 3|inconsistent numbers of samples"):
        pinetum.TreeClassifier().fit(frame, list("nyn"))


def test_a_data_set_without_columns_is_refused():
    nothing = Dataset(
        "none",
        np.empty((0, 3), np.int32),
        np.zeros(3, np.int32),
        np.zeros(0, bool),
        (),
        (),
        ("a", "b"),
    )
    with pytest.raises(ValueError, match="no features or no cases"):
        discrete(nothing)
