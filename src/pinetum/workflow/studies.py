"""The list of studies: one entry each.

Targets, configuration schema, report, documentation and tests derive from it.

What a study leaves behind (records, tables, figures, choices) and the schema of its section stand
in `config/studies/<name>.yaml`.
"""

from dataclasses import dataclass, field
from pathlib import Path

from pinetum.workflow.computed import sentences
from pinetum.workflow.config import check_yaml, load_yaml, merged


@dataclass(frozen=True)
class Study:
    """One study.

    Its name is that of its target, rules, package, scripts, configuration section, results and
    tests.
    """

    title: str
    paper: str
    about: str  # one line for lists of targets
    stands_on: tuple[str, ...] = ()  # studies whose kernels it calls
    own: bool = True  # it runs on tables of one's own: results/own/<table>/<name>.csv
    compiles: int = 0  # CPU seconds, about, that its kernels take to compile
    # NUMBA_OPT while they are compiled; 3, numba's own, where less makes them slower or might
    optimise: int = 1
    shards: dict[str, str] = field(
        default_factory=dict
    )  # what its long searches are split by: name -> meaning


STUDIES = {
    "distinct": Study(
        title="Enumerating Distinct Decision Trees (Ruggieri 2017), the enumeration",
        paper="S. Ruggieri, ICML 2017",
        about="all and only the distinct trees over feature subsets; the best subset, proved",
        compiles=45,
        optimise=3,
        shards={
            "distinct": "enumeration over sub-lattices",
            "search_errors": "complete searches of Figure 4",
        },
    ),
    "elimination": Study(
        title="Enumerating Distinct Decision Trees (Ruggieri 2017): backward elimination",
        paper="S. Ruggieri, ICML 2017, sections 5 and 6",
        about=(
            "backward elimination of features with the selection of the black box, many times"
            " faster"
        ),
        compiles=22,
        stands_on=("distinct",),
        shards={
            "eliminations": "backward eliminations",
            "optima": "complete searches beside the eliminations",
        },
    ),
    "pruning": Study(
        title=(
            "Improving Decision Tree Pruning through Automatic Programming (Hansen and Olsson 2007)"
        ),
        paper="S.-E. Hansen and R. Olsson, NIK 2007",
        about="pruning functions compared, and found by program search",
        compiles=14,
        optimise=3,
        shards={"pruning_networks": "generated data sets"},
    ),
    "nbdt": Study(
        title="Fixed-depth trees, optimal under Naive Bayes",
        paper="A. Farhangfar, R. Greiner and M. Zinkevich, 2008",
        about="fixed-depth trees that are optimal under Naive Bayes",
        compiles=45,
    ),
    "greedy_dp": Study(
        title="Greedy heuristics against exact minima (Alkhalid, Chikalov and Moshkov 2011)",
        paper="A. Alkhalid, I. Chikalov and M. Moshkov, 2011",
        about="sixteen greedy heuristics against exact minima of five costs",
        compiles=24,
        shards={"greedy_dp": "random decision tables"},
    ),
    "separators": Study(
        title="Feature Minimization within Decision Trees (Bredensteiner and Bennett 1996)",
        paper="E. J. Bredensteiner and K. P. Bennett, 1996",
        about="linear decisions with as few features as possible",
    ),
}

# All that has kernels: the studies, and the growers on which they stand.
PARTS = {
    "induction": Study(
        title="Tree induction",
        paper="",
        about="the growers that all studies share",
        own=False,
        compiles=17,
    ),
    **STUDIES,
}


def load_contents(home: Path, *, checked=True) -> dict[str, dict]:
    """What every study leaves behind, with its title, paper and what computed its numbers."""
    contents = {}
    for name, study in STUDIES.items():
        path = home / f"config/studies/{name}.yaml"
        if checked:
            check_yaml(path, home / "config/schemas/study.yaml")
        entry = load_yaml(str(path))
        entry = {key: part for key, part in entry.items() if key not in ("schema", "$defs")}
        summaries = entry.setdefault("summaries", {})
        made = [record for record in summaries if record != "reproduced"]
        entry["records"] = entry["records"] + made
        head = {"title": study.title, "paper": study.paper}
        contents[name] = head | entry | {"computed": sentences(home, name, entry)}
    return contents


def load_papers(home: Path, *, checked=True) -> dict[str, dict]:
    """name -> what `config/published/<name>.yaml` says of a paper, in the order of the studies."""
    papers = {}
    for name in STUDIES:
        path = home / f"config/published/{name}.yaml"
        if path.exists():  # a second study of a paper has none of its own
            if checked:
                check_yaml(path, home / "config/schemas/paper.yaml")
            papers[name] = load_yaml(str(path))
    return papers


def complete_schema(schema: dict) -> dict:
    """The schema of the whole configuration: `config.yaml` in the folder of schemas, a section and
    the shards of every study.
    """
    shards = {name: about for study in STUDIES.values() for name, about in study.shards.items()}
    properties = dict(schema["properties"])
    properties["shards"] = properties["shards"] | {
        "required": list(shards),
        "properties": {
            name: {"$ref": "#/$defs/shards", "description": about} for name, about in shards.items()
        },
    }
    for name in STUDIES:
        properties[name] = {"$ref": f"../studies/{name}.yaml#/schema"}
    return schema | {"required": [*schema["required"], *STUDIES], "properties": properties}


def with_overrides(schema: dict) -> dict:
    """The complete schema with, in every entry of `tables`, the keys of each study's `own` and of
    `methods`.
    """
    sections = schema["properties"]
    entry = sections["tables"]["additionalProperties"]
    changed = {name: sections[name]["properties"].get("own") for name in STUDIES} | {
        "methods": sections["methods"]
    }
    for name, own in changed.items():
        if own is not None:
            about = (
                f"single keys of `{name if name == 'methods' else f'{name}.own'}`, for this table"
                " alone"
            )
            kept = {key: value for key, value in own.items() if key != "required"}
            entry["properties"][name] = kept | {
                "description": about,
                "$comment": "described in its section",
            }
    return schema


def own_settings(config: dict, table: str, section: str) -> dict:
    """What is done with a table of one's own: the section's defaults, with what the table's entry
    changes of them.
    """
    default = config["methods"] if section == "methods" else config[section]["own"]
    return merged(default, config["tables"][table].get(section, {}))


def reading_options(entry: dict) -> dict:
    """What an entry of `tables` says on how the file is read."""
    return {key: value for key, value in entry.items() if key not in STUDIES and key != "methods"}
