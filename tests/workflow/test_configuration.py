"""Configurations that YAML reads otherwise than they were meant are refused, with file, key and cure."""

from pathlib import Path

import pytest

from pinetum.workflow.config import ConfigError, complete_config, load_yaml

ROOT = Path(__file__).parents[2]


def complete(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    import yaml

    config = yaml.safe_load(path.read_text()) if not isinstance(text, bytes) else {}  # as Snakemake reads it
    defaults = [ROOT / "config/config.yaml"]
    known = list(load_yaml(str(ROOT / "config/catalogue.yaml"))["datasets"])
    known += load_yaml(str(ROOT / "config/catalogue.yaml"))["views"]
    return complete_config(config, defaults, ROOT / "config/schemas", [*defaults, path], known)


TABLE = "{path: t.csv, class: y}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"tables: {{123: {TABLE}}}", "tables.123: the key is 123, which is no text; write it in quotes"),
        (f"tables: {{yes: {TABLE}}}", "tables.True: the key is True, which is no text"),
        (f"tables: {{~: {TABLE}}}", "tables.None: the key is None, which is no text"),
        (f'tables: {{"a\\n": {TABLE}}}', "tables.*: not a name; allowed are names like"),
        (f"tables: {{a b: {TABLE}}}", r"tables"),
        ("seed: 1\nseed: 2\n", r"the key 'seed' is given twice \(first in line 1\)"),
        ("tables:\n  a: {path: t, class: y}\n  a: {path: u, class: y}\n", "the key 'a' is given twice"),
        ("7: 1\n", "7: the key is 7"),
        (b"seed: \xff\n", "not UTF-8 text"),
        ("tables: {a: {path: t, class: y, delimiter: ab}}", "delimiter = 'ab'"),
        ("tables: {a: {path: t, class: y, bins: 1}}", "bins = 1"),
        ("tables: {a: {path: t, class: y, dates: {d: [hour]}}}", "allowed are year, month, weekday, days"),
    ],
)
def test_what_was_not_meant_is_refused(tmp_path, text, says):
    with pytest.raises(ConfigError, match=says) as caught:
        complete(tmp_path, text)
    assert "mine.yaml" in str(caught.value)


def test_what_was_meant_is_taken(tmp_path):
    text = (
        'tables: {"123": {path: t.csv, class: y, delimiter: ";", decimal: ",", thousands: ".", encoding: latin-1,'
        " skip: [2], dates: {day: [year, days]}, bins: [1.5, 2], drop: [id], types: {x: discrete}}}"
    )
    assert complete(tmp_path, text)["tables"]["123"]["bins"] == [1.5, 2]
