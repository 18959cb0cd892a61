"""Whatever becomes of a contestant is a row: an answer, a failure, a limit, an environment that is
not there.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.data.sample import sample
from pinetum.workflow.config import load_yaml
from pinetum.workflow.jobs import read_records, write_records
from pinetum_benchmarks.peers import measure as measuring
from pinetum_benchmarks.peers import summary, tables
from pinetum_benchmarks.peers.environments import conda_python, make_environment, read_environments
from pinetum_benchmarks.peers.page import table_of_forms, told_of, write_page
from pinetum_benchmarks.peers.questions import QUESTIONS, Contestant, Question
from pinetum_benchmarks.peers.rivals import GROUPS, RIVALS

ROOT = Path(__file__).parents[3]
SETTINGS = {
    "datasets": ["heart", "vote"],
    "most_cases": 1000,
    "repeats": 2,
    "cpu_seconds": 1,
    "memory_mb": 500,
    "folds": 3,
    "inner_folds": 2,
    "scaling": {"rows": {"values": [60, 80], "shape": {"rows": 60, "columns": 4, "classes": 2}}},
}


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Rows of a question that is asked of contestants of this folder's own."""
    sample(missing=False).save(tmp_path / "data/heart.npz")
    sample(missing=True, classes=3).save(tmp_path / "data/vote.npz")
    monkeypatch.setenv("PINETUM_RESULTS", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent.parent}:{ROOT / 'benchmarks'}")

    def rows(*contestants, kind="fit", **settings):
        made = tuple(
            Contestant(label, "pinetum", call, **more) for label, call, more in contestants
        )
        question = Question("Test", "anything", "numbers", "errors", (), made, kind)
        monkeypatch.setitem(QUESTIONS, "test", question)
        return list(measuring.measure("test", SETTINGS | settings, {}, 0))

    return rows


def own(name, **more):
    return name, f"peers.contestants:{name}", more


def test_failures_and_limits_are_rows_and_stop_nobody_else(ask):
    rows = ask(own("Majority"), own("Broken"), own("Endless"), own("Greedy"), own("Crashing"))
    found = {(row["dataset"], row["contestant"]): row for row in rows}
    assert len(found) == len(rows) == 5 * 4
    for dataset in ("heart", "vote", "made, rows 60", "made, rows 80"):
        assert found[dataset, "Majority"]["status"] == "ok"
        assert found[dataset, "Broken"]["status"] == "failed"
        assert found[dataset, "Broken"]["message"] == "ValueError: no such table"
    for dataset in ("heart", "made, rows 60"):
        assert found[dataset, "Endless"]["status"] == "time_limit"
        assert found[dataset, "Greedy"]["status"] == "memory_limit"
        assert found[dataset, "Crashing"]["message"] == "the process ended: exit code 3"
    assert found["made, rows 80", "Endless"]["status"] == "not_run"
    assert found["made, rows 80", "Endless"]["message"] == "gave up at made, rows 60"
    majority = found["heart", "Majority"]
    assert majority["errors"] == 60 - np.bincount(sample().labels).max()
    assert (
        majority.get("seconds", 1) > 0 and majority.get("ours_over_theirs", 1) == 1
    )  # the clock may see nothing
    limits = summary.limit_rows(summary.pd.DataFrame(rows, columns=measuring.COLUMNS))
    assert [row["largest"] for row in limits] == ["80", "", "", "", ""]
    assert [row["by"] for row in limits] == ["", "failed", "time_limit", "memory_limit", "failed"]


def test_what_is_no_answer_to_the_question_is_told(ask, monkeypatch):
    contestants = own("Majority"), own("Unproved")
    rows = ask(*contestants, datasets=["heart"], scaling={}, leave_out=["Broken"])
    assert [row["status"] for row in rows] == ["ok", "not_proved"]
    assert rows[1]["message"] == "it ended without a proof" and "seconds" not in rows[1]
    rows = ask(
        *contestants,
        own("Broken"),
        datasets=["heart"],
        scaling={},
        leave_out=["Unproved", "Broken"],
    )
    assert [row["contestant"] for row in rows] == ["Majority"]
    made = tuple(Contestant(label, "pinetum", call) for label, call, _ in contestants)
    right = Question("Test", "anything", "numbers", "errors", (), made, without_errors=True)
    monkeypatch.setitem(QUESTIONS, "test", right)
    rows = list(measuring.measure("test", SETTINGS | {"datasets": ["heart"], "scaling": {}}, {}, 0))
    assert (
        rows[0]["status"] == "no_answer"
        and rows[0]["message"] == f"a tree with {rows[0]['errors']} errors"
    )


def test_a_data_set_that_no_source_serves_is_a_row_for_everybody(ask, tmp_path):
    Dataset.save_reason(tmp_path / "data/sonar.npz", "sonar", "no source has it")
    rows = ask(own("Majority"), own("Broken"), datasets=["sonar", "heart"], scaling={})
    assert [row["status"] for row in rows] == ["no_data", "no_data", "ok", "failed"]
    assert "no source has it" in rows[0]["message"]


def test_folds_are_the_same_for_all_and_the_grid_is_chosen_inside(ask):
    grid = ({"max_depth": 1}, {"max_depth": 4})
    rows = ask(
        ("CART", "trees:ScikitLearn", {"grid": grid}), own("Majority"), kind="folds", scaling={}
    )
    for name in ("heart", "vote"):
        cart, majority = (row for row in rows if row["dataset"] == name)
        X, y, domains = tables.prepared(name, "numbers", 1000, 0)
        arrays = measuring.folds_of(
            "test", measuring.Task("data sets", name, X, y, domains, {}), SETTINGS, 0
        )
        by_majority, tuned, (fold,) = 0, 0, arrays["fold"]
        for number, inner in enumerate(arrays["inner"][0]):
            train, test = fold != number, fold == number
            assert (inner >= 0).tolist() == train.tolist()
            by_majority += np.count_nonzero(y[test] != np.bincount(y[train]).argmax())
            inside = [
                sum(
                    tree_errors(X, y, train & (inner != part), inner == part, options)
                    for part in range(2)
                )
                for options in grid
            ]
            tuned += tree_errors(X, y, train, test, grid[int(np.argmin(inside))])
        assert majority["errors"] == by_majority
        assert cart["errors"] == tuned
        assert np.isclose(cart["error"], 100 * cart["errors"] / 60)


def test_folds_are_drawn_anew_and_a_repeat_that_ends_leaves_those_before(ask):
    repeats = {"kind": "folds", "scaling": {}, "fold_repeats": 4, "repeat_seconds": 100}
    repeats["cpu_seconds"] = 10  # a busy machine is no end of a repeat
    rows = ask(
        ("CART", "trees:ScikitLearn", {"options": {"max_depth": 2}}), own("Tiring"), **repeats
    )
    for name in ("heart", "vote"):
        cart, tiring = (row for row in rows if row["dataset"] == name)
        X, y, domains = tables.prepared(name, "numbers", 1000, 0)
        task = measuring.Task("data sets", name, X, y, domains, {})
        folds = measuring.folds_of("test", task, SETTINGS | repeats, 0)["fold"]
        assert len(np.unique(folds, axis=0)) == len(folds) == 4
        wrong = [
            sum(
                tree_errors(X, y, fold != part, fold == part, {"max_depth": 2}) for part in range(3)
            )
            for fold in folds
        ]
        assert json.loads(cart["errors_by_repeat"]) == wrong and cart["folds"] == 12
        assert cart["errors"] == sum(wrong) and np.isclose(cart["error"], 100 * sum(wrong) / 240)
        assert (tiring["status"], tiring["folds"]) == ("ok", 6)
        assert tiring["message"] == "2 of 4 repeats: failed ValueError: enough"
        assert (
            len(json.loads(tiring["errors_by_repeat"])) == 2
            and 0 <= tiring["same_predictions"] <= 6
        )
    frame = summary.pd.DataFrame(rows, columns=measuring.COLUMNS)
    pairs = summary.pairs_of(frame, "test", "Tiring")
    for pair in pairs.to_dict("records"):
        first, second = (
            json.loads(pair[f"errors_by_repeat_{side}"]) for side in ("ours", "theirs")
        )
        assert np.isclose(pair["error_ours"], 100 * sum(first[:2]) / 120)
        assert np.isclose(pair["error_theirs"], 100 * sum(second) / 120)


def test_repeats_end_with_their_seconds(ask):
    rows = ask(
        own("Tiring"),
        kind="folds",
        scaling={},
        datasets=["heart"],
        fold_repeats=4,
        repeat_seconds=0,
    )
    assert {(row["folds"], row["status"]) for row in rows} == {(3, "ok")}


def test_who_gives_up_at_one_form_of_folds_is_not_asked_for_a_larger_one(ask):
    forms = {
        "variants": [{"share": 3}, {"share": 5}, {"share": 2}],
        "datasets": ["heart"],
        "scaling": {},
        "folds": 10,
    }
    for kind, outcomes in (
        ("folds", ["time_limit", "not_run", "time_limit"]),
        ("fit", ["time_limit"] * 3),
    ):
        rows = ask(own("Endless"), kind=kind, **forms)
        assert [row["status"] for row in rows] == outcomes
    assert measuring.asks_for_more({"size": 5}, {"size": 3}) and not measuring.asks_for_more(
        {"size": 2}, {"size": 3}
    )


def tree_errors(X, y, train, test, options):
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(random_state=0, **options).fit(X[train], y[train])
    return np.count_nonzero(model.predict(X[test]) != y[test])


def test_an_environment_that_cannot_be_made_is_a_record_and_then_rows(tmp_path, monkeypatch, ask):
    wanted = tmp_path / "wanted.txt"
    wanted.write_text("./no-such-package-anywhere.whl\n")
    make_environment("older", wanted, tmp_path / "older", tmp_path / "older.json")
    record = read_environments([tmp_path / "older.json"])
    assert (
        record["older"]["status"] == "not_installed"
        and "no-such-package" in record["older"]["message"]
    )
    contestants = (
        Contestant("ours", "pinetum", "peers.contestants:Majority"),
        Contestant("gosdt", "gosdt", "optimal:Gosdt"),
    )
    monkeypatch.setitem(
        QUESTIONS, "test", Question("Test", "anything", "numbers", "errors", (), contestants)
    )
    rows = list(
        measuring.measure("test", SETTINGS | {"datasets": ["heart"], "scaling": {}}, record, 0)
    )
    assert [row["status"] for row in rows] == ["ok", "not_installed"]
    assert rows[1]["message"] == record["older"]["message"]
    assert json.loads((tmp_path / "older.json").read_text())["group"] == "older"


def test_an_environment_of_conda_is_taken_where_it_has_every_pin(tmp_path, monkeypatch):
    monkeypatch.setenv("CONDA_PREFIX", sys.prefix)
    wanted = tmp_path / "wanted.txt"
    for pins, python in (
        (f"# ours\nNumPy=={np.__version__}\n", Path(sys.prefix) / "bin/python"),
        ("numpy==0.0.1\n", None),
        ("no-such-package==1\n", None),
    ):
        wanted.write_text(pins)
        assert conda_python(wanted) == python
    wanted.write_text(f"numpy=={np.__version__}\n")
    record = tmp_path / "general.json"
    command = [
        sys.executable,
        "-m",
        "pinetum_benchmarks.peers.environments",
        "general",
        wanted,
        tmp_path / "general",
        record,
    ]
    subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(ROOT / "benchmarks")})
    assert read_environments([record])["general"]["python"] == str(Path(sys.prefix) / "bin/python")
    assert not any((tmp_path / "general").iterdir())  # nothing was made
    monkeypatch.delenv("CONDA_PREFIX")
    assert conda_python(wanted) is None


def test_every_contestant_has_its_rival_its_environment_and_its_class():
    for name, question in QUESTIONS.items():
        assert question.table in tables.PREPARED and question.contestants[0].rival == "pinetum", (
            name
        )
        labels = [contestant.label for contestant in question.contestants]
        assert len(set(labels)) == len(labels)
        for contestant in question.contestants:
            module, _, cls = contestant.call.partition(":")
            source = (ROOT / f"benchmarks/pinetum_benchmarks/peers/adapters/{module}.py").read_text(
                encoding="utf-8"
            )
            assert f"class {cls}" in source, contestant.call
            assert contestant.rival in RIVALS
    assert {path.stem for path in (ROOT / "benchmarks/envs").glob("*.txt")} == set(GROUPS)
    for name, rival in RIVALS.items():
        if rival.group:
            pinned = (
                (ROOT / f"benchmarks/envs/{rival.group}.txt")
                .read_text(encoding="utf-8")
                .lower()
                .replace("_", "-")
            )
            assert f"\n{rival.package}==" in pinned, (
                f"{name}: {rival.package} is not pinned in {rival.group}"
            )
            assert all("==" in line for line in pinned.splitlines()[1:])
    peers = load_yaml(str(ROOT / "benchmarks/config/config.yaml"))["peers"]
    assert set(peers["questions"]) == set(QUESTIONS) and set(peers["asked"]) <= set(QUESTIONS)


def test_summary_counts_what_both_answered_and_the_page_names_where_a_rival_wins(tmp_path):
    rng = np.random.default_rng(1)
    rows = []
    for number in range(12):
        for label, seconds, errors in (
            ("pinetum", 1.0, 10),
            ("pystreed", 4.0 + rng.random(), 10),
            ("CART", 0.25, 10 + number),
            ("gosdt", 2.0, 9),
        ):
            row = {
                "question": "optimal",
                "part": "data sets",
                "dataset": f"d{number}",
                "variant": "max_depth 3",
            }
            row |= {"contestant": label, "package": label, "version": "1", "errors": errors}
            row |= {"commit": "abc", "date": "2026-11-20"}
            row |= {
                "seconds": seconds,
                "status": "ok" if label != "gosdt" or number else "time_limit",
            }
            rows.append(row)
    write_records(rows, tmp_path / "optimal.csv", measuring.COLUMNS)
    frame = summary.read_all([tmp_path / "optimal.csv"])
    found = {row["rival"]: row for row in summary.summary_rows(frame)}
    assert (
        found["pystreed"]["faster"] == 12
        and found["pystreed"]["verdict"] == "time: ahead, errors: level"
    )
    assert found["CART"]["verdict"] == "time: behind, errors: ahead" and found["CART"]["equal"] == 1
    assert np.isclose(found["CART"]["ratio"], 4) and found["CART"]["effect_seconds"] == 1
    assert (
        found["gosdt"]["ok"] == 11
        and found["gosdt"]["failed"] == "time_limit 1"
        and found["gosdt"]["worse"] == 11
    )
    friedman = summary.friedman_rows(frame)
    ranks = {row["contestant"]: row["rank"] for row in friedman if row["measure"] == "seconds"}
    assert ranks == {"pinetum": 2, "pystreed": 4, "CART": 1, "gosdt": 3}
    write_records(found.values(), tmp_path / "summary.csv")
    write_records(friedman, tmp_path / "friedman.csv")
    read, ranks = (read_records(tmp_path / f"{name}.csv") for name in ("summary", "friedman"))
    settings = load_yaml(str(ROOT / "benchmarks/config/config.yaml"))["peers"]
    write_page(
        tmp_path / "index.md", read, summary.pd.DataFrame(), ranks, summary.pd.DataFrame(), settings
    )
    page = (tmp_path / "index.md").read_text()
    assert "Measured 2026-11-20, commit abc. Asked:" in page
    assert "**CART is faster on 12 of 12 tables.**" in page
    assert "**gosdt has fewer errors on 11 of 11 tables.**" in page
    assert "pystreed is faster" not in page


def test_every_form_is_tested_over_data_sets_on_the_repeats_that_both_finished(tmp_path):
    """CART errs by 2 more at depth 3 on each of six data sets, level at depth 4, in the two repeats
    that both have.
    """
    rows = []
    for number in range(6):
        for form, extra in (("max_depth 3", 2), ("max_depth 4", 0)):
            for label, wrong, seconds in (
                ("pinetum", [10, 12, 99], 1.0),
                ("CART", [10 + extra, 12 + extra], 0.25),
            ):
                row = {
                    "question": "small",
                    "part": "data sets",
                    "dataset": f"d{number}",
                    "variant": form,
                    "cases": 50,
                }
                row |= {
                    "contestant": label,
                    "package": label,
                    "status": "ok",
                    "errors_by_repeat": json.dumps(wrong),
                }
                rows.append(
                    row | {"error": 2.0 * np.mean(wrong), "seconds": seconds, "leaves": 5.0}
                )
    write_records(rows, tmp_path / "small.csv", measuring.COLUMNS)
    frame = summary.read_all([tmp_path / "small.csv"])
    three, four = summary.form_rows(frame)
    assert (three["form"], three["rival"], three["sets"], three["repeats"]) == (
        "max_depth 3",
        "CART",
        6,
        "2-2",
    )
    assert (three["error_ours"], three["error_theirs"]) == (22.0, 26.0)
    assert (three["better"], three["equal"], three["worse"]) == (6, 0, 0) and np.isclose(
        three["p"], 1 / 32
    )
    assert (
        four["equal"] == 6 and four["p"] == four["p_adjusted"] == 1 and np.isclose(four["ratio"], 4)
    )
    (row,) = summary.summary_rows(frame)
    assert (row["better"], row["equal"]) == (6, 6) and np.isclose(row["difference"], -2)
    text = table_of_forms(summary.pd.DataFrame([three, four]))
    assert (
        "| max_depth 3 | CART | 6 | 2-2 | 22 | 26 | 6 | 0 | 0 | 0.0312 | 0.0312 | -1 | 5 | 5 | 4 |"
        in text
    )
    assert summary.form_rows(frame[frame["variant"] == "max_depth 3"]) == []


def test_ranks_count_the_tables_that_were_asked():
    """Variants of single data sets: a contestant with 9 of 10 answers stays, one with 6 does
    not.
    """
    tables = [
        (f"d{number}", variant)
        for number in range(8)
        for variant in ("a", "b")
        if variant == "a" or number < 2
    ]
    rows = []
    for place, label in enumerate(("pinetum", "CART", "pystreed", "gosdt")):
        for number, (dataset, variant) in enumerate(tables):
            answered = number < {"pystreed": 9, "gosdt": 6}.get(label, 10)
            row = {
                "question": "optimal",
                "part": "data sets",
                "dataset": dataset,
                "variant": variant,
            }
            row |= {"contestant": label, "seconds": 1.0 + place, "errors": place}
            rows.append(row | {"status": "ok" if answered else "time_limit"})
    ranks = summary.friedman_rows(summary.pd.DataFrame(rows))
    assert {(row["contestant"], row["rank"]) for row in ranks} == {
        ("pinetum", 1),
        ("CART", 2),
        ("pystreed", 3),
    }
    assert {row["tables"] for row in ranks} == {9}


def test_forms_of_single_data_sets_are_asked_and_told(ask):
    forms = {
        "variants": [{"depth": 1}],
        "variants_of": {"vote": [{"depth": 2, "width": 3}]},
        "scaling": {},
    }
    rows = ask(own("Majority"), **forms)
    assert [(row["dataset"], row["variant"]) for row in rows] == [
        ("heart", "depth 1"),
        ("vote", "depth 1"),
        ("vote", "depth 2, width 3"),
    ]
    told = told_of(SETTINGS | forms, QUESTIONS["test"])
    assert "Asked for each: depth 1." in told and "For vote also: depth 2, width 3." in told
    with pytest.raises(ValueError, match="sonar of `variants_of` must stand in `datasets`"):
        ask(own("Majority"), **forms | {"variants_of": {"sonar": [{"depth": 2}]}})
