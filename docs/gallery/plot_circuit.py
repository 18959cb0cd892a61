"""
Which gate is broken? The fewest measurements that tell
=======================================================

Two gates in a row feed a third. Any of them may be stuck at 0 or at 1. Which outputs should one
look at, and in which order, so that the fault is found with the fewest measurements on the average?
"""

from itertools import product

import matplotlib.pyplot as plt
import pandas as pd

import pinetum

GATES = {"and": lambda a, b, c: a & b, "xor": lambda a, b, c: b ^ c, "or": None}


def outputs(a, b, c, broken=None, stuck=0):
    value = {}
    for name, gate in GATES.items():
        value[name] = gate(a, b, c) if gate else value["and"] | value["xor"]
        if name == broken:
            value[name] = stuck
    return value["xor"], value["or"]


states = [(None, 0), *product(GATES, (0, 1))]
table = pd.DataFrame(
    {
        f"{place} at {a}{b}{c}": [
            "high" if outputs(a, b, c, *state)[number] else "low" for state in states
        ]
        for a, b, c in product((0, 1), repeat=3)
        for number, place in enumerate(("xor", "or"))
    }
)
broken = ["none" if gate is None else f"{gate} at {stuck}" for gate, stuck in states]
model = pinetum.MinimalTree("average_depth", then=["depth"], inconsistent="all").fit(table, broken)
model.plot()
plt.show()

# %%
# Proved, and how many plans are as good:
print(model.status_, model.costs_, model.count("average_depth", "depth"))
