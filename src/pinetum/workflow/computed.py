"""From a table or figure to its code: the rule, the script and the function that computed its
numbers.

`config/contents/<study>.yaml` names rule and function; rule file and script are read off the rules
themselves.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pinetum.sources import PACKAGE, files_of, read

RULE = re.compile(r"^(?:rule|checkpoint) (\w+):\n((?:[ \t]+.*\n|\n)+)", re.MULTILINE)
SCRIPT = re.compile(r'^    script:\s+"\.\./([^"]+)"', re.MULTILINE)
ABOUT = re.compile(r'\A    """(.+?)"""', re.DOTALL)


@dataclass(frozen=True)
class Rule:
    """A rule by its name: the rule file and the script, from the project's folder, and what it is
    about.
    """

    name: str
    file: str
    script: str
    about: str


@cache
def rules_of(home: Path) -> dict[str, Rule]:
    """Every rule with a name of its own, read off the rule files."""
    rules = {}
    for path in sorted((home / "rules").glob("*.smk")):
        for name, body in RULE.findall(path.read_text(encoding="utf-8")):
            script, about = SCRIPT.search(body), ABOUT.search(body)
            rules[name] = Rule(
                name, f"rules/{path.name}", script[1] if script else "", about[1] if about else ""
            )
    return rules


def computed_line(home: Path, entry: dict) -> str:
    """The sentence under a table or figure."""
    rule = rules_of(home)[entry["rule"]]
    return f"Computed by {entry['function']}: rule {rule.name} ({rule.file}), script {rule.script}"


def computed_lines(home: Path, content: dict) -> dict[str, dict[str, str]]:
    """The sentences of a study: `published` by item, `tables` and `figures` by name."""
    return {
        "published": {
            item: computed_line(home, entry) for item, entry in content.get("published", {}).items()
        },
        **{
            kind: {
                entry["name"]: computed_line(home, entry["computed_by"]) for entry in content[kind]
            }
            for kind in ("tables", "figures")
        },
    }


def way_to_kernel(function: str) -> list[str]:
    """Files from a function to the kernel that is most imports away, each by its shortest way, from
    the package on.
    """
    start = files_of(function.rsplit(".", 1)[0])[-1]
    before: dict[Path, Path] = {}
    files = [start]
    for file in files:
        for other in sorted(read(file)[1] - {start, *before}):
            upwards = file.parent.name == "kernels" != other.parent.name
            if other.name != "__init__.py" and not upwards:
                before[other] = file
                files.append(other)
    way = [next((file for file in reversed(files) if file.parent.name == "kernels"), start)]
    while way[0] != start:
        way.insert(0, before[way[0]])
    return [path.relative_to(PACKAGE).as_posix() for path in way]
