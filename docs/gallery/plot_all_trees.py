"""
How many different trees do all subsets of columns give?
========================================================

Nine squares of tic-tac-toe have 512 subsets. Many of them give the same tree, and once a node needs
enough cases to be split, most of them do. Every tree is met once, none is missed.
"""

import matplotlib.pyplot as plt

import pinetum

X, y = pinetum.fetch_dataset("tic-tac-toe")
sizes = [2, 4, 8, 16, 32, 64, 128, 256, 512]
counts = [pinetum.count_trees(X, y, min_cases=size).distinct for size in sizes]

figure, axes = plt.subplots(figsize=(6, 3.6), layout="constrained")
axes.plot(sizes, counts, marker="o", color="#0173b2")
axes.axhline(2**9, color="0.5", linestyle="--")
axes.text(sizes[-1], 2**9, "all 512 subsets", va="top", ha="right")
axes.set(
    xscale="log",
    yscale="log",
    xlabel="fewest cases of a node that is split",
    ylabel="different trees",
)
axes.set_xticks(sizes, sizes)
plt.show()

# %%
# They come one by one, each as the columns that its tree really uses:
for found in pinetum.iterate_trees(X, y, min_cases=512):
    print(", ".join(X.columns[list(found.subset)]) or "no column at all")
