"""From questions to the published page through the scripts of the rules, with contestants of our
own environment.
"""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest
from PIL import Image

from pinetum.data.sample import sample
from pinetum.report import style
from pinetum.workflow.config import load_yaml
from pinetum_benchmarks.peers.questions import QUESTIONS, Contestant, Question

ROOT = Path(__file__).parents[3]


def script(name):
    spec = importlib.util.spec_from_file_location(
        name, ROOT / f"benchmarks/scripts/peers/{name}.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.main


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run: one question of fits on tables that grow, one of folds with a grid."""
    folder = tmp_path_factory.mktemp("peers")
    for name, missing in (("heart", False), ("vote", True)):
        sample(missing=missing).save(folder / f"data/{name}.npz")
    call = "peers.contestants:{}".format
    ours, tree = Contestant("pinetum", "pinetum", call("Slow")), "trees:ScikitLearn"
    asked = {
        "first": (
            ours,
            Contestant("CART", "scikit-learn", tree),
            Contestant("broken", "gosdt", call("Broken")),
        ),
        "second": (
            ours,
            Contestant("CART", "scikit-learn", tree, grid=({"max_depth": 1}, {"max_depth": 2})),
        ),
    }
    questions = {
        name: Question(
            f"The {name} question", "anything", "numbers", measure, (), asked[name], kind
        )
        for name, measure, kind in (("first", "errors", "fit"), ("second", "error", "folds"))
    }
    settings = load_yaml(str(ROOT / "benchmarks/config/config.yaml"))["peers"] | {
        "repeats": 1,
        "folds": 3,
        "inner_folds": 2,
    }
    each = {"datasets": ["heart", "vote"], "most_cases": 1000, "cpu_seconds": 5, "memory_mb": 500}
    series = {"rows": {"values": [60, 80], "shape": {"rows": 60, "columns": 4, "classes": 2}}}
    settings["questions"] = {"first": each | {"scaling": series}, "second": each}
    environment = folder / "general.json"
    environment.write_text(
        '{"group": "older", "status": "not_installed", "python": "", "message": "no such wheel"}'
    )
    with pytest.MonkeyPatch.context() as patch:
        for name, question in questions.items():
            patch.setitem(QUESTIONS, name, question)
        patch.setenv("PINETUM_RESULTS", str(folder))
        patch.setenv("PYTHONPATH", f"{ROOT / 'tests/benchmarks'}:{ROOT / 'benchmarks'}")
        pictures = folder / "figures/peers"
        pictures.mkdir(parents=True)
        records = [folder / f"{name}.csv" for name in questions]
        for name, file in zip(questions, records, strict=True):
            script("measure_peers")(
                name, [environment], file, settings=settings | settings["questions"][name], seed=0
            )
        tables = [folder / f"{name}.csv" for name in ("summary", "forms", "friedman", "limits")]
        script("summarise_peers")(records, *tables)
        drawn = [pictures / f"{name}.png" for name in questions]
        patch.setattr(style, "VECTOR_FORMS", [])
        script("draw_peers")(
            records, tables[0], drawn, pictures / "overview.png", [pictures / "overview.svg"]
        )
        script("write_peers_page")(folder / "index.md", *tables, settings=settings)
        script("update_peers_page")(
            folder / "index.md",
            [*drawn, pictures / "overview.png"],
            folder / "notes/peers.md",
            folder / "docs/figures",
        )
    return folder


def test_records_say_what_everybody_answered(run):
    first, second = (
        pd.read_csv(run / f"{name}.csv").set_index(["dataset", "contestant"])
        for name in ("first", "second")
    )
    assert set(first["status"]) == {"ok", "not_installed"}
    assert (first.xs("broken", level=1)["message"] == "no such wheel").all()
    assert (first.xs("CART", level=1)["errors"] < first.xs("pinetum", level=1)["errors"]).all()
    assert (second["status"] == "ok").all() and (second["folds"] == 3).all()


def test_tables_set_every_rival_beside_ours(run):
    summary = pd.read_csv(run / "summary.csv").set_index(["question", "rival"])
    assert summary.loc[("first", "broken"), "failed"] == "not_installed 2"
    assert summary.loc[("first", "CART"), ["worse", "better", "equal"]].tolist() == [2, 0, 0]
    limits = pd.read_csv(run / "limits.csv").set_index("contestant")
    assert limits.loc["pinetum", "largest"] == 80 and limits.loc["broken", "by"] == "not_installed"
    assert (run / "friedman.csv").read_text().count(
        "\n"
    ) <= 1  # two contestants are too few for its test


def test_the_page_tells_who_is_ahead_how_far_they_came_and_is_published(run):
    made, page = (run / "index.md").read_text(), (run / "notes/peers.md").read_text()
    assert (
        "**CART has fewer errors on 2 of 2 tables.** broken gave no answer (not_installed 2)."
        in made
    )
    assert "How far they came on made tables" in made and "Measured 20" in made
    assert "3 folds. Options are chosen on 2 folds inside each training part." in made
    assert "../figures/peers/overview.png" in made and "(../figures" not in page
    for name in ("overview", "first", "second"):
        assert f"(../docs/figures/peers_{name}.png)" in page
        with Image.open(run / f"docs/figures/peers_{name}.png") as picture:
            assert min(picture.size) > 50
    assert (run / "figures/peers/overview.svg").read_text(encoding="utf-8").startswith("<?xml")
