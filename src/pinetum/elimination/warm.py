"""Compile every kernel of the study; those of the study it stands on have their own turn."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.distinct.engine import Engine
from pinetum.distinct.search import search_engine
from pinetum.elimination.backward import Workspace, select_in, tree_errors
from pinetum.induction import yadt


def warm_up(with_search=False):
    """Compile before any clock runs; on request the complete search too."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (3, 30)).astype(np.int32)
    building, search = np.arange(20), np.arange(20, 30)
    for missing in (0, 5):
        codes[0, :missing] = -1
        labels = (codes[1] > 1).astype(np.int32)
        values = (np.arange(3.0), ("a", "b", "c"), np.arange(3.0))
        data = Dataset(
            "warm", codes, labels, np.array([1, 0, 1], bool), values, ("x", "y", "z"), ("n", "p")
        )
        workspace = Workspace(data, 1)
        table = workspace.table(data, building, search)
        select_in(table, workspace, way="bounded", options=yadt(2))
        table = workspace.table(data, building, search)
        tree_errors(table, workspace, options=yadt(2))
        if with_search:
            engine = Engine(data, yadt(2), building, search, cache_mb=50)
            search_engine(engine, time_limit=1, start=(0, 1))
