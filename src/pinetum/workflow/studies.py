"""The list of studies: one entry each; targets, configuration schema, report, documentation and tests derive from it.

What a study leaves behind (records, tables, figures, choices) stands in `config/contents/<name>.yaml`.
"""

from dataclasses import dataclass, field
from pathlib import Path

from pinetum.workflow.computed import computed_lines
from pinetum.workflow.config import check_yaml, load_yaml, merged


@dataclass(frozen=True)
class Study:
    """One study. Its name is that of its target, rules, package, scripts, configuration section, results and tests."""

    title: str
    paper: str
    about: str  # one line for lists of targets
    subject: str = ""  # what the paper is about, as a newspaper would put it
    stands_on: tuple[str, ...] = ()  # studies whose kernels it calls
    core: bool = False  # it shows a part of the core and has no paper of its own
    own: bool = True  # it runs on tables of one's own: results/own/<table>/<name>.csv
    compiles: int = 0  # CPU seconds, about, that its kernels take to compile
    shards: dict[str, str] = field(default_factory=dict)  # what its long searches are split by: name -> meaning


STUDIES = {
    "induction": Study(
        title="Tree induction",
        paper="The growers that the studies and users share",
        about="the growers that all studies share: size, error and speed of trees",
        compiles=15,
        core=True,
    ),
    "distinct": Study(
        title="Enumerating Distinct Decision Trees (Ruggieri 2017), the enumeration",
        paper="S. Ruggieri, ICML 2017",
        about="all and only the distinct trees over feature subsets; the best subset, proved",
        subject="Listing every different decision tree without building the same one twice",
        compiles=24,
        shards={"distinct": "enumeration over sub-lattices", "search_errors": "complete searches of Figure 4"},
    ),
    "elimination": Study(
        title="Enumerating Distinct Decision Trees (Ruggieri 2017): backward elimination",
        paper="S. Ruggieri, ICML 2017, sections 5 and 6",
        about="backward elimination of features with the selection of the black box, many times faster",
        subject="Dropping features one by one, up to a hundred times faster",
        compiles=24,
        stands_on=("distinct",),
        shards={"eliminations": "backward eliminations", "optima": "complete searches beside the eliminations"},
    ),
    "pruning": Study(
        title="Improving Decision Tree Pruning through Automatic Programming (Hansen and Olsson 2007)",
        paper="S.-E. Hansen and R. Olsson, NIK 2007",
        about="pruning functions compared, and found by program search",
        subject="Pruning decision trees with a rule that a program invented",
        compiles=15,
        shards={"pruning_networks": "generated data sets"},
    ),
    "nbdt": Study(
        title="Fixed-depth trees, optimal under Naive Bayes",
        paper="A. Farhangfar, R. Greiner and M. Zinkevich, 2008",
        about="fixed-depth trees that are optimal under Naive Bayes",
        subject="Shallow trees that are the best of their depth, found in a fraction of the time",
        compiles=15,
    ),
    "greedy_dp": Study(
        title="Greedy heuristics against exact minima (Alkhalid, Chikalov and Moshkov 2011)",
        paper="A. Alkhalid, I. Chikalov and M. Moshkov, 2011",
        about="sixteen greedy heuristics against exact minima of five costs",
        subject="How far greedy decision trees fall short of the best ones",
        compiles=11,
        shards={"greedy_dp": "random decision tables"},
    ),
    "separators": Study(
        title="Feature Minimization within Decision Trees (Bredensteiner and Bennett 1996)",
        paper="E. J. Bredensteiner and K. P. Bennett, 1996",
        about="linear decisions with as few features as possible",
        subject="Telling two groups apart with one plane and few measurements",
    ),
}


def load_contents(home: Path, *, checked=True) -> dict[str, dict]:
    """What every study leaves behind, from `config/contents`, with its title, paper and what computed its numbers."""
    contents = {}
    for name, study in STUDIES.items():
        path = home / f"config/contents/{name}.yaml"
        if checked:
            check_yaml(path, home / "config/schemas/contents.yaml")
        entry = load_yaml(str(path))
        head = {"title": study.title, "paper": study.paper, "subject": study.subject}
        contents[name] = head | entry | {"computed": computed_lines(home, entry)}
    return contents


def complete_schema(schema: dict) -> dict:
    """The schema of the whole configuration: `config.yaml`, a section and the shards of every study, and `peers`."""
    shards = {name: about for study in STUDIES.values() for name, about in study.shards.items()}
    properties = dict(schema["properties"])
    properties["shards"] = properties["shards"] | {
        "required": list(shards),
        "properties": {name: {"$ref": "#/$defs/shards", "description": about} for name, about in shards.items()},
    }
    properties |= {name: {"$ref": f"{name}.yaml"} for name in (*STUDIES, "peers")}
    return schema | {"required": [*schema["required"], *STUDIES], "properties": properties}


def with_overrides(schema: dict) -> dict:
    """The complete schema with, in every entry of `tables`, the keys of each study's `own` and of `methods`."""
    sections = schema["properties"]
    entry = sections["tables"]["additionalProperties"]
    changed = {name: sections[name]["properties"].get("own") for name in STUDIES} | {"methods": sections["methods"]}
    for name, own in changed.items():
        if own is not None:
            about = f"single keys of `{name if name == 'methods' else f'{name}.own'}`, for this table alone"
            kept = {key: value for key, value in own.items() if key != "required"}
            entry["properties"][name] = kept | {"description": about, "$comment": "described in its section"}
    return schema


def own_settings(config: dict, table: str, section: str) -> dict:
    """What is done with a table of one's own: the section's defaults, with what the table's entry changes of them."""
    default = config["methods"] if section == "methods" else config[section]["own"]
    return merged(default, config["tables"][table].get(section, {}))


def reading_options(entry: dict) -> dict:
    """What an entry of `tables` says on how the file is read."""
    return {key: value for key, value in entry.items() if key not in STUDIES and key != "methods"}
