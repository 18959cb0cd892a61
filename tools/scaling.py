"""How evenly shards share their work and how long the same jobs take on N cores, from a run's
`benchmark:` files.

python tools/scaling.py [RESULTS]     writes RESULTS/report/scaling.md
"""

import json
import re
import sys
from pathlib import Path

import pandas as pd

from pinetum.elimination.replication.protocol import MIN_CASES
from pinetum.files import HOME, whole_file
from pinetum.workflow.config import load_yaml, merged

CORES = (1, 2, 4, 8, 16, 32, 64, 128)
SHARD = re.compile(r"(\d+)-of-(\d+)")
WAIT = 15  # seconds between a job's submission and its start on a quiet cluster
MILLIONS_PER_SECOND = 60  # steps of a complete search on one core; measured between 40 and 200


def read_jobs(folder) -> pd.DataFrame:
    """One row per job: study, rule, shard, of, wall, core (seconds), mb.

    Shards of an earlier run with another number of shards are left out.
    """
    folder = Path(folder)
    records = []
    for path in sorted(folder.rglob("*.tsv")):
        place = path.relative_to(folder).with_suffix("")
        last = pd.read_csv(path, sep="\t", na_values=["-", "NA"]).iloc[-1]
        split = SHARD.fullmatch(place.name)
        core = float(last["cpu_time"]) if pd.notna(last["cpu_time"]) else 0.0
        records.append(
            {
                "study": place.parts[0],
                "rule": place.parts[1] if len(place.parts) > 1 else place.parts[0],
                "job": str(place),
                "shard": int(split[1]) if split else 0,
                "of": int(split[2]) if split else 0,
                "wall": float(last["s"]),
                "core": core,
                "mb": float(last["max_rss"]) if pd.notna(last["max_rss"]) else 0.0,
                "written": path.stat().st_mtime,
            }
        )
    columns = ["study", "rule", "job", "shard", "of", "wall", "core", "mb", "written"]
    jobs = pd.DataFrame.from_records(records, columns=columns)
    newest = jobs.loc[jobs.groupby(["study", "rule"])["written"].idxmax()].set_index(
        ["study", "rule"]
    )["of"]
    current = jobs["of"] == [newest[key] for key in zip(jobs["study"], jobs["rule"], strict=True)]
    return jobs[(jobs["of"] == 0) | current].drop(columns="written").reset_index(drop=True)


def shard_table(jobs: pd.DataFrame) -> pd.DataFrame:
    """Per sharded rule the longest shard over the mean, in core-seconds, start-up included."""
    records = []
    for (study, rule), part in jobs[jobs["of"] > 0].groupby(["study", "rule"], sort=True):
        mean, longest = part["core"].mean(), part["core"].max()
        records.append(
            {
                "study": study,
                "rule": rule,
                "shards": len(part),
                "seconds_total": round(part["core"].sum(), 1),
                "seconds_mean": round(mean, 2),
                "seconds_longest": round(longest, 2),
                "rate_longest_over_mean": round(longest / mean, 3) if mean else 1.0,
            }
        )
    columns = [
        "study",
        "rule",
        "shards",
        "seconds_total",
        "seconds_mean",
        "seconds_longest",
        "rate_longest_over_mean",
    ]
    return pd.DataFrame.from_records(records, columns=columns)


def length(jobs: pd.DataFrame) -> pd.Series:
    """Seconds a job takes with a core to itself: processor time where it was sampled, else wall
    time.
    """
    return jobs["core"].where(jobs["core"] > 0, jobs["wall"])


def longest_chain(jobs: pd.DataFrame) -> float:
    """Bounds the critical path: data, kernels, one job of every rule of the slowest study, the
    report.
    """
    worst = (
        jobs.assign(length=length(jobs))
        .groupby(["study", "rule"])["length"]
        .max()
        .groupby("study")
        .sum()
    )
    shared = [study for study in ("data", "kernels", "report") if study in worst.index]
    studies = worst.drop(shared)
    return float(worst[shared].sum() + (studies.max() if len(studies) else 0.0))


def wall_table(jobs: pd.DataFrame, wait: float = 0.0, cores=CORES) -> pd.DataFrame:
    """Minutes of wall time on N cores between two bounds that hold for every scheduler that leaves
    no core idle.

    At least the work divided by the cores, and at least the longest job; at most (Graham) the work
    divided by the cores and a longest chain on top. `wait` seconds are added to every job: what a
    cluster takes to start one.
    """
    lengths = length(jobs) + wait
    work, longest = lengths.sum(), lengths.max() if len(lengths) else 0.0
    chain = (
        longest_chain(jobs) + wait * jobs.groupby("study")["rule"].nunique().max()
        if len(jobs)
        else 0.0
    )
    return pd.DataFrame(
        {
            "cores": cores,
            "at_least": [max(work / n, longest) / 60 for n in cores],
            "at_most": [(work / n + (1 - 1 / n) * chain) / 60 for n in cores],
        }
    )


def declared_work(config: dict) -> pd.DataFrame:
    """Core-hours at most of the searches whose limit the configuration states in millions of
    steps.
    """
    distinct, elimination = config["distinct"], config["elimination"]
    part = {}
    part["distinct, enumeration over m"] = (
        len(distinct["enumeration"]["min_cases"]) * distinct["enumeration"]["work"]
    )
    orders = distinct["orders"]
    part["distinct, orders"] = (
        3 * len(orders["min_cases"]) + len(orders["slow_min_cases"])
    ) * orders["work"]
    errors = distinct["search_errors"]
    part["distinct, search errors over m"] = (
        len(errors["min_cases"]) * errors["splits"] * errors["work"]
    )
    optimum, near = distinct["optimum"], distinct["rashomon"]
    part["distinct, best subsets"] = (
        len(optimum["datasets"]) * len(optimum["min_cases"]) * optimum["work"]
    )
    part["distinct, near-optimal trees"] = (
        2 * len(near["datasets"]) * len(near["min_cases"]) * near["work"]
    )
    part["distinct, sharded enumeration"] = distinct["shards"]["work"]
    curve = elimination["curve"]
    others = [m for m in curve["min_cases"] if m != MIN_CASES]
    part["elimination, best subsets"] = sum(
        plan["folds"] * plan["work"] for plan in elimination["optimal"].values()
    )
    part["elimination, Figure 5"] = (
        len(curve["rows"]) * len(others) * curve["optimal_folds"] * curve["optimal_work"]
    )
    hours = {name: millions / MILLIONS_PER_SECOND / 3600 for name, millions in part.items()}
    return pd.DataFrame({"search": hours.keys(), "core_hours_at_most": hours.values()})


def write_scaling(path, jobs: pd.DataFrame, shards: pd.DataFrame, plans: dict, wait: float) -> None:
    """The page for somebody who has to ask for cores."""
    here, cluster = wall_table(jobs), wall_table(jobs, wait)
    lengths = length(jobs)
    times = [
        (
            one.cores,
            f"{one.at_least:.1f} to {one.at_most:.1f}",
            f"{other.at_least:.1f} to {other.at_most:.1f}",
        )
        for one, other in zip(here.itertuples(), cluster.itertuples(), strict=True)
    ]
    balance = [
        (
            f"{row.study}: {row.rule}",
            row.shards,
            f"{row.seconds_mean:.1f}",
            f"{row.rate_longest_over_mean:.2f}",
        )
        for row in shards.itertuples()
    ]
    works = {
        name: declared_work(config).set_index("search")["core_hours_at_most"]
        for name, config in plans.items()
    }
    limits = pd.DataFrame(works)
    limits.loc["all"] = limits.sum()
    allowed = [
        (name, *(f"{value:,.2f}" for value in row))
        for name, row in zip(limits.index, limits.values, strict=True)
    ]
    text = f"""# How long on how many cores

Made from the {len(jobs)} jobs of this run: {lengths.sum() / 3600:.2f} core-hours, the longest job
{lengths.max() / 60:.1f} minutes. The two bounds hold for every scheduler that leaves no core idle while a job is
ready: the work divided by the cores (or the longest job), and Graham's bound with a longest chain on top.

{grid(("cores", "minutes, one machine", f"minutes, cluster ({wait:g} s to start a job)"), times)}

## Balance of the shards

{grid(("rule", "shards", "core-seconds, mean", "longest over mean"), balance)}

## What the limits allow

Complete searches end at a stated amount of work, the same on every machine. Core-hours at most, at
{MILLIONS_PER_SECOND} million steps a second:

{grid(("search", *limits.columns), allowed)}
"""  # noqa: E501
    with whole_file(path) as file:
        file.write(text)


def grid(header, rows) -> str:
    lines = [header, ("---", *["---:"] * (len(header) - 1)), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


if __name__ == "__main__":
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    found = read_jobs(results / "benchmarks")
    here = json.loads((results / "provenance.json").read_text(encoding="utf-8"))["configuration"]
    base, full = (load_yaml(str(HOME / f"config/{name}.yaml")) for name in ("config", "full"))
    plans = {"this run": here, "full.yaml": merged(base, full)}
    write_scaling(results / "report/scaling.md", found, shard_table(found), plans, WAIT)
