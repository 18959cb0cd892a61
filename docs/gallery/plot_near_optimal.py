"""
How many trees are as good as the best?
=======================================

The best tree is rarely alone. Here are all trees over subsets of ten measurements of breast tumours
that err at most one percent of cases more than the best, and how often they use each measurement.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer

import pinetum

data = load_breast_cancer(as_frame=True)
X, y = data.data.iloc[:, :10], data.target_names[data.target]
near = pinetum.NearOptimalTrees(extra=0.01, min_cases=20).fit(X, y)
print(
    near.n_trees_,
    "trees;",
    "all of them use:",
    ", ".join(near.indispensable_) or "no common column",
)

order = np.argsort(near.shares_)
figure, axes = plt.subplots(figsize=(6, 3.8), layout="constrained")
axes.barh(X.columns[order], 100 * near.shares_[order], color="#0173b2")
axes.set_xlabel("trees that use it, percent")
plt.show()

# %%
# Columns that stand in for each other: pairs of trees that differ in these two only.
for one, other, often in near.exchangeable_[:3]:
    print(f"{one} or {other}: {often}")

# %%
# Near-optimal trees can vote. Where they disagree, a single tree's answer is a matter of luck.
votes = near.predict_proba(X).max(axis=1)
print(
    f"unanimous in {np.mean(votes > 0.95):.0%} of cases, torn (below two thirds) in"
    f" {np.mean(votes < 2 / 3):.1%}"
)
