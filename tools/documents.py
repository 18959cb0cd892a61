"""Files of the repository that are made from the lists: `python tools/documents.py` writes
them anew.
"""

import json
import sys
from pathlib import Path

from pinetum.files import HOME, whole_file
from pinetum.report.names import column_of, slug
from pinetum.workflow.config import load_schema, load_yaml
from pinetum.workflow.studies import STUDIES, load_contents

BEGIN = "<!-- from here on written by `python tools/documents.py` -->"
LONGEST = 70  # characters of a default; a longer one is described
CONFIG_HEAD = """# Configuration

Made from the schemas in `config/schemas` and `config/studies` by `python tools/documents.py`; a test compares.

`config/config.yaml` holds the default of every key. Lay your own keys upon it, only those that you want to change, in
any of these ways (later ones win):

1. a file `config/config.yaml` in the folder that Snakemake runs in, if that is not this checkout;
2. `snakemake <target> --configfile mine.yaml` (targets first: every word after `--configfile` is taken for a file);
3. `snakemake --config seed=7 "nbdt={folds: 3}"`;
4. `config:` of the `module` statement, where a workflow of yours uses this one.

`smoke.yaml` is the whole workflow in two minutes, `full.yaml` everything for a cluster, `enumeration.yaml` how far
enumeration gets in five minutes a data set, `evolution.yaml` a longer program search. A wrong key or value is refused
before any job, with its file, its neighbours and what is allowed. A list replaces the default's list; a mapping is
merged key by key, and `null` takes a data set out of a mapping.
"""  # noqa: E501


def escape(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def default_of(value) -> str:
    text = json.dumps(value, ensure_ascii=False)
    if len(text) > LONGEST:
        text = f"{len(value)} entries"
    return f"`{text}`" if value != "" else "empty"


def allowed_of(schema: dict) -> str:
    """Type and range of a value, in words."""
    if "enum" in schema:
        return ", ".join(
            f"`{json.dumps(item) if not isinstance(item, str) else item}`"
            for item in schema["enum"]
        )
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(allowed_of(part) for part in schema[key])
    if schema.get("format") == "dataset":
        return "a data set or view" + (" or null" if "null" in schema.get("type", ()) else "")
    below = schema.get("additionalProperties")
    if isinstance(below, dict) and not below.get("description"):
        return f"mapping of names to {allowed_of(below)}"
    kinds = schema.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "array" in kinds:
        return f"list of {allowed_of(schema.get('items', {}))}"
    words = " or ".join(kinds)
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None or high is not None:
        above = "above " if "exclusiveMinimum" in schema else ""
        below = "below " if "exclusiveMaximum" in schema else ""
        words += (
            f", {above}{low if low is not None else '-inf'} to"
            f" {below}{high if high is not None else 'inf'}"
        )
    return words


def rows_of(key: str, schema: dict, default, given=True):
    """(key, meaning, default, allowed) of a key and all below it."""
    about, below = schema.get("description", ""), schema.get("additionalProperties")
    shown = default_of(default) if given else ""
    yield key, about, shown, allowed_of(schema)
    if "$comment" in schema:  # keys that are described elsewhere
        return
    for name, part in schema.get("properties", {}).items():
        there = given and isinstance(default, dict) and name in default
        yield from rows_of(f"{key}.{name}", part, default[name] if there else None, there)
    if isinstance(below, dict) and below.get("description"):
        yield from rows_of(f"{key}.<name>", below, None, False)
    items = schema.get("items")
    if isinstance(items, dict) and items.get("properties"):
        for name, part in items["properties"].items():
            yield from rows_of(f"{key}[].{name}", part, None, False)


def config_readme(home: Path) -> str:
    """config/README.md: every key, what it means, its default and what is allowed."""
    schema = load_schema(home / "config/schemas/config.yaml")
    defaults = load_yaml(str(home / "config/config.yaml"))
    head = "| key | meaning | default | allowed |\n|---|---|---|---|\n"
    sections = {
        name: part for name, part in schema["properties"].items() if part.get("type") == "object"
    }
    single = {name: part for name, part in schema["properties"].items() if name not in sections}
    blocks = [("General", single)] + [(name, {name: part}) for name, part in sections.items()]
    text = CONFIG_HEAD
    for title, parts in blocks:
        lines = [row for name, part in parts.items() for row in rows_of(name, part, defaults[name])]
        text += f"\n## {title}\n\n{head}"
        text += "".join(
            f"| `{key}` | {escape(about)} | {shown} | {escape(allowed)} |\n"
            for key, about, shown, allowed in lines
        )
    return text


def targets_of(home: Path):
    """(study, target, what it shows, what computed it) of every table and figure."""
    for study, content in load_contents(home).items():
        published, computed = home / f"config/published/{study}.csv", content["computed"]
        if published.exists():
            for item in dict.fromkeys(column_of(published, "item")):
                target = f"results/tables/{study}/{slug(item)}.csv"
                yield (
                    study,
                    target,
                    f"{item} of the paper, ours beside the published",
                    computed["published"][item],
                )
        for kind, ending in (("tables", "csv"), ("figures", "png")):
            for entry in content[kind]:
                target = f"results/{kind}/{study}/{entry['name']}.{ending}"
                yield study, target, entry["caption"], computed[kind][entry["name"]]


def results_readme(home: Path) -> str:
    """results/README.md: what stands above the mark, then every table and figure as a target."""
    head, mark, _ = (home / "results/README.md").read_text(encoding="utf-8").partition(BEGIN)
    if not mark:
        raise ValueError(f"results/README.md misses the line {BEGIN!r}; put it back")
    text = (
        f"{head}{mark}\n\n## Every table and figure is a target\n\n`snakemake --cores 8"
        " results/tables/greedy_dp/table_2.csv` makes one table; `.md` and `.tex` lie beside it,"
        " and each names below itself what computed it.\n"
    )
    last = ""
    for study, target, shows, computed in targets_of(home):
        if study != last:
            text += (
                f"\n### {study}: {STUDIES[study].title}\n\n| target | what it shows | computed by"
                " |\n|---|---|---|\n"
            )
            last = study
        parts = [
            part.split(": rule ") for part in computed.removeprefix("Computed by ").split("; ")
        ]
        by = "; ".join(f"`{function}`, rule `{rule.split(' ')[0]}`" for function, rule in parts)
        text += f"| `{target}` | {escape(shows)} | {by} |\n"
    return text


def targets_smk(home: Path) -> str:
    """rules/targets.smk: one target per study.

    Snakemake takes no computed text for a rule's one line.
    """
    text = "# Made from the list of studies by `python tools/documents.py`: one target per study.\n"
    for name, study in STUDIES.items():
        text += (
            f'\n\nrule {name}:\n    """{study.about}"""\n    input:\n       '
            f' products_of("{name}"),\n'
        )
    return text


MADE = {
    "config/README.md": config_readme,
    "results/README.md": results_readme,
    "rules/targets.smk": targets_smk,
}

if __name__ == "__main__":
    for name, make in MADE.items():
        with whole_file(HOME / name) as file:
            file.write(make(HOME))
        print(f"wrote {HOME / name}", file=sys.stderr)
