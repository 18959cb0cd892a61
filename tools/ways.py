"""From every number to its innermost kernel: `python tools/ways.py nbdt` lists the files
to open.
"""

import sys
from pathlib import Path

from pinetum.files import HOME
from pinetum.report.names import slug
from pinetum.workflow.computed import way_to_kernel
from pinetum.workflow.studies import STUDIES, load_contents


def show_ways(home: Path, studies) -> None:
    """Print, per table and figure, the files to open: itself, that of the function it names, and so
    on inwards.
    """
    for study, content in load_contents(home).items():
        if study in (studies or STUDIES):
            entries = [
                (item, f"tables/{study}/{slug(item)}.md", entry)
                for item, entry in content.get("published", {}).items()
            ]
            entries += [
                (entry["name"], f"{kind}/{study}/{entry['name']}.{ending}", entry["computed_by"])
                for kind, ending in (("tables", "md"), ("figures", "png"))
                for entry in content[kind]
            ]
            for name, file, entry in entries:
                way = [f"results/{file}", *way_to_kernel(entry["function"])]
                print("\n  ".join([f"{study}, {name}: {len(way)} files", *way]))


if __name__ == "__main__":
    show_ways(HOME, sys.argv[1:])
