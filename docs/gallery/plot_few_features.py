"""
A linear rule with three columns
================================

The plane that errs least uses all ten measurements. Allowing it to be a little worse lets most of
them go, and what is left can be written on a line.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score

import pinetum

data = load_breast_cancer(as_frame=True)
X, y = data.data.iloc[:, :10], data.target_names[data.target]
tolerances = [1.05, 1.1, 1.2, 1.4, 1.8]
counts, errors = [], []
for tolerance in tolerances:
    model = pinetum.SeparatorClassifier(max_depth=1, tolerance=tolerance).fit(X, y)
    counts.append(len(model.features_))
    errors.append(100 * (1 - cross_val_score(model, X, y, cv=5).mean()))

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
axes.plot(counts, errors, marker="o", color="#0173b2")
for count, error, tolerance in zip(counts, errors, tolerances, strict=True):
    axes.annotate(f"{tolerance}", (count, error), xytext=(4, 5), textcoords="offset points")
axes.set_xticks(range(min(counts), max(counts) + 1))
axes.set(xlabel="columns in the rule (label: tolerance)", ylabel="held-out error, percent")
plt.show()

# %%
print(model.plane())
