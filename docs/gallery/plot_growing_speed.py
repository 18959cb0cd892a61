"""
How fast a tree grows
=====================

Seconds of one core for a whole ``fit``, ours and scikit-learn's, both by information gain on the
same numbers. The first call is not counted: it compiles, once a machine.
"""

import time

import matplotlib.pyplot as plt
import numpy as np
from sklearn.tree import DecisionTreeClassifier

import pinetum

rng = np.random.default_rng(0)
sizes = [300, 1000, 3000, 10000, 30000]
seconds = {"pinetum": [], "scikit-learn": []}
for size in sizes:
    X = rng.normal(size=(size, 10))
    y = (X[:, 0] + X[:, 1] > 0) ^ (rng.random(size) < 0.1)
    for name, model in (
        ("pinetum", pinetum.TreeClassifier()),
        ("scikit-learn", DecisionTreeClassifier(criterion="entropy")),
    ):
        times = []
        for _ in range(3):
            begin = time.process_time()
            model.fit(X, y)
            times.append(time.process_time() - begin)
        seconds[name].append(np.median(times))

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
for (name, line), colour in zip(seconds.items(), ("#0173b2", "0.5"), strict=True):
    axes.plot(sizes, line, marker="o", color=colour, label=name)
axes.set(xscale="log", yscale="log", xlabel="cases", ylabel="CPU seconds of one fit")
axes.legend(frameon=False)
plt.show()
