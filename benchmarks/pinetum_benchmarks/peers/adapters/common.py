"""What most contestants share: an estimator with scikit-learn's conventions inside."""

import numpy as np

WIDTH = 8  # columns of a table of which all subsets are tried one by one


class Wrapped:
    """A contestant around an estimator, `self.model`, that fits and predicts by itself."""

    def __init__(self, data, **options):
        self.data = data
        self.model = self.make(**options)

    def make(self, **options):
        raise NotImplementedError

    def fit(self, X, y):
        self.model.fit(X, y)

    def predict(self, X):
        return self.model.predict(X)


def values_asked(size) -> range:
    """Values of a discrete column that become 0/1 columns."""
    return range(1 if size == 2 else 0, size)


class Indicators:
    """0/1 columns learnt from training cases: per value of a discrete column, per cut at quantiles
    of a numeric one.
    """

    def __init__(self, data, cuts):
        self.domains, self.cuts = data["domains"], cuts

    def learn(self, X):
        self.tests = []
        for column, size in enumerate(self.domains.tolist()):
            if size:
                self.tests += [(column, value, True) for value in values_asked(size)]
                continue
            values = np.unique(X[:, column])
            middles = (values[1:] + values[:-1]) / 2
            if len(middles) > self.cuts:
                places = np.quantile(X[:, column], np.arange(1, self.cuts + 1) / (self.cuts + 1))
                middles = np.unique(
                    middles[np.searchsorted(middles, places).clip(max=len(middles) - 1)]
                )
            self.tests += [(column, middle, False) for middle in middles.tolist()]
        return self(X)

    def __call__(self, X):
        return np.column_stack(
            [X[:, column] == at if equal else X[:, column] > at for column, at, equal in self.tests]
        )


class OnIndicators(Wrapped):
    """A contestant that sees the columns as 0/1; `cuts` per column of numbers."""

    cuts = 4

    def fit(self, X, y):
        self.columns = Indicators(self.data, self.cuts)
        super().fit(self.columns.learn(X).astype(np.float64), y)

    def predict(self, X):
        return super().predict(self.columns(X).astype(np.float64))


class OnNumbers(Wrapped):
    """A contestant that cuts columns of numbers by itself.

    Discrete ones become a 0/1 column per value.
    """

    def fit(self, X, y):
        super().fit(self.columns(X), y)

    def predict(self, X):
        return super().predict(self.columns(X))

    def columns(self, X):
        columns = []
        for column, size in zip(X.T, self.data["domains"].tolist(), strict=True):
            columns += [column == value for value in values_asked(size)] if size else [column]
        return np.column_stack(columns).astype(np.float64)


def whole_numbers(X):
    """0/1 columns as the integers that some libraries insist on."""
    return X.astype("int32")
