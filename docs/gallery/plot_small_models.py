"""
Every small model on one table
==============================

Size and held-out error of what this package offers, on tumours of the breast, each with its
defaults. Down and to the left is better.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import pinetum

data = load_breast_cancer(as_frame=True)
X, y = data.data.iloc[:, :10], data.target_names[data.target]
models = {
    "tree": pinetum.TreeClassifier(),
    "tree, WEBP": pinetum.TreeClassifier(prune="WEBP"),
    "tree, C4.5": pinetum.TreeClassifier("c45", prune="EBP"),
    "depth 3, exact": pinetum.NBDTClassifier(max_depth=3, max_cuts=12),
    "one plane": pinetum.SeparatorClassifier(max_depth=1),
    "best subset": pinetum.BestSubset(3, min_cases=20),
    "CART": DecisionTreeClassifier(random_state=0),
    "CART, depth 3": DecisionTreeClassifier(max_depth=3, random_state=0),
}
figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
for name, model in models.items():
    leaves, errors = [], []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        model.fit(X.iloc[train], y[train])
        leaves.append(model.get_n_leaves())
        errors.append(100 * (1 - model.score(X.iloc[test], y[test])))
    ours = not name.startswith("CART")
    axes.plot(
        np.mean(leaves), np.mean(errors), "o" if ours else "s", color="#0173b2" if ours else "0.5"
    )
    axes.annotate(
        name,
        (np.mean(leaves), np.mean(errors)),
        xytext=(5, 3),
        textcoords="offset points",
        fontsize=8,
    )
axes.set(xscale="log", xlabel="leaves", ylabel="held-out error, percent")
axes.set_xticks([2, 4, 8, 16, 32], [2, 4, 8, 16, 32])
axes.minorticks_off()
axes.margins(x=0.15)
plt.show()
