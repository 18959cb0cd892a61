"""Which lines and branches of all our Python are run: in processes of their own, in jobs, in
kernels too.

    pip install coverage
    python tools/cover.py                      every step that is left, hours in all; a table by layers
    python tools/cover.py smoke tests/data     these steps again; what the others found is kept
    python tools/cover.py none --missing       nothing again, but the lines that nothing runs

It can be ended at any time, and goes on with the steps that are left. What a step found counts for
the files that are still as they were when it ran, so a figure never mixes two versions of a file;
`stale` names the steps that ran others.

Steps: the smoke workflow; the fast tests of each folder, with compiled kernels; random cases of
each study and its quick tests without the compiler, which alone shows what a kernel runs; a test
that takes more than `LIMIT` seconds there is stopped, what it ran counts, and its step is said to
have failed. Left out, since they repeat what others run: slow tests, torture, kills, and the tests
of a Slurm cluster. Snakemake runs a copy of a script that begins with lines of its own, so what a
copy ran is moved to the script. A process that a signal ends is not counted: to save its data while
it is being ended stops it for ever now and then.
"""  # noqa: E501

import argparse
import ast
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from coverage import Coverage, CoverageData
from coverage.exceptions import CoverageException

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
DATA = ROOT / "build" / "coverage"
SMOKE = DATA / "smoke-run"
COPY = re.compile(r"/\.snakemake/scripts/tmp[^./]*\.(\w+\.py)$")
GUARD = 'if __name__ == "__main__":'  # its other way is an import, which scripts are not there for
AHEAD = 3  # lines that Snakemake puts before a script
CONFIG = f"""
[run]
branch = true
parallel = true
data_file = {DATA}/{{step}}
include =
    {SOURCE}/*
    */.snakemake/scripts/*
patch =
    subprocess
    _exit
disable_warnings = no-data-collected, module-not-imported, couldnt-parse
"""


FAST = (
    "-m",
    "pytest",
    "-m",
    "not slow and not torture and not slurm",
    "--ignore",
    "tests/workflow/test_kills.py",
)
QUICK = (  # compare kernels with plain Python on small cases
    "tests/trees",
    "tests/validation",
    "tests/induction/test_quality.py",
    "tests/induction/test_ranks.py",
    "tests/distinct/test_parts.py",
    "tests/elimination/test_paths.py",
    "tests/greedy_dp/test_pieces.py",
    "tests/nbdt/test_between.py",
    "tests/pruning/test_id3.py",
    "tests/pruning/test_evolution.py",
    "tests/greedy_dp/test_greedy.py",
    "tests/greedy_dp/test_minima.py",
    "tests/induction/test_pruning.py",
    "tests/induction/test_cross_validation.py",
    "tests/pruning/test_pruners.py",
)
LIMIT = 10  # CPU seconds
LONGEST = 3600  # seconds of a step


def steps(jobs):
    """Name of a step: its command (of Python) and what this finds in its environment."""
    fast = (*FAST, "--numprocesses", str(jobs)) if jobs > 1 else FAST
    folders = sorted(
        {path.parent for path in (ROOT / "tests").glob("*/test_*.py")} - {ROOT / "tests/torture"}
    )
    files = [str(path) for path in sorted((ROOT / "tests").glob("test_*.py"))]
    studies = (
        "induction",
        "distinct",
        "elimination",
        "greedy_dp",
        "nbdt",
        "pruning",
        "separators",
        "readers",
    )
    cases = ("tests/torture/cases.py", "--seed", "1", "--count", "40")
    uncompiled = {"NUMBA_DISABLE_JIT": "1", "PINETUM_TEST_SECONDS": str(LIMIT)}
    return (
        {
            "smoke": (
                ("-m", "snakemake", "--cores", str(jobs), "--configfile", "config/smoke.yaml"),
                {},
            )
        }
        | {f"tests/{folder.name}": ((*fast, str(folder)), {}) for folder in folders}
        | {"tests/*.py": ((*fast, *files), {})}
        | {f"cases/{study}": ((*cases, study), uncompiled) for study in studies}
        | {f"uncompiled/{name}": ((*FAST, "-p", "uncompiled", name), uncompiled) for name in QUICK}
    )


def digests():
    """Digest of every file that is counted, by its path below `SOURCE`."""
    files = sorted(SOURCE.rglob("*.py"))
    return {
        str(path.relative_to(SOURCE)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }


def file_name(step):
    """What the files of a step are called: no two steps alike, and none the beginning of another
    with a dot behind.
    """
    return re.sub(r"\W+", "-", step)


def ended(step):
    """Where it is noted that a step came to its end, and of which files."""
    return DATA / f"{file_name(step)}-ended.json"


def run(step, command, environment):
    """One step under coverage.py, with all processes that it begins."""
    name, before, start = file_name(step), digests(), time.monotonic()
    ended(step).unlink(missing_ok=True)
    for old in DATA.glob(f"{name}.*"):
        old.unlink()
    config = DATA / f"{name}-config"
    config.write_text(CONFIG.format(step=name), encoding="utf-8")
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "coverage",
        "run",
        f"--rcfile={config}",
        *command,
    ]
    environment = (
        os.environ | {"PYTHONPATH": f"{SOURCE}:{ROOT / 'tools' / 'mutation'}"} | environment
    )
    if step == "smoke":  # in a checkout of its own, where the tests of what it gives find it
        shutil.rmtree(SMOKE, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(SMOKE)], check=True)
    elif ended("smoke").exists():
        environment["PINETUM_SMOKE_RUN"] = str(SMOKE)
    try:
        done = subprocess.run(
            command,
            cwd=SMOKE if step == "smoke" else ROOT,
            env=environment,
            check=False,
            timeout=LONGEST,
        )
        failed = done.returncode != 0
    except (
        subprocess.TimeoutExpired
    ):  # a test that was stopped within a lock leaves a process that waits for ever
        failed = True
    now = digests()
    files = {file: digest for file, digest in before.items() if now.get(file) == digest}
    ended(step).write_text(
        json.dumps({"step": step, "failed": failed, "files": files}), encoding="utf-8"
    )
    print(
        f"{step}: {'FAILED' if failed else 'ended'}, {time.monotonic() - start:.0f} s", flush=True
    )


def statements(path):
    """Lines on which something of a file begins."""
    return {
        node.lineno
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if hasattr(node, "lineno")
    }


def moved(arcs, path):
    """Steps from line to line in Snakemake's copy as steps in the script.

    -1 is the way in and out of the file.
    """
    place = {line: line - AHEAD for arc in arcs for line in map(abs, arc) if line > AHEAD} | {1: 1}
    wrong = set(place.values()) - statements(path) - {1}
    if wrong:
        raise SystemExit(
            f"{path}: Snakemake no longer puts {AHEAD} lines before a script: {sorted(wrong)}"
        )

    def there(line):
        return place[line] if line > 0 else -place[-line]

    return {(there(a), there(b)) for a, b in arcs if abs(a) in place and abs(b) in place}


def gathered():
    """The data of all processes of the steps that ended, by the files of this checkout that are as
    they were then.
    """
    scripts = {path.name: path for path in SOURCE.glob("scripts/*/*.py")}
    now = digests()
    whole = CoverageData(str(DATA / "all"))
    whole.erase()
    for note in sorted(DATA.glob("*-ended.json")):
        found = json.loads(note.read_text(encoding="utf-8"))
        same = {SOURCE / file for file, digest in found["files"].items() if now.get(file) == digest}
        if len(same) < len(now):
            print(
                f"{found['step']}: stale in {len(now) - len(same)} files, which it does not"
                " count for"
            )
        for path in sorted(DATA.glob(f"{file_name(found['step'])}.*")):
            data = CoverageData(str(path))
            try:
                data.read()
            except CoverageException as fault:  # its process was ended while it wrote
                print(f"{path.name}: left out ({fault})")
                continue
            for file in data.measured_files():
                arcs, copy = data.arcs(file) or [], COPY.search(file)
                if copy and scripts.get(copy[1]) in same:
                    whole.add_arcs({str(scripts[copy[1]]): moved(arcs, scripts[copy[1]])})
                elif Path(file) in same:
                    whole.add_arcs({file: arcs})
    if not whole.measured_files():
        raise SystemExit("no step has ended yet")
    whole.touch_files([str(path) for path in sorted(SOURCE.rglob("*.py"))])
    whole.write()


def layer_of(path):
    """What a file belongs to: a study's kernels and the rest of it apart, the core by its
    folders.
    """
    parts = path.relative_to(SOURCE).parts
    if parts[0] == "scripts":
        return "scripts"
    if "kernels" in parts:
        return "kernels"
    return parts[1] if len(parts) > 2 else "pinetum/*.py"


def report(missing):
    config = DATA / "report-config"
    config.write_text(f"[run]\nbranch = true\ndata_file = {DATA}/all\n", encoding="utf-8")
    measured = Coverage(config_file=str(config))
    measured.load()
    layers = {}
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text(encoding="utf-8").splitlines()
        found = {
            line: ways
            for line, ways in measured.branch_stats(str(path)).items()
            if text[line - 1] != GUARD
        }
        _, lines, _, silent, said = measured.analysis2(str(path))
        count = Counter(lines=len(lines), run=len(lines) - len(silent))
        count += Counter(
            branches=sum(all for all, _ in found.values()),
            taken=sum(some for _, some in found.values()),
        )
        for name in (layer_of(path), "all"):
            layers.setdefault(name, Counter()).update(count)
        half = [
            f"{line}" for line, (all, some) in found.items() if some < all and line not in silent
        ]
        if missing and (silent or half):
            print(
                f"{path.relative_to(SOURCE)}: never run {said or '-'}; one way alone"
                f" {', '.join(half) or '-'}"
            )
    print("| layer | lines | run | branches | taken |\n|---|---:|---:|---:|---:|")
    for name, count in sorted(layers.items(), key=lambda layer: (layer[0] == "all", layer[0])):
        shares = [
            100 * count[part] / max(1, count[all])
            for part, all in (("run", "lines"), ("taken", "branches"))
        ]
        print(
            f"| {name} | {count['lines']:,} | {shares[0]:.1f} % | {count['branches']:,} |"
            f" {shares[1]:.1f} % |"
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "steps",
        nargs="*",
        help="names of steps, or how they begin; left out: all that have not ended",
    )
    parser.add_argument("--jobs", type=int, default=2, help="processes at once")
    parser.add_argument("--missing", action="store_true", help="name what is not run, by file")
    given = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    for step, (command, environment) in steps(given.jobs).items():
        if step.startswith(tuple(given.steps)) if given.steps else not ended(step).exists():
            run(step, command, environment)
    gathered()
    report(given.missing)


if __name__ == "__main__":
    main()
