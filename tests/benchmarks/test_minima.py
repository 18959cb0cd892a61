"""Exact minima of random tables: the frontier ends where the work does, STreeD agrees."""

import pandas as pd

from pinetum.greedy_dp.costs import COSTS
from pinetum_benchmarks.minima import frontier, streed

SEED = 20170806


def test_the_frontier_ends_where_the_work_does():
    lines = pd.DataFrame(
        frontier.run(
            SEED,
            rows=[10, 60, 90],
            attributes=[12],
            tables=2,
            values=3,
            decisions=3,
            work_millions=0.3,
            memory_mb=20,
        )
    )
    assert set(lines["status"]) == {"optimal", "work_limit"}
    for _, part in lines.groupby("cost"):
        open_sizes = part.loc[part["status"] != "optimal", "rows"]
        assert open_sizes.nunique() <= 1 and (open_sizes == part["rows"].max()).all()
        assert (part["least"] <= part["most"]).all() and (part["most"] <= part["greedy"]).all()
        assert ((part["gap_at_most"] == 0) == (part["status"] == "optimal")).all()


def test_minima_beside_streed():
    lines = pd.DataFrame(streed.run(SEED, shapes=[[40, 6]], tables=2), columns=streed.COLUMNS)
    assert len(lines) == 2 * len(COSTS) and (lines["status"] == "optimal").all()
    if not streed.installed():
        assert set(lines["status_streed"]) == {"not_run"}
        return
    met = lines[lines["status_streed"] == "optimal"]
    assert set(met["cost"]) == {"h", "L", "L_n", "L_t"} and (met["minimum"] == met["streed"]).all()
    assert set(lines.loc[lines["status_streed"] != "optimal", "cost"]) == {"h_av"}
