"""A slow, obvious twin: every tree over every cut."""

from types import SimpleNamespace

import numpy as np
import pytest


def cheapest(codes, labels, weight, losses, price, penalty, least, depth):
    """Cost of the best tree with at most `depth` tests on a path, all cuts tried at every node."""
    cost = np.bincount(labels, weight, len(losses)) @ losses
    best = cost.min() + penalty
    if weight.sum() < least:
        best = np.inf
    if depth == 0:
        return best
    for f, column in enumerate(codes):
        for cut in np.unique(column)[:-1]:
            total = price[f]
            for side in (column <= cut, column > cut):
                if total < best:
                    total += cheapest(
                        codes[:, side], labels[side], weight[side], losses, price, penalty, least,
                        depth - 1,
                    )  # fmt: skip
            best = min(best, total)
    return best


def random_problem(rng, cases=None):
    """Few cases, ties, copies; weights, losses, prices, penalties, large leaves."""
    n = int(rng.integers(1, 24)) if cases is None else cases
    columns, classes = int(rng.integers(1, 5)), int(rng.integers(2, 5))
    codes = rng.integers(0, rng.choice([2, 3, 5, 40], (columns, 1)), (columns, n))
    if columns > 1 and rng.random() < 0.2:
        codes[1] = codes[0]
    if n > 3 and rng.random() < 0.3:
        codes[:, : n // 2] = codes[:, n - n // 2 :]
    labels = rng.integers(0, classes, n)
    if rng.random() < 0.5:
        labels = (labels + (codes[0] > codes[0].mean())) % classes
    weight, losses = np.ones(n), 1.0 - np.eye(classes)
    kind = rng.random()
    if kind < 0.2:
        weight = rng.integers(1, 4, n).astype(float)
    elif kind < 0.4:
        weight = rng.random(n) + 0.01
    if rng.random() < 0.3:
        losses = rng.integers(0, 4, (classes, classes)) * rng.choice([1.0, 0.3])
    price = np.zeros(columns)
    if rng.random() < 0.2:
        price = rng.integers(0, 4, columns) / 3
    penalty = float(rng.choice([0, 0, 0, 0.5, 1]))
    least = float(rng.choice([0, 0, 0, 2, 3.5]))
    if weight.sum() < least:
        least = 0.0
    return {
        "codes": codes, "labels": labels, "weight": weight, "losses": losses, "price": price,
        "penalty": penalty, "least": least,
    }  # fmt: skip


def cost_of(found, problem):
    """What a tree costs, counted case by case."""
    total = 0.0
    for f, label, cases in zip(found.column, found.label, found.cases, strict=True):
        if f < 0:
            weight, own = problem["weight"][cases], problem["labels"][cases]
            assert weight.sum() >= problem["least"] - 1e-9
            total += (weight * problem["losses"][own, label]).sum() + problem["penalty"]
        else:
            total += problem["price"][f]
    return total


@pytest.fixture(scope="session")
def twin():
    return SimpleNamespace(cheapest=cheapest, random_problem=random_problem, cost_of=cost_of)
