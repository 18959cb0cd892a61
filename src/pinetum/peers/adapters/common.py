"""What most contestants share: an estimator with scikit-learn's conventions inside."""

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


def whole_numbers(X):
    """0/1 columns as the integers that some libraries insist on."""
    return X.astype("int32")
