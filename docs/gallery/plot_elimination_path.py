"""
How many columns are needed?
============================

Backward elimination drops the column that is missed least, again and again. No tree is grown twice
on the way, so the whole path costs little; a cross-validation judges every step.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

import pinetum

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target_names[data.target]
best = pinetum.BackwardElimination(min_cases=10).fit(X, y)
lean = pinetum.BackwardElimination(min_cases=10, stop="one_standard_error").fit(X, y)

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
path = best.path_
axes.plot(path["used"], path["error"], marker="o", color="#0173b2")
for model, word, colour in (
    (best, "least error", "#d55e00"),
    (lean, "within one standard error", "#029e73"),
):
    chosen = model.path_[model.path_["selected"]].iloc[0]
    axes.plot(
        chosen["used"],
        chosen["error"],
        "o",
        markersize=11,
        markerfacecolor="none",
        color=colour,
        label=word,
    )
axes.set(xlabel="columns that the tree uses", ylabel="error of the cross-validation, percent")
axes.invert_xaxis()
axes.legend(frameon=False)
plt.show()

# %%
# What is left after the stricter rule:
print(", ".join(lean.get_feature_names_out()))
