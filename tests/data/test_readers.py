"""What the readers say about files that are not as they should be: file, line, column, what is
wrong and the cure.
"""

import gzip
import lzma
import shutil
import subprocess

import numpy as np
import pytest

from pinetum.data.columns import parse_columns
from pinetum.data.encode import check_shape, encode, in_order, read_piece, shape_of
from pinetum.data.errors import DataError
from pinetum.data.unpack import checked, unpacked

SPEC = {"columns": "colour size# =class"}
GOOD = b"red, 1, yes\nblue, 2.5, no\n?, ?, yes\n"


def read(data, spec=SPEC, classes=None, labels=None):
    return encode("t", [read_piece(data, spec, "t.data", labels)], classes)


def test_cells_become_codes():
    dataset = read(GOOD)
    np.testing.assert_array_equal(dataset.codes, [[1, 0, -1], [0, 1, -1]])
    assert dataset.values[0] == ("blue", "red") and dataset.values[1].tolist() == [1, 2.5]
    assert dataset.class_names == ("no", "yes") and dataset.labels.tolist() == [1, 0, 1]
    assert dataset.n_missing == 2 and dataset.feature_names == ("colour", "size")


@pytest.mark.parametrize(
    ("data", "spec", "classes", "message"),
    [
        (b"", SPEC, None, r"t\.data, line 1: the file is empty; .*run again"),
        (b"\n\n", SPEC, None, r"t\.data, line 1: the file is empty"),
        (
            b"red, 1, yes\nblue, 2",
            SPEC,
            None,
            r"line 2, column 2: 2 cells where 3 are expected; the line is cut",
        ),
        (
            b"red, 1, yes\nblue, 2, 3, no\n",
            SPEC,
            None,
            r"line 2, column 4: 4 cells where 3 are expected",
        ),
        (
            b"red;1;yes\nblue;2;no\n",
            SPEC,
            None,
            r"line 1, column 1: 1 cells .*the separator is not `comma`",
        ),
        (
            b"1, red, yes\n2, blue, no\n",
            SPEC,
            None,
            r"line 1, column 2: 'red' is not a number; correct the cell",
        ),
        (b"red, nan, yes\nblue, 2, no\n", SPEC, None, r"line 1, column 2: 'nan' is not a number"),
        (b"red, 1, yes\nblue, inf, no\n", SPEC, None, r"line 2, column 2: 'inf' is not a number"),
        (b"red, 1_0, yes\nblue, 2, no\n", SPEC, None, r"line 1, column 2: '1_0' is not a number"),
        (
            b"red, 1, yes\nbl\xe9u, 2, no\n",
            SPEC,
            None,
            r"line 2, column 3: byte 0xe9 is not UTF-8 text; convert",
        ),
        (b"red, 1, yes\n\0, 2, no\n", SPEC, None, r"line 2: a zero byte"),
        (b"\n<!DOCTYPE html>\n<p>404", SPEC, None, r"line 1: an HTML page, not data; delete it"),
        (
            b"red, 1, yes\nblue, 2, maybe\n",
            SPEC,
            ["yes", "no"],
            r"line 2, column 3: 'maybe' is not a class \(known",
        ),
        (b"red, 1, yes\nblue, 2, ?\n", SPEC, None, r"line 2, column 3: '\?' is not a class"),
        (
            b"red, 1, yes\nblue, 2, yes\n",
            SPEC,
            None,
            r"column 3: only one class, 'yes'; nothing can be learnt",
        ),
        (b"red, 1, yes\n, 2, no\n", SPEC, None, r"line 2, column 1: an empty cell; list"),
        (
            b"EI,ACGT\nN,ACG\n",
            {"columns": "=class {p[1-4]}"},
            None,
            r"line 2, column 2: 3 letters where 4",
        ),
        (
            b"1 2\n",
            {**SPEC, "after": "@data"},
            None,
            r"line 1: no line `@data`: the header is cut off",
        ),
        (
            GOOD,
            {**SPEC, "rows": [[2, 4], [0, 2]]},
            None,
            r"line 3: 3 lines of data where 4 are expected",
        ),
        (GOOD, {**SPEC, "skipp": 1}, None, r"reading instruction `skipp` is not known; use"),
    ],
)
def test_faults_are_told_with_place_and_cure(data, spec, classes, message):
    with pytest.raises(DataError, match=message):
        read(data, spec, classes)


def test_numbers_only_files_tell_the_same():
    spec = {"columns": "-id a# b# =class"}
    with pytest.raises(DataError, match=r"line 2, column 3: 'x' is not a number"):
        read(b"i, 1, 2, yes\nj, 1, x, no\n", spec)
    dataset = read(b"i, 1, ?, yes\nj, -0, 2, no\n", spec)
    np.testing.assert_array_equal(dataset.numbers(), [[1, np.nan], [0, 2]])


def test_a_million_categories_are_an_identifier():
    data = b"".join(
        b"id%d, 1, %s\n" % (number, b"yes" if number % 2 else b"no") for number in range(70_000)
    )
    with pytest.raises(
        DataError, match=r"column 1: 70,000 different values in a discrete column; .*leave it out"
    ):
        read(data)


def test_classes_in_a_file_of_their_own():
    spec = {"columns": "a# b# =class", "separator": "space"}
    dataset = read(b"1 2 \n3 4 \n", spec, ["-1", "1"], (b"1\n-1\n", "t.labels"))
    assert dataset.labels.tolist() == [1, 0]
    with pytest.raises(DataError, match=r"t\.labels, line 1: 1 classes for the 2 lines of t\.data"):
        read(b"1 2 \n3 4 \n", spec, ["-1", "1"], (b"1\n", "t.labels"))
    with pytest.raises(DataError, match=r"t\.labels, line 2: 2 cells where one class is expected"):
        read(b"1 2 \n3 4 \n", spec, ["-1", "1"], (b"1\n1 2\n", "t.labels"))


def test_reordered_lines_give_the_same_table_in_another_order():
    first, second = read(GOOD), read(b"\n".join(GOOD.split(b"\n")[::-1]))
    np.testing.assert_array_equal(first.codes, second.codes[:, ::-1])


def test_rows_are_put_back_in_order():
    assert read(GOOD, {**SPEC, "rows": [[1, 3], [0, 1]]}).labels.tolist() == [0, 1, 1]


def test_shape_is_compared_count_by_count():
    dataset, shape = (
        read(GOOD),
        {"cases": 3, "features": 2, "missing": 2, "classes": {"no": 1, "yes": 2}},
    )
    assert shape_of(dataset) == shape
    check_shape(dataset, {**shape, "missing": None, "classes": {"no": None, "yes": 2}}, "t.data")
    for key, wrong in (
        ("cases", 4),
        ("features", 1),
        ("missing", 0),
        ("classes", {"no": 2, "yes": 1}),
    ):
        with pytest.raises(
            DataError, match=r"t\.data: t has .* instead of .*; the file is not the one"
        ):
            check_shape(dataset, {**shape, key: wrong}, "t.data")


def test_columns_notation():
    columns = parse_columns("-id a[1-3]# {p[1-2]} =class")
    assert [column.name for column in columns] == ["id", "a1", "a2", "a3", "p[1-2]", "class"]
    assert columns[4].letters == ("p1", "p2")
    for text in ("a b", "=a =b", "a a =b"):
        with pytest.raises(DataError, match="columns: "):
            parse_columns(text)


def test_order_of_values_does_not_depend_on_the_source():
    assert in_order({"10", "9", "1"}) == ("1", "9", "10")
    assert in_order({"10", "9", "a"}) == ("10", "9", "a")
    assert in_order({"00", "0", "1"}) == ("0", "00", "1")


def compress(data: bytes) -> bytes:
    """compress(1), slow and plain: LZW with codes of 9 to 16 bits, in groups of eight that a change
    of width ends.
    """
    table, codes = {bytes([byte]): byte for byte in range(256)}, []
    following, word = 257, b""
    for byte in data:
        longer = word + bytes([byte])
        if longer in table:
            word = longer
            continue
        codes.append(table[word])
        if following < 1 << 16:
            table[longer] = following
            following += 1
        word = bytes([byte])
    codes.append(table[word])
    out, width, defined, group = bytearray(b"\x1f\x9d\x90"), 9, 257, []

    def flush():
        out.extend(
            sum(code << (place * width) for place, code in enumerate(group)).to_bytes(
                width, "little"
            )
        )
        group.clear()

    for number, code in enumerate(codes):
        group.append(code)
        defined += number > 0
        grown = defined >= 1 << width and width < 16
        if len(group) == 8 or grown:
            flush()
        width += grown
    used = -(-len(group) * width // 8)
    if group:
        flush()
        del out[len(out) - width + used :]
    return bytes(out)


@pytest.mark.parametrize("size", [1, 300, 5_000, 200_000])
def test_old_unix_compression(size):
    rng = np.random.default_rng(size)
    data = bytes(rng.choice(list(b"abcxob,\n"), size=size).astype(np.uint8)) + bytes(
        rng.integers(0, 256, size // 3, dtype=np.uint8)
    )
    packed = compress(data)
    assert unpacked(packed, "t.Z") == data
    if shutil.which("gzip"):  # an independent reader of the same format
        done = subprocess.run(["gzip", "-dc"], input=packed, capture_output=True, check=True)
        assert done.stdout == data


def test_packed_files_and_checksums():
    for packed in (GOOD, gzip.compress(GOOD), lzma.compress(GOOD)):
        assert unpacked(packed, "t") == GOOD
    with pytest.raises(DataError, match=r"t\.gz: cannot be unpacked .*; delete it and run again"):
        unpacked(gzip.compress(GOOD)[:-9], "t.gz")
    with pytest.raises(
        DataError, match=r"t: wrong checksum: 34 bytes with sha256 .* instead of 0{12}"
    ):
        checked(GOOD[:34], {"sha256": "0" * 64}, "t")
    whole = checked(GOOD, {}, "t")
    assert checked(GOOD, {"sha256": whole}, "t") == whole
    assert checked(b"other banner\nx", {"sha256_after_first_line": checked(b"x", {}, "t")}, "t")
