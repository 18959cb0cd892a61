"""How a table is read: what is no such option or value is refused, wherever it was said."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from jsonschema import Draft202012Validator

from pinetum import Table
from pinetum.data.errors import DataError
from pinetum.data.formats import read_frame
from pinetum.data.options import KINDS, UNREAD, check_options

SCHEMA = yaml.safe_load(
    (Path(__file__).parents[2] / "config/schemas/tables.yaml").read_text(encoding="utf-8")
)
ENTRIES = SCHEMA["additionalProperties"]["properties"]
VALUES = [
    None,
    True,
    0,
    1,
    -5,
    2,
    1000,
    0.5,
    "",
    "x",
    "xx",
    ",",
    ".",
    " ",
    "number",
    "csv",
    "year",
    [],
    [0],
    [1],
    [-5],
    [1, 2.5],
    ["x"],
    ["year"],
    ["day"],
    "utf-8",
    {},
    {"a": "number"},
    {"a": "nmber"},
    {"a": ["year"]},
    {"a": []},
    {"a": ["x"]},
    ["x", "y"],
]
# the library takes what the configuration's editors are kept from, since it means the same
LENIENT = {
    "class": ("numbers name columns too", [0, 1, -5, 2, 1000, 0.5]),
    "header": ("1 and 0", [0, 1]),
    "drop": ("numbers", [[0], [1], [-5], [1, 2.5]]),
    "missing": ("numbers", [[0], [1], [-5], [1, 2.5]]),
    "missing_only": ("numbers", [[0], [1], [-5], [1, 2.5]]),
    "classes": (
        "numbers; one class is refused later",
        [[0], [1], [-5], [1, 2.5], ["x"], ["year"], ["day"]],
    ),
    "values": ("nothing", []),
    "dates": ("one part alone", []),
    "path": ("nothing", []),
    "delimiter": ("looked at by the reader", ["xx", "number", "csv", "year", "utf-8"]),
}


def test_the_schema_of_the_configuration_knows_the_same_options():
    assert set(KINDS) == set(ENTRIES)


@pytest.mark.parametrize("name", list(KINDS))
def test_the_schema_of_the_configuration_takes_the_same_values(name):
    schema = Draft202012Validator(ENTRIES[name])
    for value in VALUES:
        if (
            value in LENIENT.get(name, ("", []))[1]
            and not isinstance(value, bool)
            and KINDS[name].takes(value)
        ):
            continue
        if isinstance(value, list) and len(set(map(str, value))) < len(value):
            continue
        assert KINDS[name].takes(value) == schema.is_valid(value), (name, value)


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "table.csv"
    pd.DataFrame(
        {"a": np.arange(24) % 5, "b": ["u", "v"] * 12, "y": ["no", "yes", "no"] * 8}
    ).to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"skip": [-5]}, r"`skip` is \[-5\]; expected a list, each part a whole number from 1"),
        ({"skip": 2}, "`skip` is 2; expected a list"),
        ({"skip": [26]}, "`skip` names line 26, and the last is 25"),
        ({"thousands": "xx"}, "`thousands` is 'xx'"),
        ({"thousands": ",", "decimal": ","}, "the same mark"),
        ({"types": {"a": "nmber"}}, "`types` is .*; expected"),
        ({"missing": "NA"}, "`missing` is 'NA'; expected a list"),
        ({"drop": "a"}, "`drop` is 'a'; expected a list"),
        ({"classes": "yes"}, "`classes` is 'yes'; expected a list"),
        ({"dates": {"a": ["year"]}}, "column a: `dates` names it, and it holds none"),
        ({"dates": {"a": ["day"]}}, "`dates` is .*; expected"),
        ({"bins": True}, "`bins` is True; expected a whole number from 2 to 100"),
        ({"header": "no"}, "`header` is 'no'; expected True or False"),
        ({"encoding": 8}, "`encoding` is 8; expected a name"),
    ],
    ids=str,
)
def test_values_that_were_once_taken_in_silence(csv, options, says):
    with pytest.raises(DataError, match=says):
        Table.from_file(csv, "y", **options)
    if not set(options) & {"skip", "encoding", "header"}:
        with pytest.raises(DataError, match=says):
            Table.from_frame(pd.read_csv(csv), "y", **options)
    if not set(options) & {"types", "drop", "classes", "dates", "bins"}:
        with pytest.raises(DataError, match=says):
            read_frame(csv, **options)


def test_a_column_that_is_left_out_twice_is_left_out(csv):
    assert Table.from_file(csv, "y", drop=["a", "a"]).feature_names == ("b",)


def test_options_that_a_format_has_no_use_for_are_refused(csv, tmp_path):
    frame, path = pd.read_csv(csv), tmp_path / "table.parquet"
    frame.to_parquet(path)
    for name, value in (
        ("skip", [2]),
        ("delimiter", ";"),
        ("encoding", "latin-1"),
        ("header", False),
    ):
        with pytest.raises(
            DataError, match=f"`{name}` says nothing about a file of parquet; leave it out"
        ):
            Table.from_file(path, "y", **{name: value})
        with pytest.raises(DataError, match=f"`{name}` says nothing"):
            check_options({name: value}, kind="arff")
    assert set().union(*UNREAD.values()) <= set(KINDS)


@pytest.mark.parametrize("values", [10, 11])
def test_classes_of_few_numbers_with_fractions_are_taken(values):
    frame = pd.DataFrame({"x": np.arange(220) % 7.0, "y": np.arange(220) % values + 0.5})
    if values == 10:
        assert len(Table.from_frame(frame, "y").class_names) == 10
        return
    with pytest.raises(DataError, match="11 different numbers are no classes"):
        Table.from_frame(frame, "y")
