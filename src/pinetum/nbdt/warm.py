"""Compile every kernel of the study.

The paper has two classes and tests that cost alike. More classes, or costs, come only with a user's
own table, whose job compiles their kernels outside its clock.
"""

import numpy as np

from pinetum.data.sample import sample
from pinetum.nbdt.between import Setting
from pinetum.nbdt.fixed_depth import solver
from pinetum.nbdt.methods import SEARCHES
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.splits import make_questions


def warm_up():
    data = sample(continuous=False, missing=False, classes=2)
    model = NaiveBayes.estimate(data.codes, data.labels, data.arity, 2, 1.0)
    for method in SEARCHES:
        solver(model, 2).fit(method=method)
    ordered = np.zeros(data.n_features, dtype=bool)
    setting = Setting(make_questions(data.arity, ordered, ways="many"), data.arity, ordered, 2)
    setting.solver(data.codes, data.labels).fit(3, 1.0)
