"""
When does Naive Bayes help a small tree?
========================================

Every leaf counts its cases plus *n₀* times what Naive Bayes expects of it. At the left end the data
speak alone, at the right end Naive Bayes does; the best tree of depth 3 is found exactly for each
weight.
"""

import matplotlib.pyplot as plt
import numpy as np

import pinetum

weights = [0, 3, 10, 30, 100, 300, 1000, np.inf]
figure, axes = plt.subplots(figsize=(6, 3.8), layout="constrained")
for cases, colour in ((40, "#d55e00"), (120, "#cc78bc"), (360, "#0173b2")):
    X, y = pinetum.fetch_dataset("tic-tac-toe")
    errors = np.zeros(len(weights))
    for repeat in range(5):
        rows = np.random.default_rng(repeat).permutation(len(X))
        train, test = rows[:cases], rows[cases:]
        for place, weight in enumerate(weights):
            model = pinetum.NBDTClassifier(max_depth=3, n0=weight).fit(X.iloc[train], y.iloc[train])
            errors[place] += 20 * (1 - model.score(X.iloc[test], y.iloc[test]))
    axes.plot(range(len(weights)), errors, marker="o", color=colour, label=f"{cases} cases")
axes.set_xticks(range(len(weights)), ["0", *map(str, weights[1:-1]), "∞"])
axes.set(xlabel="weight of Naive Bayes, in cases", ylabel="held-out error, percent")
axes.legend(frameon=False)
plt.show()
