"""Damaged inputs: whatever happens to a file, the readers give a table or one `DataError`, never
anything else.
"""

import random

import numpy as np
import pytest

from pinetum.data import arff
from pinetum.data.dataset import Dataset
from pinetum.data.encode import check_shape, encode, read_piece, shape_of
from pinetum.data.errors import DataError
from pinetum.data.table import read_table
from pinetum.data.text import decoded
from pinetum.data.unpack import unpacked

MIXED = b"""red, 1.5, ?, yes
blue, -2, a b, no
?, 3e2, c, yes
red, ?, c, no
"""
NUMBERS = b"""1 2.5 -3 1
4 0 1e3 -1
0 7 2.25 1
"""
LETTERS = b"""EI,one,     ACGT
N, two,  NNGT
EI,three,TTTT
"""
THYROID = b"""41,F,f,1.3,negative.|3733
23,F,t,?,primary.|14
?,M,t,0.98,negative.|9
"""
ARFF = b"""% remark
@relation r
@attribute 'a b' {x, 'y z', w}
@attribute n numeric
@attribute class {p,q}
@data
x,1.5,p
'y z',?,q
?,3,p
"""
CSV = b"""id,colour,size,class
1,red,2.5,yes
2,"blue, dark",?,no
3,red,4,yes
4,green,1e3,no
"""
HEADED = {"columns": "colour size# kind =class"}
CASES = {  # file, reading instructions, classes of the catalogue
    "mixed": (MIXED, HEADED, None),
    "mixed-known": (MIXED, HEADED, ["yes", "no"]),
    "numbers": (NUMBERS, {"columns": "a[1-3]# =class", "separator": "space"}, ["1", "-1"]),
    "letters": (LETTERS, {"columns": "=class -name {p[1-4]}"}, ["EI", "N"]),
    "thyroid": (THYROID, {"columns": "age# sex ill TSH# =class", "cut": {"class": ".|"}}, None),
    "skipped": (
        b"banner\n" + NUMBERS,
        {"columns": "a -b c# =class", "separator": "space", "skip": 1},
        None,
    ),
}
PIECES = [
    b"",
    b"\n",
    b"\n\n",
    b",",
    b";",
    b"\t",
    b" ",
    b"?",
    b"NaN",
    b"inf",
    b"-",
    b"1_000",
    b"1e999",
    b"0x10",
    b"\x00",
    b"\xff\xfe",
    b"\xc3",
    b"'",
    b'"',
    b"{",
    b"}",
    b"%",
    b"@data",
    b"@attribute",
    b"\\",
    b"\r",
    b"\r\n",
    b"<html>",
    b"<!DOCTYPE html>\n",
    "é¼☃".encode(),
    b"|",
    b"9" * 400,
    b"yes",
    b"no",
    b".|",
    b"\xef\xbb\xbf",
    b"\x0b",
    b"\x85",
    b"\xe2\x80\xa8",
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        kind, at = rng.randrange(9), rng.randrange(len(data) + 1)
        if kind == 0:
            data = data[:at] + rng.choice(PIECES) + data[at:]
        elif kind == 1:
            data = data[:at] + rng.choice(PIECES) + data[at + rng.randrange(1, 6) :]
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data = data[at:]
        elif kind == 4:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif kind == 5:
            lines = data.split(b"\n")
            rng.shuffle(lines)
            data = b"\n".join(lines)
        elif kind == 6:
            lines = data.split(b"\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            data = b"\n".join(lines)
        elif kind == 7:
            data = data.replace(rng.choice((b",", b" ", b"\n", b".", b"1")), rng.choice(PIECES))
        else:
            data = data[:at] + data[at + rng.randrange(1, 12) :]
    return data


def survives(read, data, context):
    """`read` gives a sound table or a `DataError` that names the file."""
    try:
        dataset = read(data)
    except DataError as fault:
        assert "file" in str(fault) or "table" in str(fault), context
        assert fault.what, context
        return False
    except Exception as other:
        raise AssertionError(f"{context}: {type(other).__name__}: {other} on {data!r}") from other
    assert dataset.codes.shape == (dataset.n_features, dataset.n_cases), context
    assert (
        dataset.codes.min(initial=0) >= -1
        and (dataset.codes.max(axis=1, initial=-1) < np.maximum(dataset.arity, 0)).all()
    )
    assert dataset.labels.min() >= 0 and dataset.labels.max() < dataset.n_classes, context
    return True


@pytest.mark.parametrize("case", sorted(CASES))
def test_mutated_files_of_the_catalogue(case):
    """6 x 14,000 inputs."""
    original, spec, classes = CASES[case]
    rng, read_well = random.Random(case), 0
    whole = encode("t", [read_piece(original, spec, "file")], classes)

    def read(data):
        dataset = encode("t", [read_piece(unpacked(data, "file"), spec, "file")], classes)
        check = shape_of(dataset) if dataset != whole else shape_of(whole)
        check_shape(dataset, check, "file")
        return dataset

    for number in range(14_000):
        read_well += survives(read, mutated(original, rng), f"{case} {number}")
    assert 0 < read_well < 14_000


def test_mutated_arff():
    """12,000 inputs; the header only, columns are encoded as those of the other tables."""
    rng = random.Random("arff")
    for number in range(12_000):
        data = mutated(ARFF, rng)
        try:
            names, domains, cells = arff.read(decoded(data, "file"), "file")
            assert len(names) == len(domains) == len(cells)
        except DataError as fault:
            assert fault.file == "file"
        except Exception as other:
            raise AssertionError(
                f"{number}: {type(other).__name__}: {other} on {data!r}"
            ) from other


@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_mutated_tables_of_ones_own(ending, tmp_path):
    """2 x 3,000 inputs through files, with inferred types, stated ones and declared values."""
    original = {"csv": CSV, "arff": ARFF}[ending]
    rng, read_well = random.Random(ending), 0
    path = tmp_path / f"file.{ending}"
    csv_options = [
        {},
        {"types": {"size": "number"}},
        {"values": {"colour": ["red", "green", "blue, dark"]}, "drop": ["id"]},
    ]
    choices = csv_options if ending == "csv" else [{}, {"types": {"n": "discrete"}}]

    def read(data):
        path.write_bytes(data)
        return read_table("t", {"path": str(path), "class": "class", **rng.choice(choices)})

    for number in range(3_000):
        read_well += survives(read, mutated(original, rng), f"{ending} {number}")
    assert 0 < read_well < 3_000


def test_mutated_encoded_files(tmp_path):
    """1,000 damaged npz files."""
    path = tmp_path / "file.npz"
    encode("t", [read_piece(MIXED, HEADED, "file")]).save(path)
    original, rng = path.read_bytes(), random.Random("npz")
    for number in range(1_000):
        path.write_bytes(mutated(original, rng))
        try:
            Dataset.load(path)
        except DataError as fault:
            assert "file.npz" in str(fault)
        except Exception as other:
            raise AssertionError(f"{number}: {type(other).__name__}: {other}") from other
