"""Pages that are made from the lists are up to date; every target says in a line what it is."""

import ast
import re
from pathlib import Path

import pytest

from documents import MADE, allowed_of, config_readme
from pinetum.workflow.computed import rules_of
from pinetum.workflow.config import load_yaml

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", MADE)
def test_pages_are_up_to_date(name):
    assert (ROOT / name).read_text(encoding="utf-8") == MADE[name](ROOT), (
        "run: python tools/documents.py"
    )


def leaves(node, path=()):
    if isinstance(node, dict) and node:
        for key, value in node.items():
            yield from leaves(value, (*path, key))
    else:
        yield path


def test_every_key_of_the_default_configuration_is_described():
    described = {
        key: about
        for key, about in re.findall(
            r"^\| `([^`]+)` \| (.*?) \| .* \| .+ \|$", config_readme(ROOT), re.M
        )
    }
    assert not [key for key, about in described.items() if not about.strip()]
    for path in leaves(load_yaml(str(ROOT / "config/config.yaml"))):
        whole = ".".join(map(str, path))
        assert (
            any(".".join(map(str, path[:end])) in described for end in range(len(path), 1, -1))
            or whole in described
        )


def test_links_lead_somewhere():
    for page in [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        *ROOT.glob("notes/*.md"),
        ROOT / "config/README.md",
        ROOT / "results/README.md",
    ]:
        text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            assert "://" in target or (page.parent / target).exists(), f"{page}: {target}"


def test_no_command_names_a_target_after_a_configuration_file():
    """Snakemake takes every word after `--configfile` for a file."""
    places = ["*.md", "docs/**/*.md", "notes/*.md", "config/*", ".ci/*", "envs/*"]
    places += [".github/workflows/*"]
    for path in (path for place in places for path in ROOT.glob(place) if path.is_file()):
        for line in path.read_text(encoding="utf-8").splitlines():
            for after in re.findall(
                r"(?:snakemake|pinetum) [^`]*--configfile [^`\s]+((?: [^-#|&(`\s]\S*)+)", line
            ):
                assert all(word.endswith(".yaml") for word in after.split()), f"{path}: {line}"


def test_ranges_are_told_in_words():
    assert allowed_of({"type": "integer", "minimum": 1, "maximum": 9}) == "integer, 1 to 9"
    assert allowed_of({"type": "number", "exclusiveMinimum": 0}) == "number, above 0 to inf"
    assert (
        allowed_of({"type": "object", "additionalProperties": {"enum": ["a", "b"]}})
        == "mapping of names to `a`, `b`"
    )


def test_every_rule_says_in_one_line_what_it_makes():
    for rule in rules_of(ROOT).values():
        assert rule.about and "\n" not in rule.about and len(rule.about) <= 120, (
            f"{rule.file}: {rule.name}"
        )


@pytest.mark.parametrize("name, least", [("docs/trust.md", 12), ("notes/faults.md", 50)])
def test_the_tests_that_pages_on_promises_and_faults_name_exist(name, least):
    """`…::name` is in the file of the last test named above it.

    A file or a folder alone is meant as a whole.
    """
    page = (ROOT / name).read_text(encoding="utf-8")
    file, named = "", 0
    for line in page.splitlines():
        rows = line.startswith("|") and not line.startswith(("| was", "| promise", "|--"))
        found = re.findall(r"`(tests/[\w/.-]+|…)(?:::(\w+))?`", line)
        assert found or not rows, f"no test is named: {line[:80]}"
        for place, test in found:
            assert place == "…" or (ROOT / place).exists(), f"{place} is not there: {line[:80]}"
            if test:
                file = file if place == "…" else place
                content = ast.parse((ROOT / file).read_text(encoding="utf-8"))
                tests = {node.name for node in content.body if isinstance(node, ast.FunctionDef)}
                assert test in tests, f"{file} has no {test}"
            named += 1
    assert named > least
