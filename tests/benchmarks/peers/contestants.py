"""Contestants that answer, fail, never end, or take all memory."""

import time

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


class Tiring(Majority):
    """Fails at its eighth fit, in the third repeat of three folds after a fit that warms up.

    Slow, to be timed once.
    """

    fits = 0

    def fit(self, X, y):
        Tiring.fits += 1
        if Tiring.fits > 7:
            raise ValueError("enough")
        ends = time.process_time() + 0.03
        while time.process_time() < ends:
            pass
        super().fit(X, y)


class Crashing(Majority):
    def fit(self, X, y):
        import os

        if len(y) > 50:
            os._exit(3)


class Talkative(Majority):
    """Takes the table in another language, and prints what nobody asked for."""

    def prepare(self, X, y):
        self.taken = X.shape

    def fit(self, X, y):
        print("not an answer")
        super().fit(X, y)

    def facts(self):
        return {"leaves": np.int64(1), "answer": self.taken}


class Exhausted(Majority):
    """Fails as its option says."""

    def __init__(self, data, fault):
        self.fault = {
            "memory": MemoryError("no room"),
            "time": TimeoutError("too long"),
            "c++": RuntimeError("std::bad_alloc"),
        }[fault]

    def facts(self):
        raise self.fault


class Unproved(Majority):
    def facts(self):
        return {"leaves": 1, "proved": False}


class Slow(Majority):
    """Takes long enough for any clock."""

    def fit(self, X, y):
        import time

        begun = time.process_time()
        while time.process_time() - begun < 0.03:
            pass
        super().fit(X, y)
