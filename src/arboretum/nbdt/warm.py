"""Compile every kernel of the room."""

from arboretum.data.sample import sample
from arboretum.nbdt.naive_bayes import NaiveBayes
from arboretum.nbdt.solver import METHODS, solver


def warm_up():
    for classes in (2, 3):
        data = sample(continuous=False, missing=False, classes=classes)
        model = NaiveBayes.estimate(data.codes, data.labels, data.arity, classes, 1.0)
        for method in METHODS:
            if classes == 2 or method != "optnbdt_sets":
                solver(model, 2).fit(method=method)
