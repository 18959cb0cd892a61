"""
A pruning rule found by a program search
========================================

The search varies small programs that estimate the error of a node from its cases *n* and errors
*e*, and keeps those whose pruned trees rank better on generated data. The result is a formula, not
a black box.
"""

import matplotlib.pyplot as plt

import pinetum

found = pinetum.search_pruner(budget=3000, random_state=1)
print(found.as_python())

# %%
# Its rank on trees that the search never saw, beside that of the program it started from (smaller
# is better):
facts = found.facts
figure, axes = plt.subplots(figsize=(6, 2.4), layout="constrained")
names = ["start: normal bound", "found"]
axes.barh(names, [facts["start_rank"], facts["selection_rank"]], color=["0.6", "#0173b2"])
axes.set_xlabel("mean rank beside the published pruners")
axes.set_xlim(1, None)
plt.show()

# %%
# It prunes like any other:
X, y = pinetum.fetch_dataset("monks-2")
full = pinetum.TreeClassifier().fit(X, y)
print(
    full.get_n_leaves(), "leaves,", pinetum.prune(full.tree_, found).sizes.leaves, "after pruning"
)
