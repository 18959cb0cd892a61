"""
The best subset of columns, and how far its error can be believed
=================================================================

A search over all subsets finds the one whose trees err least in a cross-validation, and proves it.
The error it found is the best of many and so too hopeful; an outer cross-validation that repeats
the whole search tells the honest one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

import pinetum

data = load_wine(as_frame=True)
X, y = data.data, data.target_names[data.target]
searched, honest, names = [], [], []
for folds in (2, 3, 5):
    model = pinetum.BestSubset(folds, min_cases=8, outer_folds=5).fit(X, y)
    names.append(f"{folds} folds\n{len(model.get_support(indices=True))} columns, {model.status_}")
    searched.append(100 * model.search_error_)
    honest.append(100 * model.outer_error_)

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
places = range(len(names))
axes.bar([place - 0.18 for place in places], searched, 0.36, label="of the search", color="#56b4e9")
axes.bar([place + 0.18 for place in places], honest, 0.36, label="held out", color="#d55e00")
axes.set_xticks(places, names)
axes.set(ylabel="error, percent", ylim=(0, 1.25 * max(honest)))
axes.legend(frameon=False, loc="upper left", ncols=2)
plt.show()

# %%
# The tree of the last subset, grown on all cases:
print(model.to_text())
