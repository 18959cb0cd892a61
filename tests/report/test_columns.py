"""The page on columns explains every column that a list of the code names."""

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import pinetum

PAGE = (Path(__file__).parents[2] / "docs/reference/columns.md").read_text(encoding="utf-8")
LISTS = {
    f"{module.name}.{name}": value
    for module in pkgutil.walk_packages(pinetum.__path__, "pinetum.")
    if re.search(r"\.(study|replication|own|report|workflow)\.\w+$|\.explore$", module.name)
    and "kernels" not in module.name
    for name, value in vars(importlib.import_module(module.name)).items()
    if name.endswith("COLUMNS")
    and isinstance(value, (list, tuple))
    and all(isinstance(item, str) for item in value)
}
EXPLAINED = {
    word
    for cell in re.findall(r"^\| (`.*?) \|", PAGE, re.M)
    for word in re.findall(r"`([^`]+)`", cell)
}
PATTERNS = [re.compile(re.sub(r"<\w+>", r"\\w+", word)) for word in EXPLAINED if "<" in word]
LISTS.pop(
    "pinetum.separators.replication.results.COLUMNS", None
)  # columns of the paper's table, not of a file
COSTS = re.compile(r"(min|least|most|way|trees|seconds|.*) (h_av|path|h|L|L_n|L_t)")


@pytest.mark.parametrize("name", LISTS)
def test_every_column_is_explained(name):
    for column in LISTS[name]:
        known = column in EXPLAINED or any(pattern.fullmatch(column) for pattern in PATTERNS)
        assert known or COSTS.fullmatch(column), (
            f"docs/reference/columns.md says nothing of {column!r}"
        )
