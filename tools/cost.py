"""What a run cost, from its `benchmark:` files: jobs, core-seconds and peak memory per study.

python tools/cost.py [RESULTS]     prints the table
"""

import sys
from pathlib import Path

import pandas as pd

from scaling import read_jobs

COLUMNS = [
    "study",
    "jobs",
    "seconds_wall",
    "seconds_core",
    "peak_mb",
    "longest_job",
    "longest_seconds",
]


def cost_table(folder) -> pd.DataFrame:
    """One row per study (the first folder below `folder`), then the total."""
    jobs = read_jobs(folder)
    rows = [summarise(study, group) for study, group in jobs.groupby("study", sort=True)]
    rows.append(summarise("total", jobs))
    return pd.DataFrame.from_records(rows, columns=COLUMNS)


def summarise(study: str, jobs: pd.DataFrame) -> dict:
    if jobs.empty:
        return dict.fromkeys(COLUMNS, 0) | {"study": study, "longest_job": ""}
    longest = jobs.loc[jobs["wall"].idxmax()]
    return {
        "study": study,
        "jobs": len(jobs),
        "seconds_wall": round(jobs["wall"].sum(), 1),
        "seconds_core": round(jobs["core"].sum(), 1),
        "peak_mb": round(jobs["mb"].max(), 1),
        "longest_job": longest["job"],
        "longest_seconds": round(longest["wall"], 1),
    }


if __name__ == "__main__":
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    print(cost_table(results / "benchmarks").to_string(index=False))
