"""Names of published tables; light enough for the Snakefile to import."""

import csv
import re


def slug(item: str) -> str:
    """Part of a file name: `Table 1, SYNTH as printed` becomes `table_1_synth_as_printed`."""
    return re.sub(r"[^a-z0-9]+", "_", item.lower()).strip("_")


def column_of(path, column: str) -> list[str]:
    with open(path, encoding="utf-8", newline="") as file:
        return [row[column] for row in csv.DictReader(file)]
