"""Contestants that answer, fail, never end, or take all memory."""

import numpy as np


class Majority:
    def __init__(self, data, share=1.0):
        self.share = share

    def fit(self, X, y):
        self.label = np.bincount(y).argmax()

    def predict(self, X):
        return np.full(len(X), self.label)

    def facts(self):
        return {"leaves": 1, "features": 0}


class Broken(Majority):
    def fit(self, X, y):
        raise ValueError("no such table")


class Endless(Majority):
    def fit(self, X, y):
        while len(y) > 50:
            pass


class Greedy(Majority):
    def fit(self, X, y):
        if len(y) > 50:
            self.cells = np.ones(10**10)


class Crashing(Majority):
    def fit(self, X, y):
        import os

        if len(y) > 50:
            os._exit(3)
