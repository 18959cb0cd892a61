"""The summary of a finished run of everything, to be kept as a page.

python tools/full_run.py [RESULTS]     writes RESULTS/report/full_run.md
"""

import json
import sys
from pathlib import Path

from cost import cost_table
from pinetum.files import HOME, whole_file
from pinetum.report.page import served_by
from pinetum.report.tables import markdown
from pinetum.workflow.config import load_yaml
from pinetum.workflow.jobs import read_text
from pinetum.workflow.studies import load_contents
from scaling import read_jobs, shard_table


def differences(config, full, place=()):
    """(key, value of `full`, value of `config`) of every key of `full` that the run had
    otherwise.
    """
    for key, value in full.items():
        ours = config.get(key) if isinstance(config, dict) else None
        if isinstance(value, dict) and isinstance(ours, dict):
            yield from differences(ours, value, (*place, key))
        elif ours != value:
            yield ".".join(map(str, (*place, key))), value, ours


def endings(records) -> list[list]:
    """Per file of records: rows, how many ended in which way, and of those that seek an optimum how
    many proved it.
    """
    lines = []
    for path in sorted(map(Path, records)):
        frame = read_text(path)
        if not {"status", "proved"} & set(frame):
            continue
        counts = frame["status"].value_counts().sort_index() if "status" in frame else {}
        ways = ", ".join(f"{status or 'ok'} {count}" for status, count in dict(counts).items())
        proved = (
            frame.loc[frame["proved"] != "", "proved"].isin(["True", "yes", "1"])
            if "proved" in frame
            else []
        )
        shown = f"{sum(proved)} of {len(proved)}" if len(proved) else ""
        lines.append([f"{path.parent.name}/{path.name}", len(frame), ways, shown])
    return lines


def short(value, longest=80) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def write_full_run(path, *, counts, cost, shards, availability, provenance, records, full) -> None:
    """Write the page from the files of a run and the tables of its cost and shards.

    `full` is the configuration that a run of everything has.
    """
    made = json.loads(Path(provenance).read_text(encoding="utf-8"))
    spent = cost.set_index("study")
    total, machine, verdicts = spent.loc["total"], made["machine"], read_text(counts)
    costs = spent.assign(
        seconds_core=spent["seconds_core"].map(hours), longest=spent["longest_seconds"].map(hours)
    )
    costs = costs.reset_index()[
        ["study", "jobs", "seconds_core", "peak_mb", "longest_job", "longest"]
    ]
    found = differences(made["configuration"], load_yaml(str(full)))
    other = [[key, short(ours), short(value)] for key, value, ours in found]
    state = f"commit {made['commit'] or 'of an installed package'}" + (
        ", with changes" if made["uncommitted"] else ""
    )
    parts = [
        f"# {'A run that differs from' if other else 'A run of'} `config/full.yaml`",
        (
            "Written by `python tools/full_run.py` from"
            f" a finished run: {made['date'][:10]}, version {made['version']}, {state};"
            f" {machine['processor']}, {machine['cores']} cores, {machine['memory_mb']} MB,"
            f" {machine['system']}, Python {machine['python']}. {total['jobs']} jobs,"
            f" {hours(total['seconds_core'])} core-hours, at most {total['peak_mb']} MB a job."
        ),
        served_by(read_text(availability)),
        "## Numbers",
        markdown(list(verdicts.columns), verdicts.values.tolist()),
        "## What differed from `config/full.yaml`",
        (
            markdown(["key", "this run", "full.yaml"], other)
            if other
            else "Nothing: every key had the value of the file."
        ),
        "## How the searches ended",
        (
            "`limit`: stopped by its share of work, at the same place on every machine; what it had"
            " found by then stands."
        ),
        markdown(["records", "rows", "ended", "proved"], endings(records)),
        "## What it cost",
        markdown(
            ["study", "jobs", "core-hours", "peak MB", "longest job", "its hours"],
            costs.values.tolist(),
        ),
        "## Balance of the shards",
        (
            markdown(list(shards.columns), shards.values.tolist())
            if len(shards)
            else "Nothing was sharded."
        ),
    ]
    with whole_file(path) as file:
        file.write("\n\n".join(part.strip() for part in parts) + "\n")


def hours(seconds) -> str:
    return f"{float(seconds) / 3600:.2f}"


if __name__ == "__main__":
    results = Path(sys.argv[1] if len(sys.argv) > 1 else "results")
    write_full_run(
        results / "report/full_run.md",
        counts=results / "verdicts.csv",
        cost=cost_table(results / "benchmarks"),
        shards=shard_table(read_jobs(results / "benchmarks")),
        availability=results / "data/availability.csv",
        provenance=results / "provenance.json",
        records=[
            results / f"{study}/{name}.csv"
            for study, content in load_contents(HOME).items()
            for name in content["records"]
        ],
        full=HOME / "config/full.yaml",
    )
