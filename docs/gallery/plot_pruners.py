"""
Twelve pruners on one tree
==========================

A fifth of the labels are wrong, so the full tree has learnt noise. Each pruner cuts it back by its
own rule; the picture shows how much is left and what that does to the error on fresh, clean cases.
"""

import matplotlib.pyplot as plt
import numpy as np

import pinetum

X, y = pinetum.fetch_dataset("nursery")
rng = np.random.default_rng(0)
rows = rng.permutation(len(X))
train, test = rows[:2000], rows[2000:]
noisy = y.to_numpy().copy()
wrong = train[rng.random(len(train)) < 0.2]
noisy[wrong] = rng.choice(y.unique(), len(wrong))

leaves, errors = [], []
for name in pinetum.PRUNERS:
    model = pinetum.TreeClassifier("c45", prune=name).fit(X.iloc[train], noisy[train])
    leaves.append(model.get_n_leaves())
    errors.append(100 * (1 - model.score(X.iloc[test], y.iloc[test])))

order = np.argsort(errors)[::-1]
names = np.array(list(pinetum.PRUNERS))[order]
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.8), sharey=True, layout="constrained")
left.barh(names, np.array(leaves)[order], color="#0173b2")
left.set(xlabel="leaves")
right.barh(names, np.array(errors)[order], color="#d55e00")
right.set(xlabel="error on clean cases, percent")
plt.show()
