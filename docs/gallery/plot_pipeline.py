"""
Selecting columns inside a scikit-learn pipeline
================================================

Text, numbers and missing cells in one frame; a selector before a classifier; a grid search over
both. The selection is repeated in every fold, so the error is honest.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import pinetum

X, y = pinetum.fetch_dataset("car")
rng = np.random.default_rng(0)
rows = rng.permutation(len(X))[:600]
X, y = X.iloc[rows].reset_index(drop=True), y.iloc[rows].reset_index(drop=True)
for position in range(8):
    X[f"noise {position}"] = rng.normal(size=len(X))
X.loc[rng.random(len(X)) < 0.05, "safety"] = None

pipeline = make_pipeline(pinetum.BackwardElimination(), pinetum.TreeClassifier(prune="EBP"))
grid = {
    "backwardelimination__stop": ["gain", "best", "one_standard_error"],
    "treeclassifier__cf": [0.05, 0.25],
}
search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
print(search.best_params_)

results = search.cv_results_
figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
for cf, colour in ((0.05, "#0173b2"), (0.25, "#d55e00")):
    wanted = results["param_treeclassifier__cf"] == cf
    places = np.arange(wanted.sum())
    axes.errorbar(
        places + (cf > 0.1) * 0.1,
        100 * (1 - results["mean_test_score"][wanted]),
        100 * results["std_test_score"][wanted],
        fmt="o",
        color=colour,
        label=f"confidence {cf}",
    )
axes.set_xticks(places, results["param_backwardelimination__stop"][wanted])
axes.set(xlabel="when elimination stops", ylabel="held-out error, percent")
axes.legend(frameon=False)
plt.show()

# %%
# The columns that the best pipeline keeps:
print(list(search.best_estimator_[0].get_feature_names_out()))
