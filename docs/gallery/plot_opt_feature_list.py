"""
The opt-feature list: the last test of a tree, looked up
========================================================

Under Naive Bayes, which feature to ask last depends on one number only: how probable the second
class is after all other answers. So the best feature for every such number is written down once,
and the last level of the search is a look-up.
"""

import matplotlib.pyplot as plt
import numpy as np

# P(value | first class) and P(value | second class) of three features.
features = {
    "A": ([0.4, 0.6], [0.9, 0.1]),
    "B": ([0.1, 0.9], [0.5, 0.5]),
    "C": ([0.2, 0.3, 0.5], [0.6, 0.3, 0.1]),
}
x = np.linspace(0, 1, 1001)
accuracy = {
    name: sum(np.maximum(x * second, (1 - x) * first) for first, second in zip(*given, strict=True))
    for name, given in features.items()
}

figure, (curves, bar) = plt.subplots(
    2, figsize=(6, 4.4), height_ratios=[5, 1], sharex=True, layout="constrained"
)
colours = dict(zip(features, ("#0173b2", "#d55e00", "#029e73"), strict=True))
for name, line in accuracy.items():
    curves.plot(x, line, color=colours[name], label=name)
best = np.argmax(np.round(list(accuracy.values()), 12), axis=0)
for place, name in enumerate(features):
    bar.fill_between(x, 0, 1, where=best == place, color=colours[name], step="mid")
curves.set_ylabel("expected accuracy after the test")
curves.legend(title="feature asked last", frameon=False, loc="upper center")
bar.set(yticks=[], xlabel="probability of the second class before the test")
plt.show()
