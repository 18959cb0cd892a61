"""Two common ways to few features, both of scikit-learn (optional), for comparison on the same
folds.
"""

import importlib.util
import time
import warnings

import numpy as np

STRENGTHS = np.logspace(-3, 1, 17)  # of the L1 penalty's inverse


def available() -> bool:
    return importlib.util.find_spec("sklearn") is not None


def paths(points, labels, counts):
    """(method, features allowed, weights, offset, CPU seconds) for each number of features.

    L1 SVM: linear support vector machines with an L1 penalty, the strongest fit (largest C of a
    grid) that uses no more features than allowed. RFE: recursive feature elimination, one feature
    at a time, with an L2 linear support vector machine. Classes are weighted evenly, as (4) does.
    """
    yield from _l1_path(points, labels, counts)
    yield from _elimination_path(points, labels, counts)


def _l1_path(points, labels, counts):
    from sklearn.svm import LinearSVC

    begun = time.process_time()
    fits = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the largest C may stop before it has converged
        for strength in STRENGTHS:
            machine = LinearSVC(
                penalty="l1",
                dual=False,
                C=strength,
                class_weight="balanced",
                max_iter=2000,
                random_state=0,
            )
            fits.append(machine.fit(points, labels))
    seconds = time.process_time() - begun
    used = np.array([np.count_nonzero(fit.coef_) for fit in fits])
    for count in counts:
        fitting = np.flatnonzero((used <= count) & (used > 0))
        if len(fitting):
            fit = fits[fitting[-1]]
            yield "L1 SVM", count, fit.coef_[0], -float(fit.intercept_[0]), seconds


def _elimination_path(points, labels, counts):
    from sklearn.svm import LinearSVC

    begun = time.process_time()
    left = np.arange(points.shape[1])
    machines = {}
    while len(left):
        machine = LinearSVC(dual=False, class_weight="balanced", random_state=0).fit(
            points[:, left], labels
        )
        if len(left) in counts:
            weights = np.zeros(points.shape[1])
            weights[left] = machine.coef_[0]
            machines[len(left)] = weights, -float(machine.intercept_[0])
        left = np.delete(left, np.argmin(np.abs(machine.coef_[0])))
    seconds = time.process_time() - begun
    for count in counts:
        if count in machines:
            yield "RFE", count, *machines[count], seconds
