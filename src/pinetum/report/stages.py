"""The stages that all studies have: what comes of their records, and its pictures.

A table, summary or figure is the function of its name in the study's `results` or `figures`. Its
arguments are the records or summaries that `config/studies/<study>.yaml` says it is made of, by
name, and, where it asks for them, `published` (the study's file in config/published) and
`settings`. A summary stands above what is made of it.
"""

import inspect
from functools import cache
from importlib import import_module
from pathlib import Path

from pinetum.files import HOME, results_folder
from pinetum.report import style
from pinetum.report.captions import write_captions
from pinetum.report.comparison import compare, read_published, read_reproduced
from pinetum.report.names import slug
from pinetum.report.origins import read_origins, read_parts
from pinetum.report.readings import judge_readings, overview, read_readings
from pinetum.report.tables import write_formats, write_published_table
from pinetum.workflow.computed import sentence
from pinetum.workflow.job import write
from pinetum.workflow.jobs import read_records, read_text, write_records


def replication(study: str, part: str):
    """A module of a study's replication. The rules name it in the digest of their code."""
    return import_module(".".join(("pinetum", study, "replication", part)))


class Records:
    """The records of a study by name, each read once."""

    def __init__(self, paths):
        self.paths = {Path(path).stem: path for path in paths}
        self.table = cache(lambda name: read_records(self.paths[name]))

    def make(self, function, names, **more):
        """Call a function with the records of these names, and of `more` what it asks for."""
        asked = inspect.signature(function).parameters
        missing = {name for name in asked if asked[name].default is asked[name].empty}
        missing -= {*names, *more}
        if missing:
            raise ValueError(
                f"{function.__module__}.{function.__name__} asks for {sorted(missing)[0]!r}, which"
                " its entry in config/studies does not list"
            )
        known = {name: self.table(name) for name in names} | more
        return function(**{name: known[name] for name in asked if name in known})

    def origin(self, names) -> list[str]:
        """The functions that measured these records, as they say themselves."""
        found: list[str] = []
        for name in names:
            table = self.table(name)
            for said in table["measured_by"].dropna().unique() if "measured_by" in table else ():
                found += said.split("; ")
        return list(dict.fromkeys(found))

    def says(self, entries: dict) -> dict[str, str]:
        """Name -> the sentence on what computed it, for names with what they are made of."""
        return {name: sentence(HOME, self.origin(made_of)) for name, made_of in entries.items()}


def tabulate(study, contents, settings, names, changed, inputs, outputs):
    """What comes of a study's records: summaries, tables, and the published numbers with their
    verdicts, which are judged here and nowhere else.
    """
    results, records = replication(study, "results"), Records(inputs.files.records)
    published = [read_published(path) for path in inputs.files.published]
    more: dict = {"published": published[0] if published else None, "settings": settings}
    judged = None
    for path in outputs.summaries:
        name = Path(path).stem
        made_of = contents["summaries"][name]
        made = records.make(getattr(results, name), made_of, **more)
        if name == "readings":
            judged = judge_readings(more["published"], made)
            write(judged, path, {"measured_by": "; ".join(records.origin(made_of))})
        elif name == "reproduced":
            write_records(made, path)
        else:
            write(made, path, {"measured_by": "; ".join(records.origin(made_of))})
        records.paths[name] = path
    origins = read_origins(inputs.files.sources, names)
    entries = {entry["name"]: entry["from"] for entry in contents["tables"]}
    said = {"tables": records.says(entries), "published": records.says(contents["published"])}
    if changed:
        for made in said.values():
            made.update({name: f"{otherwise(changed)} {says}" for name, says in made.items()})
    for path in outputs.tables:
        name = Path(path).stem
        if name == "readings_overview":
            made = overview(judged)
        else:
            made = records.make(getattr(results, name), entries[name], **more)
        write_records(made, path)
        write_formats(read_text(path), path, origins, computed=said["tables"][name])
    parts = read_parts(inputs.files.sources, names)
    items = write_verdicts(study, published, outputs, origins, parts, said["published"])
    write_captions(outputs.captions, contents | {"computed": said}, items)


def otherwise(changed) -> str:
    """What marks the tables and the page of a run that is no usual one, such as the smoke run."""
    return f"Not the usual run: other settings for {', '.join(changed)}."


def write_verdicts(study, published, outputs, origins, parts, said) -> dict[str, str]:
    """The study's rows of comparison.csv and its published tables, whose items it gives by their
    files' names.
    """
    items: dict[str, str] = {}
    folder = results_folder()
    for theirs, path in zip(published, outputs.compared, strict=True):
        readings = folder / f"{study}/readings.csv"
        rows = compare(
            study,
            theirs,
            read_reproduced(folder / f"{study}/reproduced.csv"),
            readings=read_readings(readings) if readings.exists() else None,
            origins=origins,
            parts=parts,
        )
        write_records(rows, path)
        for item, cells in rows.groupby("item", sort=False):
            write_published_table(
                cells, folder / f"tables/{study}/{slug(item)}.csv", origins, said[item]
            )
            items[slug(item)] = item
    return items


def draw(study, contents, settings, changed, inputs, outputs):
    """The figures of a study from its records, and their captions."""
    figures, records = replication(study, "figures"), Records(inputs.files.records)
    style.write_vector_forms(outputs.vector)
    entries = {entry["name"]: entry["from"] for entry in contents["figures"]}
    for path in outputs.figures:
        name = Path(path).stem
        style.save(records.make(getattr(figures, name), entries[name], settings=settings), path)
    said = {"figures": records.says(entries)}
    if changed:
        said["figures"] = {
            name: f"{otherwise(changed)} {says}" for name, says in said["figures"].items()
        }
    write_captions(outputs.captions, contents | {"computed": said}, {})
