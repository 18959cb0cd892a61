"""Stored forms of a file: plain, .gz, .xz, .zip of one file, and the old .Z of compress(1)."""

import gzip
import io
import lzma
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

from pinetum.data.errors import DataError

FETCH_ANEW = "delete it and run again"
MOST_BYTES = 4 << 30  # what a packed file may become where nothing better is known
BLOCK = 1 << 20


def unpacked(data: bytes, file, most: int = MOST_BYTES) -> bytes:
    """The content, whatever it was packed with, judged by its first bytes.

    At most `most` bytes of it.
    """
    try:
        if data[:2] == b"\x1f\x8b":
            return bounded(gzip.GzipFile(fileobj=io.BytesIO(data)), file, most)
        if data[:6] == b"\xfd7zXZ\0":
            return bounded(lzma.LZMAFile(io.BytesIO(data)), file, most)
        if data[:2] == b"\x1f\x9d":
            return uncompress(data, file, most)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError, IndexError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"cannot be unpacked ({error})", file=file, cure=FETCH_ANEW) from error
    return data


def unpacked_file(path, most: int = MOST_BYTES) -> bytes:
    """The content of a file of one's own, which may be a zip archive of one file."""
    path = Path(path)
    if path.suffix.lower() != ".zip":
        return unpacked(path.read_bytes(), path, most)
    try:
        with zipfile.ZipFile(path) as archive:
            names = [entry for entry in archive.infolist() if not entry.is_dir()]
            names = [entry for entry in names if not entry.filename.startswith("__MACOSX/")]
            if len(names) != 1:
                what = (
                    f"{len(names)} files in the archive:"
                    f" {', '.join(entry.filename for entry in names[:5])}"
                )
                raise DataError(what, file=path, cure="pack one file, or unpack it")
            with archive.open(names[0]) as member:
                return bounded(member, path, most)
    except DataError:
        raise
    except Exception as error:  # a damaged archive makes zipfile raise nearly anything
        raise DataError(f"cannot be unpacked ({error})", file=path, cure="pack it again") from error


def bounded(stream, file, most):
    """All of an unpacking stream, or a `DataError` once it gives more than `most` bytes.

    In blocks: a stream that is asked for so many bytes at once may reserve room for all of them.
    """
    blocks, size = [], 0
    while block := stream.read(BLOCK):
        blocks.append(block)
        size += len(block)
        _refuse_more(size, file, most)
    return b"".join(blocks)


def _refuse_more(size, file, most):
    if size > most:
        what = f"unpacks to more than {most:,} bytes"
        raise DataError(
            what,
            file=file,
            cure="it is not the file that is expected: delete it, or unpack it yourself",
        )


def uncompress(data: bytes, file=None, limit: int = MOST_BYTES) -> bytes:
    """LZW as compress(1) writes it: codes of 9 to 16 bits, padded to a group of eight when the
    width changes.
    """
    flags = data[2]
    most, block = flags & 0x1F, bool(flags & 0x80)
    if not 9 <= most <= 16:
        raise ValueError(f"{most} bits is no width of compress")
    table = [bytes([byte]) for byte in range(256)] + [b""] * block
    out, size, width, previous = [], 0, 9, None
    position = 3
    while position < len(data):
        _refuse_more(size, file, limit)
        group = int.from_bytes(data[position : position + width], "little")  # eight codes
        count = min(8, (len(data) - position) * 8 // width)
        position += width
        for index in range(count):
            code = group >> (index * width) & ((1 << width) - 1)
            if block and code == 256:
                del table[257:]
                width, previous = 9, None
                break
            if previous is None:
                entry = table[code]
            else:
                if code > len(table) or (code == len(table) and len(table) >> most):
                    raise ValueError("a code that was never defined")
                entry = table[code] if code < len(table) else previous + previous[:1]
                if not len(table) >> most:
                    table.append(previous + entry[:1])
            out.append(entry)
            size += len(entry)
            previous = entry
            if len(table) >> width and width < most:
                width += 1
                break
    return b"".join(out)


def checked(data: bytes, wanted: dict, file) -> str:
    """sha256 of the content, compared with the catalogue's.

    Of the lines after the first where that is stated.
    """
    if "sha256_after_first_line" in wanted:
        found, expected = (
            sha256(data.partition(b"\n")[2]).hexdigest(),
            wanted["sha256_after_first_line"],
        )
    else:
        found, expected = sha256(data).hexdigest(), wanted.get("sha256")
    if expected and found != expected:
        start = data[:1000].lstrip().lower()
        kind = (
            "an HTML page" if start.startswith((b"<!doctype", b"<html")) else f"{len(data):,} bytes"
        )
        what = f"wrong checksum: {kind} with sha256 {found[:12]}... instead of {expected[:12]}..."
        raise DataError(what, file=file, cure=FETCH_ANEW)
    return found
