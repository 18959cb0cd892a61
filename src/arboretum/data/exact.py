"""Files that a definition gives row for row."""

from arboretum.data.errors import DataError


def file_content(path) -> bytes:
    raise DataError("no program writes this file", file=path, cure="use another source")
