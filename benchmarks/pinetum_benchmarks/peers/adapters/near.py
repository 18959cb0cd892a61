"""Sets of near-optimal trees over 0/1 columns, penalised per leaf."""

import numpy as np


class TreeFarms:
    """TREEFARMS: every tree whose penalised training error is within a share of the least."""

    def __init__(self, data, penalty, extra, max_depth):
        from treefarms import TREEFARMS

        self.model = TREEFARMS(
            {
                "regularization": penalty,
                "rashomon_bound_multiplier": extra,
                "depth_budget": max_depth + 1,  # it counts levels of nodes
                "worker_limit": 1,
                "verbose": False,
            }
        )

    def fit(self, X, y):
        import pandas as pd

        columns = [f"x{i}" for i in range(X.shape[1])]
        self.model.fit(pd.DataFrame(X.astype(int), columns=columns), pd.Series(y, name="class"))

    def facts(self):
        return {"trees": self.model.get_tree_count()}


class Praxis:
    """PRAXIS: the same set, approximated by a look-ahead."""

    def __init__(self, data, penalty, extra, max_depth):
        from praxis import PRAXIS

        self.model = PRAXIS()
        self.options = {"lambda_reg": penalty, "rashomon_mult": extra, "depth_budget": max_depth}

    def fit(self, X, y):
        self.model.fit(X.astype(np.uint8), y, **self.options)

    def facts(self):
        return {"trees": int(self.model.count_trees())}
