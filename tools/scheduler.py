"""What one submitting Snakemake and a batch scheduler do to the use of many cores: a simulation.

`python tools/scheduler.py` writes its table and figure into notes/ten_thousand_cores.md.
"""

import heapq
import re

import pandas as pd

from pinetum.files import HOME, whole_file
from pinetum.randomness import stream

# Measured with Snakemake 9.27 and its Slurm plugin 2.8, see docs/cluster.md.
SUBMISSIONS = 5.0  # jobs a second, `max-jobs-per-timespan` of the profile
START = 7.0  # seconds between submission and the first line of work on a free core
LOOK = 30.0  # seconds between two looks at which jobs have ended
SPREAD = 0.5  # standard deviation of a job's logarithmic length


def simulate(
    jobs, cores, seconds, *, queued=None, submissions=SUBMISSIONS, start=START, look=LOOK, seed=0
) -> dict:
    """Independent jobs of about `seconds` each on `cores` cores.

    Every job starts on a core of its own.

    queued  jobs submitted and not yet seen to have ended, at most (`jobs:` of the profile; default:
            as many as cores)
    """
    queued = cores if queued is None else queued
    rng = stream(seed, "scheduler", jobs, cores, seconds)
    lengths = rng.lognormal(-SPREAD * SPREAD / 2, SPREAD, jobs) * seconds
    free = [0.0] * min(cores, jobs)  # when each core is free again
    flying: list[float] = []  # when each submitted job is seen to have ended
    clock = 0.0  # of the submitting process
    finished = 0.0
    for length in lengths.tolist():  # Python adds its own numbers faster
        clock += 1.0 / submissions
        if len(flying) >= queued and flying[0] > clock:
            clock = flying[0]
        ended = (free[0] if free[0] > clock else clock) + start + length
        heapq.heapreplace(free, ended)
        noticed = look * (int(ended / look) + 1)  # at the next look
        if len(flying) >= queued:
            heapq.heapreplace(flying, noticed)
        else:
            heapq.heappush(flying, noticed)
        finished = max(finished, noticed)
    return {
        "jobs": jobs,
        "cores": cores,
        "seconds_per_job": seconds,
        "minutes": finished / 60,
        "used": lengths.sum() / (finished * cores),
        "busy_cores": lengths.sum() / finished,
    }


def study(
    cores=(10, 100, 1000, 10000), minutes=(1, 10, 60, 240), rounds=20, seed=0
) -> pd.DataFrame:
    """`rounds` jobs for every core, of several lengths."""
    rows = [simulate(rounds * n, n, 60 * length, seed=seed) for length in minutes for n in cores]
    return pd.DataFrame(rows)


def draw(records: pd.DataFrame, png) -> None:
    from pinetum.report import style

    fig, axes = style.figure()
    for number, (seconds, part) in enumerate(records.groupby("seconds_per_job")):
        axes.plot(
            part["cores"],
            100 * part["used"],
            color=style.PALETTE[number],
            marker=style.MARKERS[number],
            linestyle=style.DASHES[number],
            label=f"{seconds / 60:g} min",
        )
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.set_xlabel("cores")
    axes.set_ylabel("use of the cores, %")
    axes.legend(title="length of a job")
    style.save(fig, png)


BEGIN, END = "<!-- written by `python tools/scheduler.py` -->", "<!-- end of the table -->"
LENGTHS = {60: "1 min", 600: "10 min", 3600: "1 h", 14400: "4 h"}


def table(records: pd.DataFrame) -> str:
    """Use of the cores in per cent, a row per length of a job."""
    lines = ["| length of a job | 10 cores | 100 | 1,000 | 10,000 |", "|---:|---:|---:|---:|---:|"]
    for seconds, part in records.groupby("seconds_per_job"):
        cells = " | ".join(f"{100 * used:.0f} %" for used in part.sort_values("cores")["used"])
        lines.append(f"| {LENGTHS[int(seconds)]} | {cells} |")
    return "\n".join(lines)


if __name__ == "__main__":
    from pinetum.report import style

    page, found = HOME / "notes/ten_thousand_cores.md", study()
    block = f"{BEGIN}\n\n{table(found)}\n\n{END}"
    text = re.sub(f"{BEGIN}.*{END}", block, page.read_text(encoding="utf-8"), flags=re.S)
    with whole_file(page) as file:
        file.write(text)
    style.write_vector_forms([])
    draw(found, HOME / "docs/figures/scheduler.png")
