"""The registry of pruners: everything that knows them derives from it, and a new one is one entry
and one file.
"""

import inspect
from importlib import import_module
from pathlib import Path

import pytest

from pinetum.pruning import explore, methods
from pinetum.pruning.forest import Trees
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.pruners import BEYOND, NEEDS, PAPER, PRUNERS, Pruner, find_pruner
from pinetum.pruning.readings import FIELDS
from pinetum.pruning.replication.results import NAMES
from pinetum.report import style


def test_every_entry_is_whole():
    compared = [name for name, pruner in PRUNERS.items() if pruner.compared]
    assert [*PAPER, *BEYOND] == compared
    for name, pruner in PRUNERS.items():
        file, function = pruner.function.split(".")
        found = getattr(import_module(f"pinetum.pruning.methods.{file}"), function)
        assert list(inspect.signature(found).parameters) == ["trees", "reading"], name
        assert set(pruner.needs) <= set(NEEDS) and set(pruner.reads) <= set(FIELDS), name
        assert pruner.about and pruner.paper and 0 <= pruner.colour < len(style.PALETTE), name


def test_every_file_of_methods_is_in_the_registry():
    files = {path.stem for path in Path(methods.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == {pruner.function.split(".")[0] for pruner in PRUNERS.values()}


def test_an_unknown_pruner_is_refused_by_name():
    with pytest.raises(
        ValueError, match=r"unknown pruner 'nebp' \(did you mean 'NEBP'\?\); known are NOP, NEBP"
    ):
        find_pruner("nebp")
    with pytest.raises(ValueError, match="unknown pruner 'C5'"):
        prune_trees("C5", Trees(None))


def test_study_and_figures_read_the_registry():
    assert (*PAPER, *BEYOND) == NAMES == explore.NAMES
    assert all(
        style.colour(name) == style.PALETTE[pruner.colour] for name, pruner in PRUNERS.items()
    )


def test_a_new_pruner_is_one_entry_and_one_file(monkeypatch, forests, tmp_path):
    (tmp_path / "stumps.py").write_text(
        '"""Stumps."""\n\n\ndef stump(trees, reading):\n    """The root\'s split alone."""\n'
        "    return trees.full.marked(trees.full.depth > 0)\n",
        encoding="utf-8",
    )
    monkeypatch.setattr(methods, "__path__", [*methods.__path__, str(tmp_path)])
    monkeypatch.setitem(
        PRUNERS,
        "STUMP",
        Pruner("stumps.stump", "STUMP", 1, "nowhere", "keeps the root's split alone"),
    )
    forest = forests[0][2]
    first = forest.nodes.first
    branches = [1 + first[root + 1] - first[root] for root in forest.start[:-1]]
    assert prune_trees("STUMP", Trees(forest)).nodes.tolist() == branches
