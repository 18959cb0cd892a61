"""The RO-Crate of a run: every file with its size and caption, and no reference that leads
nowhere.
"""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from pinetum.report.crate import write_crate
from pinetum.report.provenance import write_provenance
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


class Files(list):
    """Inputs as Snakemake hands them over: all in order, the last one by its name, too."""

    @property
    def provenance(self):
        return self[-1]


@pytest.fixture
def crate(tmp_path, monkeypatch):
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    files = {
        "tables/nbdt/errors.md": "# Größe\n",
        "nbdt/folds.csv": "a\n1\n",
        "checkpoint.npz": "x",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "provenance.json").write_text(json.dumps(PROVENANCE))
    paths = [str(tmp_path / name) for name in (*files, *files, "provenance.json")]
    made = write_crate(CONTENTS, SimpleNamespace(files=Files(paths)))
    return json.loads(made["crate"])


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
        ["tables/nbdt/errors.md", "nbdt/folds.csv", "checkpoint.npz", "provenance.json"]
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


def test_a_run_is_described_as_an_archive(tmp_path, monkeypatch):
    (tmp_path / "vote.csv").write_text("dataset,source,sha256,status\nvote,mirror,c87c,ok\n")
    figure = tmp_path / "figures/nbdt/figure_2.png"
    figure.parent.mkdir(parents=True)
    figure.write_bytes(b"picture")
    record = tmp_path / "provenance.json"
    inputs = SimpleNamespace(files=SimpleNamespace(sources=[tmp_path / "vote.csv"]))
    record.write_text(write_provenance({"seed": 7}, {}, inputs)["provenance"], encoding="utf-8")
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    made = write_crate(CONTENTS, SimpleNamespace(files=Files([figure, record])))
    crate = json.loads(made["crate"])
    graph = {entry["@id"]: entry for entry in crate["@graph"]}
    assert crate["@context"] == "https://w3id.org/ro/crate/1.1/context" and len(graph) == len(
        crate["@graph"]
    )
    assert graph["ro-crate-metadata.json"]["about"] == {"@id": "./"}
    assert {"name", "description", "datePublished", "license"} <= set(graph["./"])
    assert [part["@id"] for part in graph["./"]["hasPart"]] == [
        "figures/nbdt/figure_2.png",
        "provenance.json",
    ]
    assert "Expected accuracy" in graph["figures/nbdt/figure_2.png"]["description"]
    assert graph["figures/nbdt/figure_2.png"]["contentSize"] == "7"
    assert "sha256 c87c" in graph["#data-vote"]["description"]
    named = [
        item["@id"]
        for entry in graph.values()
        for value in entry.values()
        if isinstance(value, list)
        for item in value
        if isinstance(item, dict)
    ]
    assert set(named) <= set(graph)
