"""
A tree that fits on a card
==========================

Depth 3, the best tree there is of that depth, drawn and as sentences. The greedy tree of the same
depth stands beside it.
"""

import matplotlib.pyplot as plt
from sklearn.model_selection import cross_val_score

import pinetum

X, y = pinetum.fetch_dataset("monks-1")
best = pinetum.NBDTClassifier(max_depth=3, n0=0).fit(X, y)
greedy = pinetum.TreeClassifier(max_depth=3).fit(X, y)
best.plot()
plt.show()

# %%
print(best.to_rules())

# %%
for name, model in (("best", best), ("greedy", greedy)):
    print(
        f"{name}: {model.get_n_leaves()} leaves, held-out accuracy"
        f" {cross_val_score(model, X, y, cv=5).mean():.3f}"
    )
