"""From a table or figure to its code: the rule, the script and the function that computed its
numbers.

Rule file and script are read off the rules themselves. `config/studies/<study>.yaml` names records,
whose rule has a script of one function. Jobs write that function into their records, as
`measured_by`, and what is made of the records says it after them.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

RULE = re.compile(r"^(?:rule|checkpoint) (\w+):\n((?:[ \t]+.*\n|\n)+)", re.MULTILINE)
SCRIPT = re.compile(r'^    script:\s+"\.\./([^"]+)"', re.MULTILINE)
OUTPUT = re.compile(r"^    output:\n((?:        .*\n)+)", re.MULTILINE)
RUN = re.compile(r"^    from (pinetum[\w.]*) import \w+\n+    run\((\w+)\)", re.MULTILINE)
ABOUT = re.compile(r'\A    """(.+?)"""', re.DOTALL)
PARTS = ("/{scatteritem}", "/{dataset}")  # of a record that several jobs measure


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


@cache
def measured_by(home: Path, study: str, record: str) -> str:
    """The function that measures a record of a study, or a part of it: that of its rule's
    script.
    """
    files = [f'"results/{study}/{record}{part}.csv"' for part in ("", *PARTS)]
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
    """The sentences of a study: `published` by item, `tables` and `figures` by name."""

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
