"""
Pruning a tree of scikit-learn
==============================

``prune`` takes a fitted ``DecisionTreeClassifier`` as well. Pessimistic pruning needs neither a
validation set nor a parameter; here it stands beside the whole path of cost-complexity pruning.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

import pinetum

X, y = load_digits(return_X_y=True)
X, X_test, y, y_test = train_test_split(X, y, random_state=0)
model = DecisionTreeClassifier(random_state=0).fit(X, y)


def error(tree):
    return 100 * np.mean(np.array(tree.class_names)[tree.predict(X_test)] != y_test.astype(str))


figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
path = [
    DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y)
    for alpha in model.cost_complexity_pruning_path(X, y).ccp_alphas[::4]
]
axes.plot(
    [tree.get_n_leaves() for tree in path],
    [100 * (1 - tree.score(X_test, y_test)) for tree in path],
    color="0.6",
    label="cost-complexity, every parameter",
)
for name, colour in (("PEP", "#0173b2"), ("MEP", "#d55e00"), ("EBP", "#029e73")):
    pruned = pinetum.prune(model, name, X, y) if name == "EBP" else pinetum.prune(model, name)
    axes.plot(pruned.sizes.leaves, error(pruned), "o", color=colour, label=name)
axes.set(xscale="log", ylim=(10, 40), xlabel="leaves", ylabel="error, percent")
axes.legend(frameon=False)
plt.show()
