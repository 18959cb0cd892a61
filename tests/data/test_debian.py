"""Debian packages as a source: ar and tar around a file, ARFF and R's tables as lists of places."""

import io
import struct
import tarfile
from hashlib import sha256
from types import SimpleNamespace

import pytest

from pinetum.data import arff, index, rdata, sources
from pinetum.data.errors import DataError

ARFF = "@relation r\n@attribute a {x, 'y z'}\n@attribute b {lo, hi}\n@attribute class {no, yes}\n"
ARFF += "@data\n'y z', ?, yes\nx, hi, no\n"


def ar(**members):
    parts = [b"!<arch>\n"]
    for name, data in members.items():
        head = f"{name.replace('_', '.'):<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n"
        parts.append(head.encode() + data + b"\n" * (len(data) % 2))
    return b"".join(parts)


def tar(name, data):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:xz") as packed:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        packed.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def letters(text):
    return struct.pack(">ii", 9, len(text)) + text.encode()


def symbol(text):
    return struct.pack(">i", 1) + letters(text)


def texts(*values, flags=16):
    return struct.pack(">ii", flags, len(values)) + b"".join(map(letters, values))


def attributes(*pairs):
    tagged = struct.pack(">i", 2 | 1 << 10)
    return b"".join(tagged + symbol(name) + value for name, value in pairs) + struct.pack(">i", 254)


def saved():
    """data.frame(n = c(3, 4), f = factor(c("b", "a"))), as R saves it."""
    with_attributes = 1 << 9
    numbers = struct.pack(">iidd", 14, 2, 3.0, 4.0)
    factor = struct.pack(">iiii", 13 | with_attributes, 2, 2, 1)
    factor += attributes(("levels", texts("a", "b")))
    frame = struct.pack(">ii", 19 | with_attributes, 2) + numbers + factor
    frame += attributes(("names", texts("n", "f")))
    return b"RDX2\nX\n" + struct.pack(">iii", 2, 0, 0) + attributes(("table", frame))


def test_cells_are_places_in_the_declared_lists():
    assert arff.coded(ARFF, "f", 0, 2) == "yes,1,?\nno,0,1\n"
    assert arff.coded(ARFF, "f", 1, 2) == "no,0,1\n"
    assert rdata.read(saved(), "f") == {"n": ["3", "4"], "f": ["1", "0"]}
    assert rdata.coded(saved(), "f", 0, 2) == "3\t1\n4\t0\n"
    assert rdata.coded(saved(), "f", 1, 2, ["f", "n"]) == "4\t0/4\n"


@pytest.mark.parametrize("cut", [0, 5, 30, 90])
def test_a_damaged_table_is_refused(cut):
    with pytest.raises(DataError):
        rdata.read(saved()[:cut], "f")


def test_a_file_of_a_debian_package_is_fetched_checked_and_read(tmp_path, monkeypatch):
    body = ar(
        debian_binary=b"2.0", control_tar_xz=b"odd", data_tar_xz=tar("./a.arff", ARFF.encode())
    )
    monkeypatch.setattr(
        index.download,
        "fetch",
        lambda url, target, check, folder: (
            check(body),
            target.parent.mkdir(parents=True, exist_ok=True),
            target.write_bytes(body),
        ),
    )
    archive = {"project": "p", "version": "1", "file": "p_1.deb", "url": "https://d/p_1.deb"}
    archive["sha256"] = sha256(body).hexdigest()
    setting = SimpleNamespace(archives={"p": archive}, downloads=tmp_path)
    get = sources._from_package({"archive": "p"}, setting, 10**6)
    assert get({"path": "./a.arff", "coded": [0, 1]})[0] == b"yes,1,?\n"
    assert get({"path": "./a.arff"})[0] == ARFF.encode()
    assert sources._label("package", {"archive": "p"}, setting) == "debian p 1"
    with pytest.raises(DataError, match="no member b"):
        get({"path": "b"})
    archive["sha256"] = "0" * 64
    with pytest.raises(DataError, match="wrong checksum"):
        sources._from_package({"archive": "p"}, setting, 10**6)
