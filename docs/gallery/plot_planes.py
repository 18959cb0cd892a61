"""
One plane or many steps
=======================

Where the classes are divided by a slope, a tree of single tests climbs it in steps; a linear
decision needs one line.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_iris

import pinetum

data = load_iris(as_frame=True)
X = data.data[["petal length (cm)", "petal width (cm)"]]
y = data.target_names[data.target]
models = {
    "single tests": pinetum.TreeClassifier().fit(X, y),
    "planes": pinetum.SeparatorClassifier("RLP", max_depth=2).fit(X, y),
}
first, second = np.meshgrid(np.linspace(0.8, 7.2, 160), np.linspace(0, 2.7, 160))
grid = X.iloc[:0].reindex(range(first.size))
grid[X.columns[0]], grid[X.columns[1]] = first.ravel(), second.ravel()

figure, panes = plt.subplots(1, 2, figsize=(8, 3.6), sharey=True, layout="constrained")
for (name, model), pane in zip(models.items(), panes, strict=True):
    answer = np.searchsorted(data.target_names, model.predict(grid)).reshape(first.shape)
    pane.contourf(
        first,
        second,
        answer,
        levels=[-0.5, 0.5, 1.5, 2.5],
        colors=["#cfe8f5", "#fbe3d0", "#d3efe3"],
    )
    for kind, colour in zip(data.target_names, ("#0173b2", "#d55e00", "#029e73"), strict=True):
        pane.plot(*X[y == kind].to_numpy().T, "o", markersize=4, color=colour, label=kind)
    pane.set(title=f"{name}: {model.get_n_leaves()} leaves", xlabel=X.columns[0])
panes[0].set_ylabel(X.columns[1])
panes[0].legend(frameon=False, loc="upper left")
plt.show()
