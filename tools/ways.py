"""From every number to what measured it: `python tools/ways.py nbdt` lists the files to open."""

import sys
from pathlib import Path

from pinetum.files import HOME
from pinetum.report.names import slug
from pinetum.workflow.computed import measured, measured_by, rules_of, way_to_kernel
from pinetum.workflow.studies import STUDIES, load_contents, study_file


def show_ways(home: Path, studies) -> None:
    """Print, per table and figure, the files to open: itself, its records, the rules, scripts and
    functions that measured them; or, of a study without these, the function that it names and what
    that imports, inwards.
    """
    for study, content in load_contents(home).items():
        if study not in (studies or STUDIES):
            continue
        entries = [
            (item, f"tables/{study}/{slug(item)}.md", entry)
            for item, entry in content.get("published", {}).items()
        ]
        entries += [
            (entry["name"], f"{kind}/{study}/{entry['name']}.{ending}", entry)
            for kind, ending in (("tables", "md"), ("figures", "png"))
            for entry in content[kind]
        ]
        for name, file, entry in entries:
            if study_file(home, study):
                names = entry if isinstance(entry, list) else entry["from"]
                way = measuring(home, study, measured(content, names))
            else:
                way = way_to_kernel(entry.get("computed_by", entry)["function"])
            way = [f"results/{file}", *way]
            print("\n  ".join([f"{study}, {name}: {len(way)} files", *way]))


def measuring(home: Path, study: str, records) -> list[str]:
    """Records, and rule file, script and function of each."""
    way = []
    for record in records:
        function = measured_by(home, study, record)
        rule = rules_of(home)[function.rsplit(".", 1)[1]]
        way += [f"results/{study}/{record}.csv", rule.file, rule.script, function]
    return list(dict.fromkeys(way))


if __name__ == "__main__":
    show_ways(HOME, sys.argv[1:])
