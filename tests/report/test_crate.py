"""The RO-Crate of a run: every file with its size and caption, and no reference that leads
nowhere.
"""

import json
from pathlib import Path

import pytest

from pinetum.report.crate import write_crate
from pinetum.workflow.studies import load_contents

ROOT = Path(__file__).parents[2]
CONTENTS = load_contents(ROOT)
PROVENANCE = {
    "version": "0.2.0",
    "commit": "abc123",
    "date": "2026-11-20",
    "seed": 7,
    "machine": {"system": "Linux", "python": "3.11"},
    "sources": {
        "iris": {"source": "uci", "sha256": "00ff"},
        "gone": {"source": "", "sha256": None},
    },
}


def references(node):
    """Every `@id` that stands for another entity."""
    if isinstance(node, list):
        for part in node:
            yield from references(part)
    elif isinstance(node, dict):
        if set(node) == {"@id"}:
            yield node["@id"]
        for part in node.values():
            yield from references(part)


@pytest.fixture
def crate(tmp_path):
    files = {
        "tables/nbdt/errors.md": "# Größe\n",
        "nbdt/folds.csv": "a\n1\n",
        "checkpoint.npz": "x",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "provenance.json").write_text(json.dumps(PROVENANCE))
    made = tmp_path / "ro-crate-metadata.json"
    paths = [str(tmp_path / name) for name in files]
    write_crate(
        made, files=[*paths, paths[0]], provenance=tmp_path / "provenance.json", contents=CONTENTS
    )
    return json.loads(made.read_text(encoding="utf-8"))


def test_every_file_once_with_what_it_is(crate):
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    assert len(entities) == len(crate["@graph"])
    table = entities["tables/nbdt/errors.md"]
    caption = next(
        entry["caption"] for entry in CONTENTS["nbdt"]["tables"] if entry["name"] == "errors"
    )
    assert table["description"] == caption and table["encodingFormat"] == "text/markdown"
    assert table["contentSize"] == str(len("# Größe\n".encode()))
    assert (
        "encodingFormat" not in entities["checkpoint.npz"]
        and "description" not in entities["nbdt/folds.csv"]
    )
    assert [part["@id"] for part in entities["./"]["hasPart"]] == sorted(
        ["tables/nbdt/errors.md", "nbdt/folds.csv", "checkpoint.npz"]
    )


def test_nothing_leads_nowhere_and_the_run_names_what_it_came_from(crate):
    entities = {entity["@id"]: entity for entity in crate["@graph"]}
    outside = {"https://w3id.org/ro/crate/1.1"}
    assert set(references(crate["@graph"])) - outside <= set(entities)
    assert entities["#pinetum"]["version"] == "0.2.0+abc123"
    assert entities["#data-iris"]["description"] == "from uci, sha256 00ff"
    assert entities["#data-gone"]["description"] == "from no source, sha256 unknown"
    assert (
        entities["#run"]["endTime"] == "2026-11-20" and "seed 7" in entities["#run"]["description"]
    )
    papers = {entity["name"] for entity in crate["@graph"] if entity["@type"] == "ScholarlyArticle"}
    assert papers == {content["title"] for content in CONTENTS.values()}
