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
    subject: str = ""  # what the paper is about, as a newspaper would put it
    # ((item, row, column), what a newspaper prints if ours agrees with that number, what if not)
    news: tuple = ()
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
        subject="Listing every different decision tree without building the same one twice",
        news=(
            ("Section 4.2", "Adult", "ascending order builds least"),
            "All the different decision trees of a table can be listed with hardly one built twice",
            (
                "All the different decision trees of a table can be listed, but not in the order"
                " that the paper found best"
            ),
        ),
        compiles=29,
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
        subject="Dropping features one by one, up to a hundred times faster",
        news=(
            ("Section 6 text", "Table 1", "PSBE faster than SBE on every data set"),
            (
                "Features can be dropped one by one in less time on every data set, with the same"
                " choice"
            ),
            (
                "Features can be dropped one by one in less time on some data sets only, with the"
                " same choice"
            ),
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
        subject="Pruning decision trees with a rule that a program invented",
        news=(
            ("Text", "synthetic data", "SYNTH best in total"),
            (
                "A rule that a program invented prunes trees best, once a number is added that the"
                " paper does not print"
            ),
            (
                "A rule that a program invented does not prune trees best, even with a number added"
                " to it"
            ),
        ),
        compiles=14,
        optimise=3,
        shards={"pruning_networks": "generated data sets"},
    ),
    "nbdt": Study(
        title="Fixed-depth trees, optimal under Naive Bayes",
        paper="A. Farhangfar, R. Greiner and M. Zinkevich, 2008",
        about="fixed-depth trees that are optimal under Naive Bayes",
        subject="Shallow trees that are the best of their depth, found in a fraction of the time",
        news=(
            ("Order of the averages", "all OPTNBDTs", "below 3-ID3"),
            "Shallow trees on a naive assumption err less than the classic ones of the same depth",
            (
                "Shallow trees on a naive assumption get better with depth, but no better than"
                " classic ones"
            ),
        ),
        compiles=45,
    ),
    "greedy_dp": Study(
        title="Greedy heuristics against exact minima (Alkhalid, Chikalov and Moshkov 2011)",
        paper="A. Alkhalid, I. Chikalov and M. Moshkov, 2011",
        about="sixteen greedy heuristics against exact minima of five costs",
        subject="How far greedy decision trees fall short of the best ones",
        news=(
            ("Table 5", "h_av", "first"),
            (
                "Of sixteen rules of thumb the same one comes nearest to the best trees, on tables"
                " drawn anew"
            ),
            (
                "Of sixteen rules of thumb another one comes nearest to the best trees than the"
                " paper found"
            ),
        ),
        compiles=24,
        shards={"greedy_dp": "random decision tables"},
    ),
    "separators": Study(
        title="Feature Minimization within Decision Trees (Bredensteiner and Bennett 1996)",
        paper="E. J. Bredensteiner and K. P. Bennett, 1996",
        about="linear decisions with as few features as possible",
        subject="Telling two groups apart with one plane and few measurements",
        news=(
            ("Statements", "all data sets", "FM errors similar to RLP and RLP-P"),
            "Two groups can be told apart with half of the measurements and about as few errors",
            "Two groups can be told apart with half of the measurements, but with more errors",
        ),
    ),
}

# All that has kernels, a section of the configuration and an answer for tables of one's own: the
# studies, and the growers on which they stand.
PARTS = {
    "induction": Study(
        title="Tree induction",
        paper="",
        about="the growers that all studies share",
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
        head = {
            "title": study.title,
            "paper": study.paper,
            "subject": study.subject,
            "news": study.news,
        }
        contents[name] = head | entry | {"computed": sentences(home, name, entry)}
    return contents


def complete_schema(schema: dict) -> dict:
    """The schema of the whole configuration: `config.yaml` in the folder of schemas, a section and
    the shards of every part.
    """
    shards = {name: about for study in STUDIES.values() for name, about in study.shards.items()}
    properties = dict(schema["properties"])
    properties["shards"] = properties["shards"] | {
        "required": list(shards),
        "properties": {
            name: {"$ref": "#/$defs/shards", "description": about} for name, about in shards.items()
        },
    }
    for name in PARTS:
        place = f"../studies/{name}.yaml#/schema" if name in STUDIES else f"{name}.yaml"
        properties[name] = {"$ref": place}
    return schema | {"required": [*schema["required"], *PARTS], "properties": properties}


def with_overrides(schema: dict) -> dict:
    """The complete schema with, in every entry of `tables`, the keys of each study's `own` and of
    `methods`.
    """
    sections = schema["properties"]
    entry = sections["tables"]["additionalProperties"]
    changed = {name: sections[name]["properties"].get("own") for name in PARTS} | {
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
    return {key: value for key, value in entry.items() if key not in PARTS and key != "methods"}
