"""Compile every kernel of the study.

The paper has two classes and tests that cost alike. More classes, or costs, come only with a user's
own table, whose job compiles their kernels outside its clock.
"""

from pinetum.data.sample import sample
from pinetum.nbdt.naive_bayes import NaiveBayes
from pinetum.nbdt.solver import METHODS, solver


def warm_up():
    data = sample(continuous=False, missing=False, classes=2)
    model = NaiveBayes.estimate(data.codes, data.labels, data.arity, 2, 1.0)
    for method in METHODS:
        solver(model, 2).fit(method=method)
