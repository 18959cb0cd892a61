"""From a table or figure to its code: the rule, the script and the function that computed its
numbers.

Rule file and script are read off the rules themselves. `config/contents/<study>.yaml` names rule
and function; `config/studies/<study>.yaml` names records, whose rule has a script of one function.
The jobs of such a study write that function into their records, as `measured_by`, and what is made
of the records says it after them.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pinetum.sources import PACKAGE, files_of, read

RULE = re.compile(r"^(?:rule|checkpoint) (\w+):\n((?:[ \t]+.*\n|\n)+)", re.MULTILINE)
SCRIPT = re.compile(r'^    script:\s+"\.\./([^"]+)"', re.MULTILINE)
OUTPUT = re.compile(r"^    output:\n((?:        .*\n)+)", re.MULTILINE)
RUN = re.compile(r"^    from (pinetum[\w.]*) import \w+\n+    run\((\w+)\)", re.MULTILINE)
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
    output: str = ""


@cache
def rules_of(home: Path) -> dict[str, Rule]:
    """Every rule with a name of its own, read off the rule files."""
    rules = {}
    for path in sorted((home / "rules").glob("*.smk")):
        for name, body in RULE.findall(path.read_text(encoding="utf-8")):
            found = (part.search(body) for part in (SCRIPT, ABOUT, OUTPUT))
            rules[name] = Rule(
                name, f"rules/{path.name}", *(one[1] if one else "" for one in found)
            )
    return rules


def computed_line(home: Path, entry: dict) -> str:
    """The sentence under a table or figure."""
    rule = rules_of(home)[entry["rule"]]
    return f"Computed by {entry['function']}: rule {rule.name} ({rule.file}), script {rule.script}"


@cache
def measured_by(home: Path, study: str, record: str) -> str:
    """The function that measures a record of a study, or a shard of it: that of its rule's
    script.
    """
    files = [f'"results/{study}/{record}{shard}.csv"' for shard in ("", "/{scatteritem}")]
    for rule in rules_of(home).values():
        if any(file in rule.output for file in files):
            found = RUN.search((home / rule.script).read_text(encoding="utf-8"))
            if found:
                return f"{found[1]}.{found[2]}"
    raise ValueError(f"no rule with a script of one function makes results/{study}/{record}.csv")


def sentence(home: Path, functions) -> str:
    """The sentence under what is made of the records that these functions measured."""
    parts = []
    for function in functions:
        rule = rules_of(home)[function.rsplit(".", 1)[1]]
        parts.append(f"{function}: rule {rule.name} ({rule.file}), script {rule.script}")
    return f"Computed by {'; '.join(parts)}" if parts else ""


def measured(content: dict, names) -> list[str]:
    """The measured records among these, and those that the summaries among them are made of."""
    found: list[str] = []
    for name in names:
        made_of = content.get("summaries", {}).get(name)
        found += measured(content, made_of) if made_of else [name]
    return list(dict.fromkeys(found))


def sentences(home: Path, study: str, content: dict) -> dict[str, dict[str, str]]:
    """The sentences of a study of `config/studies`, as `computed_lines` gives those of others."""

    def of(names):
        functions = (measured_by(home, study, name) for name in measured(content, names))
        return sentence(home, dict.fromkeys(functions))

    return {
        "published": {item: of(names) for item, names in content.get("published", {}).items()},
        **{
            kind: {entry["name"]: of(entry["from"]) for entry in content[kind]}
            for kind in ("tables", "figures")
        },
    }


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
