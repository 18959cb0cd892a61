"""The harness of jobs: settings and files go in, records come out that say what measured them."""

from types import SimpleNamespace

import pandas as pd
import pytest

from pinetum.data import Dataset
from pinetum.workflow.job import Inputs, Plain, gather, job, read_shards
from pinetum.workflow.jobs import provenance, read_records, write_records
from pinetum.workflow.tables import absent, each_table


class Named(dict):
    """Files or settings by name, as Snakemake hands them to a script."""

    __getattr__ = dict.__getitem__


@pytest.fixture
def rule(tmp_path):
    """A job as its script sees it."""

    def make(params, output, **input):
        return SimpleNamespace(
            log=[str(tmp_path / "results/logs/job.log")],
            resources=Named(),
            params=Named(params, code="digest"),
            input=Named(input),
            output=Named({name: str(tmp_path / file) for name, file in output.items()}),
            config={"mirror": "here"},
        )

    return make


def toss(sides, seed):
    """One record a side, of two kinds."""
    return {"tosses": [{"side": side, "seed": seed} for side in sides] + [{"rest": 1.0}]}


def test_records_have_their_provenance_behind_all_their_columns(rule):
    tossing = rule({"sides": ["head", "tail"], "seed": 3}, {"tosses": "tosses.csv"})
    with job(tossing) as run:
        run(toss)
    found = read_records(tossing.output.tosses)
    assert list(found) == ["side", "seed", "rest", "version", "commit", "measured_by"]
    assert set(found["measured_by"]) == {f"{toss.__module__}.toss"}
    assert set(found["version"]) == {provenance()["version"]}


def test_frames_text_and_plain_records(rule):
    def measure(inputs):
        more = {"frame": pd.DataFrame({"a": [1]}), "plain": Plain([{"a": 2}]), "text": "a\n"}
        return more if inputs.files.names == "names" else None

    made = rule(
        {"seed": 1}, {name: f"{name}.csv" for name in ("frame", "plain", "text")}, names="names"
    )
    with job(made) as run:
        run(measure)
    assert list(read_records(made.output.frame)) == ["a", "version", "commit", "measured_by"]
    assert list(read_records(made.output.plain)) == ["a"]
    with open(made.output.text, encoding="utf-8") as file:
        assert file.read() == "a\n"


def test_settings_come_before_what_the_harness_offers(rule):
    def where(config):
        return {"text": f"{config['mirror']}\n"}

    for params, mirror in (({}, "here"), ({"config": {"mirror": "there"}}, "there")):
        made = rule(params, {"text": "text"})
        with job(made) as run:
            run(where)
        with open(made.output.text, encoding="utf-8") as file:
            assert file.read() == f"{mirror}\n"


def test_plain_records_that_lack_columns(rule):
    made = rule({}, {"rows": "rows.csv"})
    with job(made) as run:
        run(lambda: {"rows": Plain([{"b": 1}], ("a", "b"))})
    with open(made.output.rows, encoding="utf-8") as file:
        assert file.read() == "a,b\n,1\n"


@pytest.mark.parametrize(
    "params, output, says",
    [
        (
            {"sides": ["head"], "seed": 3},
            {"tosses": "a.csv", "other": "b.csv"},
            "the output 'other'",
        ),
        ({"sides": ["head"], "seed": 3}, {"other": "b.csv"}, "no output 'tosses'"),
        ({"sides": ["head"], "faces": 2, "seed": 3}, {"tosses": "a.csv"}, "'faces'"),
    ],
)
def test_a_rule_and_its_function_must_agree(rule, params, output, says, capsys):
    with pytest.raises((ValueError, TypeError), match=says), job(rule(params, output)) as run:
        run(toss)
    assert says in capsys.readouterr().err


def test_an_import_that_fails_is_told(rule, capsys):
    with pytest.raises(ImportError), job(rule({}, {})):
        from pinetum import nothing_of_this_name  # noqa: F401
    assert "nothing_of_this_name" in capsys.readouterr().err


def test_shards_are_read_as_the_one_file_that_they_could_have_been(tmp_path):
    rows = [
        {"name": "'a", "n": 1, "note": "007"},
        {"name": "=b", "n": None, "note": ""},
        {"name": "c", "n": 3, "note": 'x, "y"'},
    ]
    write_records(rows, tmp_path / "whole.csv")
    for shard, row in enumerate(rows):
        write_records([row], tmp_path / f"{shard}.csv")
    paths = [str(tmp_path / f"{shard}.csv") for shard in range(3)]
    whole = read_records(tmp_path / "whole.csv")
    pd.testing.assert_frame_equal(read_shards(paths), whole)
    pd.testing.assert_frame_equal(Inputs(Named(rows=paths)).rows, whole)
    pd.testing.assert_frame_equal(Inputs(Named(rows=str(tmp_path / "whole.csv"))).rows, whole)


def test_items_that_were_dealt_out_to_shards_join_in_their_turn(rule, tmp_path):
    whole = [{"turn": turn, "step": step} for turn in range(12) for step in range(turn % 3)]
    paths = [str(tmp_path / f"{shard}-of-3.csv") for shard in (1, 2, 3)]
    for shard, path in enumerate(paths):
        mine = [row for row in whole if row["turn"] % 3 == shard]
        write_records(pd.DataFrame(mine, columns=["turn", "step"]), path)
    steps = {"step": [row["step"] for row in whole]}
    assert read_shards(paths).to_dict("list") == steps
    gathering = rule({}, {"walks": "walks.csv"}, walks=paths)
    with job(gathering) as run:
        run(gather)
    assert read_records(gathering.output.walks).to_dict("list") == steps


def test_gathered_records_say_what_measured_their_shards(rule, tmp_path):
    paths = [str(tmp_path / f"{shard}-of-2.csv") for shard in (1, 2)]
    for shard, path in enumerate(paths):
        write_records([{"toss": shard, "measured_by": "toss"}], path)
    gathering = rule({}, {"tosses": "tosses.csv"}, tosses=paths)
    with job(gathering) as run:
        run(gather)
    found = read_records(gathering.output.tosses)
    assert found.to_dict("list") == {"toss": [0, 1], "measured_by": ["toss", "toss"]}
    write_records([{"side": "head"}], paths[1])
    with job(gathering) as run:
        run(gather)
    found = read_records(gathering.output.tosses)
    assert list(found) == ["toss", "measured_by", "side"] and found["side"].tolist()[1] == "head"


def test_a_table_without_a_source_is_its_row(tmp_path):
    Dataset.save_reason(tmp_path / "gone.npz", "gone", "unreachable")
    row = {"dataset": "short", "status": "no_data", "note": "unreachable"}
    ((name, table),) = each_table({"short": "gone"}, tmp_path)
    assert (name, table) == ("short", row) and absent(table)
    assert [name for name, _ in each_table(["gone"], tmp_path)] == ["gone"]
