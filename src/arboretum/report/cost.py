"""What a run cost, from the `benchmark:` files: jobs, core-seconds and peak memory per room."""

import pandas as pd

from arboretum.report.scaling import read_jobs

COLUMNS = ["room", "jobs", "seconds_wall", "seconds_core", "peak_mb", "longest_job", "longest_seconds"]


def cost_table(folder) -> pd.DataFrame:
    """One row per room (the first folder below `folder`), then the total."""
    jobs = read_jobs(folder)
    rows = [summarise(room, group) for room, group in jobs.groupby("room", sort=True)]
    rows.append(summarise("total", jobs))
    return pd.DataFrame.from_records(rows, columns=COLUMNS)


def summarise(room: str, jobs: pd.DataFrame) -> dict:
    if jobs.empty:
        return dict.fromkeys(COLUMNS, 0) | {"room": room, "longest_job": ""}
    longest = jobs.loc[jobs["wall"].idxmax()]
    return {
        "room": room,
        "jobs": len(jobs),
        "seconds_wall": round(jobs["wall"].sum(), 1),
        "seconds_core": round(jobs["core"].sum(), 1),
        "peak_mb": round(jobs["mb"].max(), 1),
        "longest_job": longest["job"],
        "longest_seconds": round(longest["wall"], 1),
    }
