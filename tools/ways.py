"""From every number to what measured it: `python tools/ways.py nbdt` lists the files to open."""

import sys
from pathlib import Path

from pinetum.files import HOME
from pinetum.report.names import slug
from pinetum.workflow.computed import measured, measured_by, rules_of
from pinetum.workflow.studies import STUDIES, load_contents


def show_ways(home: Path, studies) -> None:
    """Print, per table and figure, the files to open: itself, its records, the rules, scripts and
    functions that measured them.
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
            names = entry if isinstance(entry, list) else entry["from"]
            way = [f"results/{file}", *measuring(home, study, measured(content, names))]
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
