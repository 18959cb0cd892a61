"""Compare two results folders cell by cell.

    python same_results.py before/results after/results [part of the files' names]

All CSVs that both have must hold the same values, but for clocks and provenance, and for the last
digits of numbers that were computed from a CSV of ten digits. A refactoring is proved by it.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from conftest import CLOCKS, ROOT, TIMING, timed_numbers

PROVENANCE = {"version", "commit", "measured_by"}
LAST_DIGITS = 2e-9  # of two numbers, relative, and beside 1
NOTHING = (".snakemake/", "logs/", "benchmarks/", "kernels/", "report/", "peers/")


def differences(before, after, part="") -> list[str]:
    """One line for each file, column or cell that is not the same."""
    before, after = Path(before), Path(after)
    timed = timed_numbers(ROOT / "config" / "published")
    files = [names(folder, part) for folder in (before, after)]
    found = [f"{name}: only before" for name in sorted(files[0] - files[1])]
    found += [f"{name}: only after" for name in sorted(files[1] - files[0])]
    for name in sorted(files[0] & files[1]):
        frames = [values(folder / name, timed) for folder in (before, after)]
        found += [f"{name}: {line}" for line in unlike(*frames)]
    return found


def names(folder, part) -> set[str]:
    """CSVs of a results folder below a part of it, without those that only measure the machine."""
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*.csv")}
    kept = found - set(CLOCKS)
    return {name for name in kept if part in name and not name.startswith(NOTHING)}


def values(path, timed) -> pd.DataFrame:
    """The cells of a CSV that hold no clock and no provenance."""
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    kept = [name for name in frame if name not in PROVENANCE and not TIMING.search(name)]
    frame = frame[kept]
    if {"item", "row", "column"} <= set(frame):
        keys = list(map(tuple, frame[["item", "row", "column"]].values))
        frame = frame[[key not in timed for key in keys]]
    for verdict in [name for name in frame if name.endswith(" verdict")]:
        ours = verdict.removesuffix(" verdict")
        clocks = [(row, ours) in {key[1:] for key in timed} for row in frame["row"]]
        frame.loc[clocks, [ours, verdict]] = ""
    return frame.reset_index(drop=True)


def unlike(before, after):
    """What is not the same in two tables."""
    for name in [*before, *after]:
        if (name in before) != (name in after):
            yield f"column {name} only {'before' if name in before else 'after'}"
    if len(before) != len(after):
        yield f"{len(before)} rows before, {len(after)} after"
        return
    for name in before.columns.intersection(after.columns):
        old, new = before[name], after[name]
        numbers = [pd.to_numeric(part, errors="coerce").to_numpy() for part in (old, new)]
        near = np.isclose(*numbers, rtol=LAST_DIGITS, atol=LAST_DIGITS)
        for row in np.flatnonzero((old != new).to_numpy() & ~near):
            yield f"row {row + 2}, {name}: {old[row]!r} before, {new[row]!r} after"


if __name__ == "__main__":
    lines = differences(*sys.argv[1:])
    print(*lines[:200], f"{len(lines)} differences", sep="\n")
    sys.exit(bool(lines))
