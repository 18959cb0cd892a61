"""Which lines and branches of all our Python are run: in processes of their own, in jobs, in kernels too.

    pip install coverage
    python tests/coverage/cover.py                      everything, an hour or two; then a table by layers
    python tests/coverage/cover.py smoke tests/data     these steps again; what the others found is kept
    python tests/coverage/cover.py none --missing       nothing again, but the lines that nothing runs

Steps: the smoke workflow; the fast tests of each folder, with compiled kernels; random cases of each study and its
quick tests without the compiler, which alone shows what a kernel runs. Snakemake runs a copy of a script that begins
with lines of its own, so what a copy ran is moved to the script.
"""

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from coverage import Coverage, CoverageData

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
DATA = ROOT / "build" / "coverage"
COPY = re.compile(r"/\.snakemake/scripts/tmp[^./]*\.(\w+\.py)$")
GUARD = 'if __name__ == "__main__":'  # its other way is an import, which scripts are not there for
AHEAD = 3  # lines that Snakemake puts before a script
CONFIG = f"""
[run]
branch = true
parallel = true
sigterm = true
data_file = {DATA}/{{step}}
include =
    {SOURCE}/*
    */.snakemake/scripts/*
patch =
    subprocess
    _exit
disable_warnings = no-data-collected, module-not-imported, couldnt-parse
"""


FAST = ("-m", "pytest", "-m", "not slow and not torture")
QUICK = (  # compare kernels with plain Python on small cases
    "tests/trees", "tests/validation", "tests/induction/test_quality.py", "tests/induction/test_ranks.py",
    "tests/distinct/test_parts.py", "tests/elimination/test_paths.py", "tests/greedy_dp/test_pieces.py",
    "tests/nbdt/test_blend.py", "tests/pruning/test_id3.py", "tests/pruning/test_evolution.py",
)  # fmt: skip


def steps():
    """Name of a step: its command (of Python) and what this finds in its environment."""
    folders = sorted({path.parent for path in (ROOT / "tests").glob("*/test_*.py")} - {ROOT / "tests/torture"})
    files = [str(path) for path in sorted((ROOT / "tests").glob("test_*.py"))]
    studies = ("induction", "distinct", "elimination", "greedy_dp", "nbdt", "pruning", "separators", "readers")
    cases = ("tests/torture/cases.py", "--seed", "1", "--count", "40")
    uncompiled = {"NUMBA_DISABLE_JIT": "1"}
    return (
        {"smoke": (("-m", "snakemake", "--cores", "2", "--configfile", "config/smoke.yaml"), {})}
        | {f"tests/{folder.name}": ((*FAST, "--numprocesses", "2", str(folder)), {}) for folder in folders}
        | {"tests/*.py": ((*FAST, "--numprocesses", "2", *files), {})}
        | {f"cases/{study}": ((*cases, study), uncompiled) for study in studies}
        | {f"uncompiled/{name}": ((*FAST, name), uncompiled) for name in QUICK}
    )


def run(step, command, environment):
    """One step under coverage.py, with all processes that it begins."""
    name = re.sub(r"\W+", "-", step)
    for old in DATA.glob(f"{name}.*"):
        old.unlink()
    config = DATA / f"{name}-config"
    config.write_text(CONFIG.format(step=name), encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-m", "coverage", "run", f"--rcfile={config}", *command]
    environment = os.environ | {"PYTHONPATH": str(SOURCE)} | environment
    with tempfile.TemporaryDirectory() as folder:
        if step == "smoke":  # never among the results of this checkout
            subprocess.run(["git", "clone", "--quiet", str(ROOT), folder], check=True)
        place = folder if step == "smoke" else ROOT
        done = subprocess.run(command, cwd=place, env=environment, check=False)
    print(f"{step}: {'ended' if done.returncode == 0 else 'FAILED'}", flush=True)


def statements(path):
    """Lines on which something of a file begins."""
    return {node.lineno for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if hasattr(node, "lineno")}


def moved(arcs, path):
    """Steps from line to line in Snakemake's copy as steps in the script; -1 is the way in and out of the file."""
    place = {line: line - AHEAD for arc in arcs for line in map(abs, arc) if line > AHEAD} | {1: 1}
    wrong = set(place.values()) - statements(path) - {1}
    if wrong:
        raise SystemExit(f"{path}: Snakemake no longer puts {AHEAD} lines before a script: {sorted(wrong)}")

    def there(line):
        return place[line] if line > 0 else -place[-line]

    return {(there(a), there(b)) for a, b in arcs if abs(a) in place and abs(b) in place}


def gathered():
    """The data of all processes of all steps, by the files of this checkout."""
    scripts = {path.name: path for path in SOURCE.glob("scripts/*/*.py")}
    whole = CoverageData(str(DATA / "all"))
    whole.erase()
    for path in sorted(DATA.glob("*.*")):
        data = CoverageData(str(path))
        data.read()
        for file in data.measured_files():
            arcs, copy = data.arcs(file) or [], COPY.search(file)
            if copy and copy[1] in scripts:
                whole.add_arcs({str(scripts[copy[1]]): moved(arcs, scripts[copy[1]])})
            elif Path(file).is_relative_to(SOURCE) and Path(file).is_file():
                whole.add_arcs({file: arcs})
    whole.touch_files([str(path) for path in sorted(SOURCE.rglob("*.py"))])
    whole.write()


def layer_of(path):
    """What a file belongs to: a study's kernels and the rest of it apart, the core by its folders."""
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
        found = {line: ways for line, ways in measured.branch_stats(str(path)).items() if text[line - 1] != GUARD}
        _, lines, _, silent, said = measured.analysis2(str(path))
        count = Counter(lines=len(lines), run=len(lines) - len(silent))
        count += Counter(branches=sum(all for all, _ in found.values()), taken=sum(some for _, some in found.values()))
        for name in (layer_of(path), "all"):
            layers.setdefault(name, Counter()).update(count)
        half = [f"{line}" for line, (all, some) in found.items() if some < all and line not in silent]
        if missing and (silent or half):
            print(f"{path.relative_to(SOURCE)}: never run {said or '-'}; one way alone {', '.join(half) or '-'}")
    print("| layer | lines | run | branches | taken |\n|---|---:|---:|---:|---:|")
    for name, count in sorted(layers.items(), key=lambda layer: (layer[0] == "all", layer[0])):
        shares = [100 * count[part] / max(1, count[all]) for part, all in (("run", "lines"), ("taken", "branches"))]
        print(f"| {name} | {count['lines']:,} | {shares[0]:.1f} % | {count['branches']:,} | {shares[1]:.1f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("steps", nargs="*", help="names of steps, or how they begin; all when left out")
    parser.add_argument("--missing", action="store_true", help="name what is not run, by file")
    given = parser.parse_args()
    DATA.mkdir(parents=True, exist_ok=True)
    for step, (command, environment) in steps().items():
        if not given.steps or step.startswith(tuple(given.steps)):
            run(step, command, environment)
    gathered()
    report(given.missing)


if __name__ == "__main__":
    main()
