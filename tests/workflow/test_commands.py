"""Every command of the pages runs here, is run by what is named here, or says on its page what it
needs.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("notes/*.md")]
FENCE = re.compile(r"^(?:<!-- (\w+) -->\n)?```sh\n(.*?)^```", re.M | re.S)
TABLE = "sky,wind,outcome,y\n" + "sun,1,yes,a\nrain,2,no,b\nsun,3,no,b\nrain,1.5,yes,a\n" * 6
# What runs commands that are not run here, by their first words.
ELSEWHERE = {
    "python3 -m venv": ".ci/run and .ci/wheel",
    ". .venv/bin/activate": ".ci/run and .ci/wheel",
    "pip install": ".ci/run and .ci/wheel",
    "pytest": ".ci/run",
    ".ci/lint": ".ci/run",
    ".ci/smoke": ".github/workflows/ci.yml",
    "python tools/mutation/mutate.py": ".github/workflows/nightly.yml",
    "python tools/full_run.py": "tests/tools/test_full_run.py",
    ".ci/wheel": "tests/workflow/test_packaging.py",
    ".ci/metadata": "tests/workflow/test_packaging.py",
    "snakemake --cores 8 --report": "tests/workflow/test_smoke.py",
}
MARK = re.compile(r"# needs [\w ]+")


def commands():
    """(command, what stands behind it) of every line of every block, each command once."""
    found = {}
    for page in PAGES:
        if page.name != "adding.md":  # a test of its own follows that page
            for _, block in FENCE.findall(page.read_text(encoding="utf-8")):
                for line in block.splitlines():
                    command, _, comment = line.partition("  #")
                    if command.strip():
                        found.setdefault(command.strip(), f"#{comment}")
    return found


COMMANDS = commands()
HERE = {
    command: comment
    for command, comment in COMMANDS.items()
    if not command.startswith(tuple(ELSEWHERE)) and not MARK.search(comment)
}


@pytest.fixture(scope="module")
def checkout(make_checkout):
    """A checkout with the table and the configuration that the README tells of."""
    folder = make_checkout("commands")
    (folder / "data").mkdir(exist_ok=True)
    for name in ("data.csv", "new.csv", "play.csv", "data/mine.csv"):
        (folder / name).write_text(
            TABLE.replace("outcome", "play") if name == "play.csv" else TABLE
        )
    mine = re.search(
        r"^# mine.yaml\n.*?(?=^```)",
        (ROOT / "docs/own_table.md").read_text(encoding="utf-8"),
        re.M | re.S,
    )
    (folder / "mine.yaml").write_text(mine[0])
    return folder


@pytest.mark.parametrize(
    "command", [command for command in HERE if command.startswith("snakemake ")]
)
def test_snakemake_plans(command, checkout):
    words = shlex.split(command)
    folder = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment = os.environ | folder | {"PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(
        [*words, "--dry-run", "--quiet"],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_pinetum_does_what_the_pages_say(checkout, monkeypatch):
    """In the order of the pages, since a command reads what another wrote.

    Those that start Snakemake only plan.
    """
    from pinetum import cli
    from pinetum.workflow import reproduce

    made = reproduce.snakemake_command
    monkeypatch.setattr(
        reproduce, "snakemake_command", lambda *given: [*made(*given), "--dry-run", "--quiet"]
    )
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.chdir(checkout)
    ours = [shlex.split(command)[1:] for command in HERE if command.startswith("pinetum ")]
    assert {words[0] for words in ours} == {"describe", "fit", "predict", "run", "reproduce"}
    model = checkout / "results/own/data/models/recommended.json"  # what a whole run leaves there
    model.parent.mkdir(parents=True, exist_ok=True)
    for words in ours:
        assert cli.main(words) in (0, None), words
        if words[0] == "fit":
            shutil.copy("model.json", model)
    assert (checkout / "out.csv").read_text().count("\n") == TABLE.count("\n")


def test_no_command_is_left_over():
    left = [command for command in HERE if not command.startswith(("snakemake ", "pinetum "))]
    assert not left, "name what runs it, or say on the page `# needs ...`"
    for where in ELSEWHERE.values():
        assert all((ROOT / name).exists() for name in where.split(" and "))


def test_commands_within_sentences_on_clusters_say_what_they_need():
    """A scheduler's own commands stand in paragraphs that name it."""
    tools = {
        "squeue": "Slurm",
        "scancel": "Slurm",
        "scontrol": "Slurm",
        "qsub": "PBS",
        "kubectl": "Kubernetes",
    }
    for paragraph in re.split(
        r"\n(?=\n|- |## )", (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
    ):
        for tool, system in tools.items():
            assert f"`{tool}" not in paragraph or system in paragraph, f"{tool}: {paragraph}"
