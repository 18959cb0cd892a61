"""
Sixteen greedy rules against the proved minimum
===============================================

Each rule grows a tree of the same decision tables; dynamic programming tells how small it could
have been.
"""

import matplotlib.pyplot as plt
import numpy as np

from pinetum.greedy_dp import COSTS, HEURISTICS, Minimizer, decision_table, greedy_costs

rng = np.random.default_rng(0)
excess = []
for _ in range(60):
    rows = np.unique(rng.integers(0, 2, size=(60, 6)), axis=0).T
    table = decision_table(rows, rng.integers(0, 2, size=rows.shape[1]))
    least = np.array([Minimizer(table).minimum(cost).high for cost in COSTS])
    excess.append(greedy_costs(table) / least - 1)
excess = 100 * np.mean(excess, axis=0)

figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
picture = axes.imshow(excess, cmap="cividis_r", aspect="auto")
axes.set_xticks(range(len(COSTS)), list(COSTS), rotation=30, ha="right")
axes.set_yticks(range(len(HEURISTICS)), list(HEURISTICS))
figure.colorbar(picture, label="percent above the minimum")
plt.show()
