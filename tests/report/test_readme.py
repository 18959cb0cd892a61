"""The part of the README that runs write: counts of both kinds of sources, each kept until a run of
its kind.
"""

import pandas as pd
import pytest
from PIL import Image

from pinetum.report.readme import BEGIN, END, update


def run(tmp_path, source, within):
    png = tmp_path / "numbers.png"
    Image.new("RGB", (40, 30)).save(png)
    files = {
        name: tmp_path / f"{name}.csv"
        for name in ("counts", "cost", "availability", "comparison", "synth")
    }
    pd.DataFrame({"paper": ["total"], "within": [within]}).to_csv(files["counts"], index=False)
    pd.DataFrame({"study": ["total"], "jobs": [3], "seconds_core": [120]}).to_csv(
        files["cost"], index=False
    )
    served = {"dataset": ["car"], "source": [source], "status": ["ok"], "part": [""], "note": [""]}
    pd.DataFrame(served).to_csv(files["availability"], index=False)
    row = {
        "paper": "nbdt",
        "item": "T",
        "row": "a",
        "column": "b",
        "published": "1",
        "reproduced": within,
        "z": "0.5",
    }
    rows = pd.DataFrame([row | {"verdict": "within"}, row | {"row": "c", "verdict": "not_run"}])
    rows.to_csv(files["comparison"], index=False)
    pd.DataFrame({"what": ["lowest mean rank"], "SYNTH as printed": ["no (z -5.0)"]}).to_csv(
        files["synth"], index=False
    )
    (tmp_path / "docs").mkdir(exist_ok=True)
    made = {"verdicts": tmp_path / "docs/verdicts.csv", "folder": tmp_path / "docs"}
    update(tmp_path / "README.md", figures=[], numbers=png, **made, **files)
    return (tmp_path / "README.md").read_text()


def test_runs_from_both_kinds_of_sources_stand_side_by_side(tmp_path):
    (tmp_path / "README.md").write_text(f"head\n{BEGIN}\nold\n{END}\ntail\n")
    first = run(tmp_path, "package trees 1.0", 700)
    assert "| total | 700 |" in first and "old" not in first and first.endswith("tail\n")
    both = run(tmp_path, "mirror", 800)
    assert both.index("| total | 800 |") < both.index("| total | 700 |")
    assert both.count("| lowest mean rank | no (z -5.0) |") == 1
    assert "package index 1" in both and "mirror 1" in both and "all_numbers.png" in both
    again = run(tmp_path, "uci", 801)
    kept = (tmp_path / "docs/verdicts.csv").read_text()
    assert kept == "paper,item,row,column,reproduced,z,verdict\nnbdt,T,a,b,801,0.5,within\n"
    assert (
        "| total | 801 |" in again and "| total | 700 |" in again and "| total | 800 |" not in again
    )


def test_a_readme_without_the_marks_is_refused(tmp_path):
    (tmp_path / "README.md").write_text("nothing")
    with pytest.raises(ValueError, match="put both back"):
        run(tmp_path, "mirror", 1)
