"""Twenty files as people have them, and what `pinetum run` makes of each.

python tests/own/awkward.py notes/awkward_files.md           all of them, within 6 GB of address space each
python tests/own/awkward.py notes/awkward_files.md ids utf16  these; other rows of the page stay
"""  # noqa: E501

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

GIGABYTES = 6


@dataclass(frozen=True)
class File:
    """One habit: what the file holds, what is expected, and what is asked of it."""

    make: Callable  # folder -> path
    about: str
    outcome: str = "buys"
    refused: str = ""  # part of the message where the file cannot be used as it is
    warns: str = ""  # part of a warning
    budget: int = 120  # CPU seconds that all jobs together may take


def customers(cases=300, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, cases),
            "income": rng.integers(100, 900, cases) * 100,
            "score": rng.normal(50, 10, cases).round(2),
            "town": rng.choice(["Ulm", "Köln", "Bonn"], cases),
        }
    )
    yes = (frame["income"] > 50_000) ^ (frame["town"] == "Ulm")
    frame["buys"] = np.where(yes ^ (rng.random(cases) < 0.1), "yes", "no")
    return frame


def written(change=lambda frame: frame, name="data.csv", cases=300, **options):
    """A maker of a CSV file from the customers, changed."""

    def make(folder):
        path = folder / name
        change(customers(cases)).to_csv(path, **{"index": False} | options)
        return path

    return make


def with_cell(column, word):
    def change(frame):
        frame = frame.astype({column: object})
        frame.loc[7, column] = word
        return frame

    return change


def two_headers(folder):
    lines = customers().to_csv(index=False).splitlines()
    path = folder / "data.csv"
    path.write_text(
        "\n".join([lines[0], "years,euro,points,name,yes or no", *lines[1:]]) + "\n",
        encoding="utf-8",
    )
    return path


def trailing(folder):
    lines = customers().to_csv(index=False).splitlines()
    path = folder / "data.csv"
    path.write_text("".join(f"{line},,,\n" for line in lines), encoding="utf-8")
    return path


def empty(folder):
    path = folder / "data.csv"
    path.write_text("")
    return path


def a_folder(folder):
    path = folder / "data.csv"
    path.mkdir()
    return path


def rare(frame):
    frame["buys"] = np.where(np.arange(len(frame)) % 200 == 0, "fraud", "fine")
    frame.loc[frame["buys"] == "fraud", "score"] += 25
    return frame


def wide(frame):
    rng = np.random.default_rng(1)
    more = pd.DataFrame(
        rng.normal(size=(len(frame), 2000)).round(3), columns=[f"gene{n}" for n in range(2000)]
    )
    return pd.concat([more, frame], axis=1)


FILES = {
    "ids": File(
        written(
            lambda f: f.assign(
                customer_id=np.random.default_rng(1).permutation(10**6)[: len(f)],
                code=[f"K{n:05}" for n in range(len(f))],
            )
        ),
        "a number and a code of its own for every case",
        warns="customer_id: dropped, named as an identifier",
    ),
    "dates": File(
        written(
            lambda f: f.assign(
                joined=pd.date_range("2019-01-01", periods=len(f), freq="7h"),
                day=pd.date_range("2020-01-01", periods=len(f)).strftime("%d.%m.%Y"),
            )
        ),
        "dates with and without time, in two styles",
        warns="joined: dropped, a date",
    ),
    "thousands": File(
        written(lambda f: f.assign(income=[f"{n:,}" for n in f["income"]])), '"19,570"'
    ),
    "dash": File(
        written(with_cell("score", "-")), "`-` for one missing number", warns="'-' in 1 cell"
    ),
    "nan": File(
        written(with_cell("score", "NaN")), "`NaN` for one missing number", warns="'NaN' in 1 cell"
    ),
    "not_available": File(
        written(with_cell("income", "N/A")), "`N/A` for one missing number", warns="'N/A' in 1 cell"
    ),
    "semicolons": File(written(sep=";", decimal=","), "semicolons and decimal commas"),
    "utf16": File(
        written(encoding="utf-16", sep="\t"), "UTF-16 with tabs, as spreadsheets save Unicode text"
    ),
    "latin1": File(written(encoding="latin-1"), "Latin-1", warns="read as Windows-1252"),
    "index": File(
        written(index=True),
        "the index column that pandas writes",
        warns="numbers the cases; left out",
    ),
    "two_headers": File(two_headers, "a second line of names, of units", refused="`skip: [2]`"),
    "trailing": File(trailing, "three empty columns at the end", warns="neither a name nor cells"),
    "class_of_numbers": File(written(), "a class of numbers", outcome="score", refused="`bins: 3`"),
    "rare_class": File(written(rare, cases=20_000), "100 frauds among 20,000 cases", budget=600),
    "all_missing": File(
        written(lambda f: f.assign(fax=None)), "a column without a cell", warns="fax: dropped"
    ),
    "hundred_classes": File(
        written(lambda f: f.assign(buys=[f"kind {n % 100}" for n in range(len(f))]), cases=2000),
        "100 classes",
        budget=600,
    ),
    "wide": File(written(wide), "300 cases of 2,004 columns", budget=600),
    "long": File(written(cases=200_000), "200,000 cases", budget=600),
    "empty": File(empty, "nothing", refused="empty"),
    "folder": File(a_folder, "a folder of that name", refused="a folder"),
}


def run(name, file, folder):
    """What came of one file: (outcome, CPU seconds, peak megabytes, seconds)."""
    path = file.make(folder)
    command = [
        sys.executable,
        "-m",
        "pinetum.cli",
        "run",
        str(path),
        "--outcome",
        file.outcome,
        "--cores",
        "2",
    ]
    begun = time.monotonic()
    with open(folder / "said", "w") as said:
        started = subprocess.Popen(
            [*command, "--directory", str(folder / "run")],
            stdout=said,
            stderr=said,
            preexec_fn=bound,
        )
        _, status, used = os.wait4(
            started.pid, 0
        )  # of this run and all it started, not of the runs before
    cpu, code = used.ru_utime + used.ru_stime, os.waitstatus_to_exitcode(status)
    outcome = outcome_of(file, code, (folder / "said").read_text(), folder)
    if cpu > file.budget:
        outcome = f"FAULT: over its {file.budget} CPU seconds; {outcome}"
    return outcome, cpu, used.ru_maxrss / 1000, time.monotonic() - begun


def bound():
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))


def outcome_of(file, code, said, folder):
    if code < 0 or "Traceback" in said:
        return f"FAULT: exit {code}, {said[-300:]}"
    if code:
        message = said.strip()
        right = file.refused and file.refused in message and message.startswith("pinetum: ")
        return ("refused: " if right else "FAULT: ") + re.sub(
            r"\S*/", "", message.removeprefix("pinetum: ")
        )
    results = folder / "run/results/own/data"
    summary = pd.read_csv(results / "summary.csv")
    warnings = (results / "warnings.txt").read_text(encoding="utf-8").splitlines()
    silent = summary[(summary["status"] != "ok") & summary["note"].isna()]
    if (
        file.refused
        or not (results / "index.html").exists()
        or len(silent)
        or file.warns not in "\n".join(warnings)
    ):
        return (
            f"FAULT: {summary[['study', 'method', 'status', 'note']].to_dict('records')} {warnings}"
        )
    methods = summary[summary["study"].isna()]
    silenced = summary.loc[summary["status"] != "ok", ["study", "method"]].fillna("")
    answers = ", ".join(f"{study}{method}" for study, method in silenced.itertuples(index=False))
    best = methods.loc[methods["test_error"].idxmin()]
    told = f"; {len(warnings)} warnings, such as: {warnings[0]}" if warnings else ""
    left = f"; no answer with its reason: {answers}" if answers else ""
    return f"page; {best['method']} errs on {best['test_error']:.1f} %{told}{left}"


def main(page, names):
    rows = {}
    if Path(page).exists():
        for line in Path(page).read_text(encoding="utf-8").splitlines():
            found = re.match(r"\| `(\w+)` \|", line)
            if found:
                rows[found[1]] = line
    for name in names or FILES:
        with tempfile.TemporaryDirectory() as folder:
            outcome, cpu, megabytes, seconds = run(name, FILES[name], Path(folder))
        outcome = outcome.replace("|", "\\|").replace("\n", " ")
        rows[name] = (
            f"| `{name}` | {FILES[name].about} | {outcome} | {cpu:.0f} | {megabytes:,.0f} |"
        )
        print(rows[name], f"{seconds:.0f} s", flush=True)
        Path(page).write_text(
            HEAD + "\n".join(rows[n] for n in FILES if n in rows) + "\n", encoding="utf-8"
        )


HEAD = f"""# Awkward files

What `pinetum run` makes of files as people have them, each within {GIGABYTES} GB of address space (`ulimit -v`). The
table is made by `python tests/own/awkward.py notes/awkward_files.md`, with twenty files, in some minutes of two
cores; `tests/own/test_awkward.py` reads all of them and decides on every column and method. CPU seconds
are those of all jobs with compiled kernels, Snakemake's own included; memory is the largest process.

| file | what it holds | outcome | CPU s | MB |
|---|---|---|---:|---:|
"""  # noqa: E501

if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
