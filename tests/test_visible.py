"""Nothing in data steers the terminal, or the log, of who works with it."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pinetum import TreeClassifier
from pinetum.cli import main
from pinetum.data import DataError, Table
from pinetum.data.errors import DataWarning
from pinetum.separators.tree import PlaneTree
from pinetum.visible import STEERING, Visible, one_line, visible

RED, CLEAR, UP = "\x1b[31mred", "\x9b2J", "size\nused\r\x07"


def steers(text):
    return STEERING.search(text) is not None


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({RED: rng.choice([CLEAR, "b\u202etxt"], 60), UP: rng.normal(size=60)})
    frame["y"] = np.where((frame[RED] == CLEAR) ^ (frame[UP] > 0), "\x1b]0;title\x07", "no")
    return frame.assign(**{"\x1b[8mhidden": "same"})


def test_what_is_written_out_and_what_stays():
    assert visible("a\tb\nc é 漢 😀 \u200d") == "a\tb\nc é 漢 😀 \u200d"
    assert visible("\x00\x08\r\x1b\x7f\x85\x9f") == r"\x00\x08\r\x1b\x7f\x85\x9f"
    assert visible("\u2028\u202e\u2069\ud800") == r"\u2028\u202e\u2069\ud800"
    assert one_line("a\tb\nc\r") == r"a\tb\nc\r" and one_line(one_line("\n")) == r"\n"
    kept = [c for c in map(chr, range(0xA0)) if not steers(c)]
    assert [c for c in kept if not c.isprintable()] == ["\t", "\n"]


def test_every_text_for_people(frame):
    table = Table.from_frame(frame, "y")
    model = TreeClassifier().fit(table)
    planes = PlaneTree(
        *(np.array(part) for part in ([[1.0, 2.0], [0, 0], [0, 0]], [0.5, 0, 0], [1, -1, -1])),
        *(np.array(part) for part in ([2, -1, -1], [[1.0, 1], [1, 0], [0, 1]], [0, 0, 1])),
    )
    texts = [str(table), repr(table), model.to_text(), model.to_rules()]
    texts += [planes.to_text([RED, UP], ["\x1b", "b"])]
    for text in texts:
        assert not steers(text)
        assert "\nused" not in text  # a name is not a line
    assert r"\x1b[31mred" in texts[0] and r"\x9b2J" in texts[2]
    with pytest.warns(DataWarning) as warned:
        TreeClassifier().fit(frame.assign(**{"\x1b": pd.Timestamp("2020-01-01")}), frame["y"])
    assert not any(steers(str(one.message)) for one in warned)
    assert str(DataError(RED, file="a\nb", column=UP)) == (
        r"a\nb, column size\nused\r\x07: \x1b[31mred"
    )
    assert RED in model.to_code() or repr(RED)[1:-1] in model.to_code()  # code has the names


def test_commands(frame, tmp_path, monkeypatch, capsys):
    data, model = str(tmp_path / "d.csv"), str(tmp_path / "m.json")
    frame = frame.rename(columns={UP: "\x1b[2Jsize"})
    frame.to_csv(data, index=False)
    frame.rename(columns={RED: "\x1b[32m"}).to_csv(tmp_path / "other.csv", index=False)
    commands = [
        (0, "describe", data, "--outcome", "y"),
        (0, "fit", "tree", data, "--outcome", "y", "-o", model),
        (1, "describe", data, "--outcome", RED + "gone"),
        (1, "describe", data, "--outcome", RED + "gone", "--debug"),
        (1, "fit", "tree", data, "--outcome", "y", "-o", model, "--set", f"{RED}=1"),
        (1, "predict", model, str(tmp_path / "other.csv")),
        (0, "show", model),
        (0, "show", model, "--as", "rules"),
    ]
    for code, *words in commands:
        assert main(words) == code
        said = capsys.readouterr()
        assert not steers(said.out + said.err) and said.out + said.err, words
    with pytest.raises(SystemExit):
        main(["describe", data, "--outcome", "y", RED])
    assert not steers(capsys.readouterr().err)
    # Tables and code are data: a terminal shows them, a pipe gets them as they are.
    forms = [("show", model, "--as", form) for form in ("table", "sql", "python", "dot")]
    for words in [("predict", model, data), *forms]:
        assert main(words) == 0
        piped = capsys.readouterr().out
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        assert main(words) == 0
        assert capsys.readouterr().out == visible(piped)
        monkeypatch.undo()
    main(["predict", model, data])
    assert capsys.readouterr().out.count("\x1b]0;title\x07") > 10


def test_the_log_of_a_job_and_the_terminal_of_who_runs_it(tmp_path):
    job = """
import sys, warnings
from pinetum.data.errors import DataError, DataWarning
from pinetum.workflow.jobs import job_log, tell
with job_log(sys.argv[1]):
    print("printed \\x1b")
    print("error \\x1b", file=sys.stderr)
    tell("told \\x1b")
    warnings.warn(DataWarning("warned \\x1b"))
    warnings.warn("another \\x1b")
    if sys.argv[2] == "data":
        raise DataError("fault \\x1b")
    raise ZeroDivisionError("fault \\x1b")
"""
    for kind in ("data", "program"):
        log = tmp_path / kind
        done = subprocess.run([sys.executable, "-c", job, str(log), kind], capture_output=True)
        assert done.returncode
        text = log.read_text()
        said = ["printed", "error", "told", "warned", "another", "fault"]
        assert list(dict.fromkeys(re.findall(r"(\w+) \\x1b", text))) == said
        assert not steers(text)
        if kind == "data":
            assert not steers(done.stderr.decode()) and r"fault \x1b" in done.stderr.decode()


def test_a_line_that_is_drawn_anew_may_move_the_cursor(monkeypatch, capsys):
    from pinetum import progress

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "LIVELY", 0.0)
    monkeypatch.setattr(sys, "stderr", Visible(sys.stderr))
    with progress.watched("search", verbose=1) as watch:
        watch.look(lambda: f"best {RED}")
    said = capsys.readouterr().err
    assert said.startswith("\rsearch: best \\x1b[31mred")


def test_only_one_module_writes_to_streams_of_its_own():
    """What is printed goes through `Visible`: nobody takes the streams behind it."""
    source = Path(__file__).parents[1] / "src"
    found = {
        path.name
        for path in source.rglob("*.py")
        if re.search(r"sys\.__std|os\.write\(|behind\(", path.read_text(encoding="utf-8"))
    }
    assert found == {"visible.py", "cli.py", "console.py", "jobs.py", "progress.py"}
