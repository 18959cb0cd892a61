"""What a data set's source could not give, told wherever a number stands on that data set."""

from pinetum.files import csv_lines
from pinetum.report.names import slug


def read_origins(records, names) -> dict[str, str]:
    """Label of a table's row -> a sentence, for data sets whose source left a note.

    `names` lists each one's labels.
    """
    found = {}
    for path in records:
        for line in csv_lines(path):
            if line["status"] == "ok" and line["note"]:
                sentence = f"{line['dataset']}: {line['note']}"
                found.update({slug(name): sentence for name in names.get(line["dataset"], ())})
    return found


def read_parts(records, names) -> list[str]:
    """Labels, as slugs, of the data sets of which the source has only a part of the cases."""
    found = []
    for path in records:
        for line in csv_lines(path):
            if line.get("part"):
                found += [slug(name) for name in names.get(line["dataset"], ())]
    return found


def origin_of(label: str, origins: dict[str, str]) -> str:
    """The sentence for a row; `Sonar, testing` is a row of Sonar."""
    return origins.get(slug(label.split(",")[0]), "")


def origins_in(labels, origins: dict[str, str]) -> list[str]:
    return [
        sentence
        for sentence in dict.fromkeys(origin_of(str(label), origins) for label in labels)
        if sentence
    ]
