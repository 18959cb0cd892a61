"""Configurations that YAML reads otherwise than they were meant are refused, with file, key and
cure.
"""

from pathlib import Path

import numpy as np
import pytest
import yaml

from pinetum.workflow.config import ConfigError, check_tables, complete_config, load_yaml

ROOT = Path(__file__).parents[2]
CATALOGUE = load_yaml(str(ROOT / "config/catalogue.yaml"))
DEFAULTS = [ROOT / "config/config.yaml"]


def completed(config, files=()):
    known = [*CATALOGUE["datasets"], *CATALOGUE["views"]]
    whole = complete_config(config, DEFAULTS, ROOT / "config/schemas", [*DEFAULTS, *files], known)
    check_tables(whole, CATALOGUE, files)
    return whole


def complete(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "t.csv").touch()
    config = (
        yaml.safe_load(path.read_text()) if not isinstance(text, bytes) else {}
    )  # as Snakemake reads it
    return completed(config, [path])


TABLE = "{path: t.csv, class: y}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            f"tables: {{123: {TABLE}}}",
            "tables.123: the key is 123, which is no text; write it in quotes",
        ),
        (f"tables: {{yes: {TABLE}}}", "tables.True: the key is True, which is no text"),
        (f"tables: {{~: {TABLE}}}", "tables.None: the key is None, which is no text"),
        (f'tables: {{"a\\n": {TABLE}}}', "tables.*: not a name; allowed are names like"),
        (f"tables: {{a b: {TABLE}}}", r"tables"),
        ("seed: 1\nseed: 2\n", r"the key 'seed' is given twice \(first in line 1\)"),
        (
            "tables:\n  a: {path: t, class: y}\n  a: {path: u, class: y}\n",
            "the key 'a' is given twice",
        ),
        ("7: 1\n", "7: the key is 7"),
        (b"seed: \xff\n", "not UTF-8 text"),
        ("tables: {a: {path: t, class: y, delimiter: ab}}", "delimiter = 'ab'"),
        ("tables: {a: {path: t, class: y, bins: 1}}", "bins = 1"),
        (
            "tables: {a: {path: t, class: y, bins: [.nan]}}",
            r"tables.a.bins.0 = nan: no number; give one",
        ),
        ("distinct: {optimum: {work: .nan}}", r"distinct.optimum.work = nan: no number"),
        ("nbdt: {own: {memory_mb: -5}}", "nbdt.own.memory_mb = -5: allowed is"),
        (
            "tables: {a: {path: t, class: y, dates: {d: [hour]}}}",
            "allowed are year, month, weekday, days",
        ),
    ],
)
def test_what_was_not_meant_is_refused(tmp_path, text, says):
    with pytest.raises(ConfigError, match=says) as caught:
        complete(tmp_path, text)
    assert "mine.yaml" in str(caught.value)


def numbers_in(node, place=()):
    """Every entry of a schema that is a number, with its place."""
    if isinstance(node, list):
        for part in node:
            yield from numbers_in(part, place)
    if isinstance(node, dict):
        if {"integer", "number"} & set(np.atleast_1d(node.get("type", ""))):
            yield place, node
        for key, part in node.items():
            yield from numbers_in(part, (*place, key))


def test_every_number_of_the_configuration_has_a_least_value():
    """Without one, a negative limit of work or memory would be taken."""
    found = [
        (path.name, *place)
        for path in (ROOT / "config/schemas").glob("*.yaml")
        for place, entry in numbers_in(yaml.safe_load(path.read_text(encoding="utf-8")))
        if not {"minimum", "exclusiveMinimum"} & set(entry)
    ]
    cuts = {
        "bins",
        "numbers",
    }  # limits between classes, and between the values of a published column
    assert [place for place in found if not cuts & set(place)] == []


def test_what_was_meant_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (
        'tables: {"123": {path: t.csv, class: y, delimiter: ";", decimal: ",", thousands: ".",'
        " encoding: latin-1, skip: [2], dates: {day: [year, days]}, bins: [1.5, 2], drop: [id],"
        " types: {x: discrete}}}"
    )
    assert complete(tmp_path, text)["tables"]["123"]["bins"] == [1.5, 2]


@pytest.mark.parametrize(
    "setting, says",
    [
        ("sed=3", "sed: unknown key; allowed here:"),
        ("seed=-3", "seed = -3: allowed is 0 to"),
        ("require_all=maybe", "require_all = 'maybe': must be boolean"),
        (
            "nbdt={datasets: [monkz-1]}",
            (
                "nbdt.datasets.0 = 'monkz-1': no data set or view of config/catalogue.yaml; near:"
                " monks-1"
            ),
        ),
        (
            "distinct={enumeration: {min_cases: {adlut: [2]}}}",
            "'adlut': no data set or view of config/catalogue.yaml; near: adult",
        ),
        (
            "separators={datasets: {heart: hart-binary}}",
            (
                "heart = 'hart-binary': no data set or view of config/catalogue.yaml; near:"
                " heart-binary"
            ),
        ),
        (
            "tables={mine: {path: gone.csv, class: y}}",
            "tables.mine.path = 'gone.csv': no such file",
        ),
        (
            "tables={adult: {path: LICENSE, class: y}}",
            "tables.adult: a data set of the catalogue has this name",
        ),
        (
            "tables={mine: {path: LICENSE, class: y, nbdt: {deph: 2}}}",
            "tables.mine.nbdt.deph: unknown key; allowed",
        ),
        (
            "tables={mine: {path: LICENSE, class: y, methods: {folds: 1}}}",
            "tables.mine.methods.folds = 1: allowed is",
        ),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(setting, says, monkeypatch):
    monkeypatch.chdir(ROOT)
    key, value = setting.split("=", 1)
    with pytest.raises(ConfigError) as caught:
        completed({key: yaml.safe_load(value)})
    assert says in str(caught.value) and str(caught.value).startswith("--config: ")


def test_a_wrong_value_is_looked_for_where_it_was_set(tmp_path, run_snakemake):
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("nbdt: {folds: 1}\n")
    config = {"nbdt": {"folds": 1}}
    for files in ([wrong], [wrong, ROOT / "config/full.yaml"], [ROOT / "config/smoke.yaml", wrong]):
        with pytest.raises(ConfigError) as caught:
            completed(config, files)
        assert f"{wrong}: nbdt.folds = 1: allowed is 2 to" in str(caught.value)
    done = run_snakemake(
        ROOT, "--dry-run", "--configfile", str(wrong), "--config", "seed=-3"
    )  # before any job
    assert done.returncode != 0 and "--config: seed = -3: allowed is" in done.stdout + done.stderr
    assert f"{wrong}: nbdt.folds = 1: allowed is 2 to" in done.stdout + done.stderr
