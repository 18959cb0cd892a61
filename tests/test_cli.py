"""The command line: every command on a small file, and what it says of wrong ones."""

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum import cli
from pinetum.cli import KINDS, main

MODELS = Path(__file__).parent / "files/models-1.1"


@pytest.fixture
def data(tmp_path):
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 150), "size": rng.integers(0, 9, 150)}
    )
    frame["y"] = np.where((frame["colour"] == "red") | (frame["size"] > 6), "yes", "no")
    frame.loc[::20, "colour"] = None
    path = tmp_path / "data.csv"
    frame.to_csv(path, index=False, sep=";")
    return path


def test_describe(data, capsys, tmp_path):
    assert main(["describe", str(data), "--outcome", "y", "-o", str(tmp_path / "report.csv")]) == 0
    assert "150 cases, 2 features" in capsys.readouterr().out
    assert pd.read_csv(tmp_path / "report.csv")["column"].tolist() == ["colour", "size", "y"]


def test_what_messages_ask_for_can_be_given(data, tmp_path, capsys):
    lines = data.read_text().splitlines()
    days = pd.date_range("2020-01-01", periods=150, freq="40D").strftime("%Y-%m-%d")
    dated = [f"{line};{day}" for line, day in zip(lines[1:], days, strict=True)]
    data.write_text("\n".join([f"{lines[0]};since", "name;cm;class;day", *dated]))
    asked = [
        str(data),
        "--outcome",
        "y",
        "--skip",
        "2",
        "--dates",
        "since=year,month",
        "--type",
        "size=discrete",
    ]
    assert main(["describe", *asked]) == 0
    assert "4 features" in capsys.readouterr().out
    assert main(["fit", "tree", *asked, "-o", str(tmp_path / "model.json")]) == 0
    model = pinetum.load(tmp_path / "model.json")
    assert list(model.feature_names_in_) == ["colour", "size", "since.year", "since.month"]
    assert main(["predict", str(tmp_path / "model.json"), str(data), "--skip", "2"]) == 0
    assert capsys.readouterr().out.count("\n") > 150
    with pytest.raises(SystemExit):
        main(["describe", "--help"])
    assert "--skip LINE" in capsys.readouterr().out


@pytest.mark.parametrize(
    "kind", [kind for kind, (name, _, _) in KINDS.items() if name in pinetum.PUBLIC]
)
def test_fit_predict_and_show(kind, data, tmp_path, capsys):
    model, out = tmp_path / "model.json", tmp_path / "out.csv"
    assert (
        main(["fit", kind, str(data), "--outcome", "y", "-o", str(model), "--set", KINDS[kind][2]])
        == 0
    )
    assert "leaves, depth" in capsys.readouterr().out
    assert main(["predict", str(model), str(data), "-o", str(out)]) == 0
    table = pinetum.Table.from_file(data, "y")
    again = pinetum.load(model)
    found = pd.read_csv(out)
    assert found["predicted"].tolist() == again.predict(table).tolist()
    assert np.allclose(found[["probability of no", "probability of yes"]].sum(axis=1), 1)
    assert main(["show", str(model)]) == 0
    assert "yes" in capsys.readouterr().out


def test_show_in_every_form(data, tmp_path, capsys):
    model = tmp_path / "model.json"
    main(["fit", "tree", str(data), "--outcome", "y", "-o", str(model)])
    capsys.readouterr()
    main(["show", str(model), "--as", "sql"])
    base = sqlite3.connect(":memory:")
    frame = pd.read_csv(data, sep=";")
    frame.to_sql("cases", base)
    found = [line[-1] for line in base.execute(capsys.readouterr().out)]
    assert found == pinetum.load(model).predict(frame.drop(columns="y")).tolist()
    for form, says in (
        ("rules", "if "),
        ("dot", "digraph"),
        ("python", "def predict"),
        ("table", "node,parent"),
    ):
        main(["show", str(model), "--as", form])
        assert says in capsys.readouterr().out
    assert main(["show", str(model), "--plot", str(tmp_path / "tree.png")]) == 0
    assert (tmp_path / "tree.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "arguments, says",
    [
        (["describe", "gone.csv", "--outcome", "y"], "gone.csv: no such file"),
        (["describe", "{data}", "--outcome", "z"], "z"),
        (
            ["fit", "tree", "{data}", "--outcome", "y", "-o", "m.json", "--set", "depth=3"],
            "depth is not a parameter of",
        ),
        (
            [
                "fit",
                "tree",
                "{data}",
                "--outcome",
                "y",
                "-o",
                "m.json",
                "--set",
                "prune=EBP",
                "--set",
                "cf=x",
            ],
            "cf = 'x': expected a number above 0 and below 1",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--skip", "-5"],
            "`--skip` is [-5]; expected a list, each part a whole",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--skip", "2000"],
            "`--skip` names line 2,000, and the last is",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--thousands", "xx"],
            "`--thousands` is 'xx'; expected one of",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--bins", "-3"],
            "`--bins` is -3; expected a whole number from 2",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--delimiter", ""],
            "`--delimiter` is ''; expected one character",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--type", "age=nmber"],
            "'nmber'}; expected {column: one of",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--type", "a=number", "--type", "a=discrete"],
            "a is given twice",
        ),
        (
            [
                "fit",
                "tree",
                "{data}",
                "--outcome",
                "y",
                "-o",
                "m.json",
                "--set",
                "cf=1",
                "--set",
                "cf=2",
            ],
            "cf is given twice",
        ),
        (["describe", "{data}", "--outcome", "y", "-o", "report.xlsx"], "choose such an ending"),
        (["predict", "{data}", "{data}"], "not JSON"),
        (
            ["predict", str(MODELS / "elimination.json"), "{data}"],
            "a BackwardElimination does not predict",
        ),
        (
            ["show", str(MODELS / "elimination.json"), "--as", "sql"],
            "a BackwardElimination has no to_code",
        ),
        (
            ["describe", "{data}", "--outcome", "y", "--type", "colour"],
            "'colour': expected NAME=VALUE",
        ),
        (["describe", "{data}", "--outcome", "y", "--drop", "z"], "z"),
    ],
)
def test_faults_are_one_message_and_exit_code_1(arguments, says, data, capsys):
    assert main([argument.format(data=data) for argument in arguments]) == 1
    shown = capsys.readouterr().err
    assert says in shown and "Traceback" not in shown


def test_a_wrong_command_line_is_exit_code_2(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["fit", "forest", "x.csv"])
    assert ended.value.code == 2


def test_tables_are_written_in_the_form_of_the_files_ending(data, tmp_path, capsys):
    model = str(tmp_path / "model.json")
    main(["fit", "tree", str(data), "--outcome", "y", "--drop", "size", "-o", model])
    assert list(pinetum.load(model).feature_names_in_) == ["colour"]
    outputs = [tmp_path / f"out.{ending}" for ending in ("csv", "parquet", "json")]
    for output in outputs:
        assert main(["predict", model, str(data), "-o", str(output)]) == 0
    first, *others = (
        pd.read_csv(outputs[0]),
        pd.read_parquet(outputs[1]),
        pd.DataFrame(json.loads(outputs[2].read_text())),
    )
    said = ["predicted", "probability of no", "probability of yes"]
    assert len(first) == 150 and list(first) == ["colour", "size", "y", *said]
    for other in others:
        pd.testing.assert_frame_equal(first[said], other[said], rtol=1e-9)


@pytest.mark.parametrize("name", ["p.csv", "p.json", "p.parquet"])
def test_predictions_that_do_not_fit_on_the_disk_leave_the_old_ones(
    name, tmp_path, monkeypatch, capsys
):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    out = tmp_path / name
    out.write_text("old")
    monkeypatch.setattr("pinetum.files.os.replace", full)
    new = tmp_path / "new.csv"
    new.write_text("colour,size,old\nred,3,no\n")
    words = ["predict", str(MODELS / "tree.json"), str(new)]
    assert main([*words, "-o", str(out)]) == 1
    says = f"{out}: could not be written (No space left on device); free some space"
    assert says in capsys.readouterr().err
    assert out.read_text() == "old" and sorted(tmp_path.iterdir()) == sorted([out, new])
    if Path("/dev/full").exists():
        assert main([*words, "-o", "/dev/full"]) == 1
        assert "/dev/full: could not be written (No space" in capsys.readouterr().err


def test_how_a_command_ends(data, capsys, monkeypatch):
    """A fault with --debug shows where, Ctrl-C is exit code 130, a reader that goes away no
    fault.
    """
    assert main(["describe", "gone.csv", "--outcome", "y", "--debug"]) == 1
    said = capsys.readouterr().err
    assert "Traceback" in said and "DataError: gone.csv: no such file" in said
    for fault, code, said in (
        (KeyboardInterrupt, 130, "pinetum: stopped\n"),
        (BrokenPipeError, 0, ""),
    ):

        def stop(options, fault=fault):
            raise fault

        monkeypatch.setattr(cli, "read", stop)
        assert main(["describe", str(data), "--outcome", "y"]) == code
        assert capsys.readouterr().err == said


def test_a_run_hands_the_table_to_the_workflow_under_a_name_of_its_own(
    data, tmp_path, monkeypatch, capsys
):
    """What is run is tested elsewhere.

    Here: the configuration, where results land, the exit code.
    """
    from pinetum.workflow import reproduce

    handed = []

    def run(targets, cores, directory, config):
        handed.append((targets, cores, directory, cli_config(config)))
        return len(handed) - 1

    def cli_config(path):
        from pinetum.workflow.config import load_yaml

        return load_yaml(str(path))

    monkeypatch.setattr(reproduce, "reproduce", run)
    named = tmp_path / "heart.csv"  # a name of the catalogue
    named.write_bytes(data.read_bytes())
    words = [
        "run",
        str(named),
        "--outcome",
        "y",
        "--cores",
        "3",
        "--directory",
        str(tmp_path),
        "--missing",
        "?",
    ]
    assert main(words) == 0
    page = f"the page: file://{tmp_path}/results/own/heart-own/index.html"
    assert page in capsys.readouterr().out
    entry = {"path": str(named), "class": "y", "missing": ["?"]}
    assert handed == [
        ((), "3", str(tmp_path), {"paper_studies": False, "tables": {"heart-own": entry}})
    ]
    assert main(words) == 1 and "page" not in capsys.readouterr().out
    monkeypatch.setattr(reproduce, "reproduce", lambda *given: given)
    assert main(["reproduce", "nbdt", "--cores", "2", "--configfile", "smoke"]) == (
        ["nbdt"],
        "2",
        ".",
        "smoke",
    )


def test_machine_code_is_made_ahead_shown_and_deleted(tmp_path, monkeypatch, capsys):
    """`compile` in a process of its own, since it is for all that follows."""
    command = [sys.executable, "-m", "pinetum.cli", "compile", "separator"]
    environment = {**os.environ, "PINETUM_KERNEL_CACHE": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("separator: ") and done.stdout.endswith(" CPU seconds\n")
    monkeypatch.setenv("PINETUM_KERNEL_CACHE", str(tmp_path))
    assert main(["cache"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"{tmp_path}: ") and "\ntrees " in told and " 0 kernels" not in told
    assert main(["cache", "--clear"]) == 0 and main(["cache"]) == 0
    assert f"{tmp_path}: 0 kernels, 0.0 MB\n" in capsys.readouterr().out
    assert main(["compile", "forest"]) == 1
    assert "forest is no estimator; those are tree, nbdt" in capsys.readouterr().err


def test_describe_without_an_outcome_lists_what_could_be_one(data, capsys):
    assert main(["describe", str(data)]) == 0
    said = capsys.readouterr().out
    assert "data.csv: 150 cases, 3 columns" in said and "--outcome y: no 85, yes 65" in said
    assert "--outcome colour: " in said and "--outcome size: " in said


def test_fit_says_the_error_on_unseen_cases_beside_that_of_the_usual_class(data, tmp_path, capsys):
    fit = ["fit", "tree", str(data), "--outcome", "y", "-o", str(tmp_path / "model.json")]
    assert main([*fit, "--folds", "4"]) == 0
    said = capsys.readouterr().out
    assert "columns used: colour, size" in said and "error on the training cases" in said
    assert "error on unseen cases" in said and "4 folds); always no: " in said
    assert pinetum.load(tmp_path / "model.json").prune is True
    assert main([*fit, "--folds", "0", "--set", "prune=null"]) == 0
    assert "unseen" not in capsys.readouterr().out


def test_predictions_stand_beside_the_columns_that_they_are_of(data, tmp_path, capsys):
    model, new = str(tmp_path / "model.json"), tmp_path / "new.csv"
    main(["fit", "tree", str(data), "--outcome", "y", "-o", model, "--folds", "0"])
    new.write_text("id;size;predicted;colour\n007;8;no;red\nA1;1;;blue\n")
    capsys.readouterr()
    assert main(["predict", model, str(new)]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head == "id,size,predicted,colour,predicted*,probability of no,probability of yes"
    assert first.startswith("007,8,no,red,yes,") and second.startswith("A1,1,,blue,no,")
    assert main(["predict", model, str(new), "--only-class"]) == 0
    assert capsys.readouterr().out == "predicted\nyes\nno\n"


def test_rare_classes_are_joined_or_left_out_and_messages_name_options(data, tmp_path, capsys):
    lines = data.read_text().splitlines()
    lines[3] = f"{lines[3].rpartition(';')[0]};perhaps"
    data.write_text("\n".join(lines))
    asked = ["describe", str(data), "--outcome", "y"]
    assert main(asked) == 0
    assert "`--join perhaps=CLASS`" in capsys.readouterr().err
    assert main([*asked, "--join", "perhaps=no"]) == 0
    assert "150 cases" in capsys.readouterr().out
    assert main([*asked, "--join", "perhaps="]) == 0
    assert "149 cases" in capsys.readouterr().out
    assert main([*asked, "--join", "sometimes=no"]) == 1
    assert "no class 'sometimes', which `--join` names; the classes are" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("age", "64 different numbers are no classes; choose a class column, or cut the numbers"),
        ("day", "a date is no class; choose a class column with few values"),
    ],
)
def test_an_outcome_of_many_numbers_or_of_dates_is_refused(column, says, tmp_path, capsys):
    frame = pd.DataFrame({"age": np.arange(900) % 64, "x": np.arange(900) % 7})
    frame["day"] = [f"2024-{1 + n % 12:02d}-{1 + n % 28:02d}" for n in range(900)]
    frame.to_csv(tmp_path / "people.csv", index=False)
    assert main(["describe", str(tmp_path / "people.csv"), "--outcome", column]) == 1
    said = capsys.readouterr().err
    assert says in said and ("`--bins 3`" in said) == (column == "age")


def test_sheets_and_title_lines_of_excel(tmp_path, capsys):
    pytest.importorskip("openpyxl")
    path = str(tmp_path / "survey.xlsx")
    rows = [["Survey 2025", None], ["left?", "years"], *[["yes", 1], ["no", 5], ["yes", 5]] * 10]
    with pd.ExcelWriter(path) as book:
        for name in ("First", "Second"):
            pd.DataFrame(rows).to_excel(book, sheet_name=name, header=False, index=False)
    asked = ["describe", path, "--outcome", "left?"]
    assert main(asked) == 1
    assert "if line 1 is a title, leave it out with `--skip 1`" in capsys.readouterr().err
    assert main([*asked, "--skip", "1"]) == 0
    assert "sheet 'First' is read, not 'Second'; name one" in capsys.readouterr().err
    assert main([*asked, "--skip", "1", "--sheet", "Second"]) == 0
    assert "is read" not in capsys.readouterr().err
    assert main([*asked, "--sheet", "Third"]) == 1
    assert "the sheets are 'First', 'Second'" in capsys.readouterr().err
