"""A run in which nothing could be computed still draws every picture: they say so, or are empty."""

from pathlib import Path

import pytest
from PIL import Image

from pinetum.report import style
from pinetum.report.stages import Records, replication
from pinetum.workflow.config import load_yaml
from pinetum.workflow.jobs import read_records, write_records
from pinetum.workflow.studies import STUDIES, load_contents

pytestmark = pytest.mark.slow  # whole runs

ROOT = Path(__file__).parents[2]
KEPT = {"nbdt": {"example"}}  # the paper's own example needs no data


CONTENTS = load_contents(ROOT)
FIGURES = [(study, entry) for study in STUDIES for entry in CONTENTS[study]["figures"]]


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
