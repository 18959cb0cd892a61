"""The twenty awkward files of `awkward.py`: read or refused, with the message, before any job."""

import importlib.util
import time
import warnings
from pathlib import Path

import pytest

from pinetum.cli import main
from pinetum.data import DataError, DataWarning, Table
from pinetum.own.methods import METHODS, reason_against

spec = importlib.util.spec_from_file_location("awkward", Path(__file__).with_name("awkward.py"))
awkward = importlib.util.module_from_spec(spec)
spec.loader.exec_module(awkward)


def read(path, outcome, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Table.from_file(path, outcome, **options)


# The command line names options, where Python and configuration files name keys.
AS_OPTIONS = {"`skip: [2]`": "`--skip 2`", "`bins: 3`": "`--bins 3`"}


@pytest.mark.parametrize("name", awkward.FILES)
def test_every_file_is_read_or_refused_with_the_cure(name, tmp_path, capsys):
    file = awkward.FILES[name]
    path = file.make(tmp_path)
    begun = time.process_time()
    if file.refused:
        with pytest.raises(DataError) as fault:
            read(path, file.outcome)
        assert file.refused in str(fault.value)
        assert (
            main(
                ["run", str(path), "--outcome", file.outcome, "--directory", str(tmp_path / "run")]
            )
            == 1
        )
        said = capsys.readouterr()
        assert (
            said.err.startswith("pinetum: ")
            and "Traceback" not in said.err
            and AS_OPTIONS.get(file.refused, file.refused) in said.err
        )
        assert not (tmp_path / "run").exists(), "no job was begun"
        return
    table = read(path, file.outcome)
    assert file.warns in "\n".join(table.warnings)
    assert {"age", "income", "score", "town"} <= set(table.feature_names)
    kinds = dict(zip(table.feature_names, table.continuous, strict=True))
    assert kinds["age"] and kinds["income"] and kinds["score"] and not kinds["town"]
    assert set(table.values[table.feature_names.index("town")]) == {"Ulm", "Köln", "Bonn"}
    assert all(line.verdict == "used" or (line.reason and line.cure) for line in table.columns)
    taken = [method for method in METHODS if not reason_against(METHODS[method], table)]
    assert "tree" in taken and "small_tree" in taken
    assert time.process_time() - begun < 15
