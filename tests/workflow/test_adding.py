"""The page on adding things is followed to the letter in a fresh checkout: every block, every
command.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # whole runs

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/adding.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", PAGE, re.M))
BLOCK = re.compile(
    r"^\*\*`([^`\n]+)`\*\*, (new|after `([^\n]+)`):\n\n```\w*\n(.*?)^```|^```sh\n(.*?)^```",
    re.M | re.S,
)


def follow(recipe, checkout):
    """Apply the blocks of a recipe in turn; gives what its commands said."""
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    said = []
    for name, how, anchor, text, commands in BLOCK.findall(RECIPES[recipe]):
        if commands:
            for command in commands.splitlines():
                done = subprocess.run(
                    command,
                    shell=True,
                    cwd=checkout,
                    env=environment,
                    capture_output=True,
                    text=True,
                )
                assert done.returncode == 0, (
                    f"{command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
                )
                said.append(done.stdout + done.stderr)
            continue
        path = checkout / name
        if how == "new":
            assert not path.exists(), f"{name} is there already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        else:
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
            place = [number for number, line in enumerate(lines) if line.rstrip("\n") == anchor]
            assert place, f"{name}: no line {anchor!r}"
            lines.insert(place[0] + 1, text)
            path.write_text("".join(lines), encoding="utf-8")
    return said


def test_the_page_has_a_recipe_for_everything():
    assert list(RECIPES) == ["A data set", "A method", "A criterion", "A study"]
    assert "docs/adding.md" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_a_data_set(make_checkout):
    checkout = make_checkout("data_set")
    said = follow("A data set", checkout)
    assert (checkout / "results/data/weather.npz").stat().st_size > 500
    assert "results/data/weather.npz" in said[1]


def test_a_method(make_checkout):
    assert "keeps the root's split alone" in follow("A method", make_checkout("method"))[-1]


TOY_AGAINST_TWIN = """
import sys
from math import sqrt
import numpy as np
sys.path.insert(0, "tests/induction")
import conftest as twin
from pinetum.elimination.backward import select
from pinetum.induction import Grower, Options

def roots(counts, criterion):
    n = sum(counts) / twin.UNIT
    return round((sqrt(n) * sum(sqrt(count / twin.UNIT) for count in counts) - n) * twin.MASS) if n else 0

plain, differ = twin.impurity, 0
for seed in range(40):
    rng = np.random.default_rng(seed)
    data = twin.random_table(rng)
    weights = rng.choice([0.5, 1, 2], data.n_cases) if seed % 3 == 0 else None
    options = Options(criterion="roots")
    twin.impurity = roots
    expected = twin.plain(twin.grow_tree(data, options, weights=weights))
    assert twin.nested(Grower(data, options, weights=weights).grow()) == expected, seed
    twin.impurity = plain
    differ += twin.plain(twin.grow_tree(data, Options(criterion="gini"), weights=weights)) != expected
try:
    select(data, [0], [0], options=options)
except ValueError as refusal:
    assert "criterion" in str(refusal)
else:
    raise AssertionError("the elimination took a criterion that it does not know")
print(differ)
"""  # noqa: E501


def test_a_criterion(make_checkout):
    checkout = make_checkout("criterion")
    assert "x0 <= 1.5" in follow("A criterion", checkout)[-1]
    environment = os.environ | {"PYTHONPATH": str(checkout / "src"), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-c", TOY_AGAINST_TWIN]
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout) > 3


def test_a_study(make_checkout):
    checkout = make_checkout("study")
    said = follow("A study", checkout)
    table = (checkout / "results/tables/coins/table_1.md").read_text(encoding="utf-8")
    assert (
        "| fair coin |" in table
        and "Computed by pinetum.coins.replication.measure.toss_coins: rule toss_coins" in table
    )
    assert all(re.search(r"[1-9]\d* passed|^\.+ +\[100%\]", text, re.M) for text in said[-2:])
    assert "`results/tables/coins/table_1.csv`" in (checkout / "results/README.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("recipe", RECIPES)
def test_recipes_end_in_commands(recipe):
    assert BLOCK.findall(RECIPES[recipe])[-1][-1], recipe
