"""What a run leaves for the site: the numbers of a run with UCI's own files, and the figures."""

import pandas as pd
from PIL import Image

from keep_results import FIGURES, KEPT, keep


def run(tmp_path, source, within):
    results = tmp_path / "results"
    for figure in ("report/numbers", *(f"figures/{name}" for name in FIGURES)):
        path = results / f"{figure}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (40, 30)).save(path)
    (results / "data").mkdir(exist_ok=True)
    pd.DataFrame({"dataset": ["car"], "source": [source]}).to_csv(
        results / "data/availability.csv", index=False
    )
    row = {
        "paper": "nbdt",
        "item": "T",
        "row": "a",
        "column": "b",
        "published": "1",
        "reproduced": within,
        "z": "0.5",
        **dict.fromkeys(("se", "n", "power", "note"), ""),
    }
    rows = pd.DataFrame([row | {"verdict": "within"}, row | {"row": "c", "verdict": "not_run"}])
    rows.to_csv(results / "comparison.csv", index=False)
    keep(results, tmp_path / "docs")
    kept = tmp_path / "docs/verdicts.csv"
    return kept.read_text() if kept.exists() else None


def test_numbers_of_uci_s_own_files_are_kept_and_those_of_other_sources_are_not(tmp_path):
    (tmp_path / "docs").mkdir()
    assert run(tmp_path, "package trees 1.0", 700) is None
    line = f"{','.join(KEPT)}\nnbdt,T,a,b,{{}},,,0.5,,within,\n"
    assert run(tmp_path, "mirror", 800) == line.format(800)
    assert run(tmp_path, "package trees 1.0", 700) == line.format(800)
    assert run(tmp_path, "uci", 801) == line.format(801)
    names = {"all_numbers", *(name.replace("/", "_") for name in FIGURES)}
    assert {path.stem for path in (tmp_path / "docs/figures").iterdir()} == names
