"""Names of published tables; light enough for the Snakefile to import."""

import re

from pinetum.files import csv_lines


def slug(item: str) -> str:
    """Part of a file name: `Table 1, SYNTH as printed` becomes `table_1_synth_as_printed`."""
    return re.sub(r"[^a-z0-9]+", "_", item.lower()).strip("_")


def column_of(path, column: str) -> list[str]:
    return [row[column] for row in csv_lines(path)]
