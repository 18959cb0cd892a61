"""A run in which nothing could be computed still draws every picture: they say so, or are empty."""

import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from pinetum.report import style
from pinetum.report.stages import Records, replication
from pinetum.workflow.config import load_yaml
from pinetum.workflow.jobs import read_records, write_records
from pinetum.workflow.studies import STUDIES, load_contents, study_file

ROOT = Path(__file__).parents[2]
TABLES = {  # argument of a study's script: the file, where it is not called the same
    "distinct": {
        name: name
        for name in ("enumeration", "orders", "exhaustive", "sizes", "search_errors", "rashomon")
    },
}
PICTURES = {
    "distinct": ("figure_3", "figure_4", "seconds", "rashomon"),
}
KEPT = {"nbdt": {"example"}}  # the paper's own example needs no data


class Files(SimpleNamespace):
    """Files by name, as Snakemake hands them to a script."""

    def items(self):
        return vars(self).items()


@pytest.mark.parametrize("study", TABLES)
def test_every_picture_is_drawn_of_records_without_rows(study, smoke, tmp_path, monkeypatch):
    monkeypatch.setattr(style, "VECTOR_FORMS", [])
    spec = importlib.util.spec_from_file_location(
        study, ROOT / f"src/scripts/{study}/draw_{study}.py"
    )
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    inputs = {}
    places = {name: f"{study}/{file}" for name, file in TABLES[study].items()}
    for name, place in places.items():
        records = read_records(smoke / f"results/{place}.csv")
        inputs[name] = tmp_path / f"{name}.csv"
        write_records(records if name in KEPT.get(study, ()) else records[:0], inputs[name])
    made = Files(**{name: tmp_path / f"{name}.png" for name in PICTURES[study]}, vector=[])
    script.main(Files(**inputs), made)
    for name in PICTURES[study]:
        with Image.open(tmp_path / f"{name}.png") as picture:
            assert min(picture.size) > 50, name


CONTENTS = load_contents(ROOT)
FIGURES = [
    (study, entry)
    for study in STUDIES
    if study_file(ROOT, study)
    for entry in CONTENTS[study]["figures"]
]


@pytest.mark.parametrize("study, entry", FIGURES, ids=lambda value: str(value)[:40])
def test_every_figure_is_drawn_of_records_without_rows(study, entry, smoke, tmp_path, monkeypatch):
    monkeypatch.setattr(style, "VECTOR_FORMS", [])
    for name in entry["from"]:
        records = read_records(smoke / f"results/{study}/{name}.csv")
        kept = name in KEPT.get(study, ())
        write_records(records if kept else records[:0], tmp_path / f"{name}.csv")
    draw = getattr(replication(study, "figures"), entry["name"])
    settings = load_yaml(str(ROOT / "config/config.yaml"))[study]
    figure = Records(tmp_path.glob("*.csv")).make(draw, entry["from"], settings=settings)
    style.save(figure, tmp_path / "figure.png")
    with Image.open(tmp_path / "figure.png") as picture:
        assert min(picture.size) > 50
