"""
Shallow or small? The Pareto front of exact trees
=================================================

A tree with the fewest nodes may be deep, a shallow one large. The front of all trees that no other
tree beats in both is computed exactly.
"""

import matplotlib.pyplot as plt

import pinetum

X, y = pinetum.fetch_dataset("monks-2")
model = pinetum.MinimalTree("nodes").fit(X, y)
front = [costs for costs, tree in model.pareto_front("average_depth", "nodes")]

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
axes.step(
    [first for first, _ in front],
    [second for _, second in front],
    where="post",
    color="#0173b2",
    marker="o",
)
greedy = pinetum.TreeClassifier().fit(X, y)
axes.plot(
    greedy.decision_path(X).sum() / len(X) - 1,
    greedy.tree_.sizes.nodes,
    "s",
    color="#d55e00",
    label="greedy by gain",
)
axes.set(xlabel="tests per case, on the average", ylabel="nodes")
axes.legend(frameon=False)
plt.show()
