"""Helpers of the rule files; the rules themselves live in the other files."""

import os
import sys
from pathlib import Path

# Behind all others, so that an installed package wins: rules can be read where only Snakemake is installed.
sys.path.append(str(Path(str(workflow.current_basedir)).parent / "src"))

from pinetum import __version__
from pinetum.files import HOME, PACKAGE
from pinetum.report.names import column_of, slug
from pinetum.sources import code_digest, kernel_digest
from pinetum.workflow.config import (
    ConfigError,
    check_tables,
    check_yaml,
    complete_config,
    load_yaml,
)
from pinetum.workflow.studies import (
    PARTS,
    STUDIES,
    load_contents,
    load_papers,
    own_settings,
    reading_options,
)
from pinetum.workflow.warned import list_warnings

# Folder of this workflow's own files: above this one, or, where it was fetched from afar, those of the installed package.
HERE = Path(str(workflow.current_basedir)).resolve().parent
if not (HERE / "rules/common.smk").is_file():
    HERE = HOME
    fetched = Path(workflow.source_path("../src/pinetum/__init__.py")).read_text(encoding="utf-8")
    if f'__version__ = "{__version__}"' not in fetched:
        raise WorkflowError(
            f"the fetched workflow is not of the installed version: fetch the tag v{__version__}"
        )
MAIN = Path(workflow.basedir).resolve() in (
    HERE,
    HERE / "workflow",
)  # and not a module of another workflow


def source_file(name):
    """A file of this workflow as an input, whatever folder it runs in and whatever prefix its results have."""
    path = HERE / name
    return local(str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path))


def present(sources):
    return {name: source for name, source in sources.items() if source is not None}


CATALOGUE = load_yaml(str(HERE / "config/catalogue.yaml"))
if workflow.is_main_process and CATALOGUE != load_yaml(str(HOME / "config/catalogue.yaml")):
    raise WorkflowError(
        f"{HERE} and the installed package ({HOME}) differ in age: pip install --editable {HERE}"
    )

# The defaults and a file of one's own in the working directory, upon which lies what `config` holds already: the command
# line's files and settings, or what another workflow gives its module.
DEFAULTS, OWN = [HERE / "config/config.yaml"], Path("config/config.yaml").resolve()
if MAIN and OWN.is_file() and OWN not in DEFAULTS:
    DEFAULTS.append(OWN)
FILES = [*DEFAULTS, *workflow.configfiles]

try:
    known = [*CATALOGUE["datasets"], *CATALOGUE["views"]]
    config.update(complete_config(config, DEFAULTS, HERE / "config/schemas", FILES, known))
    CONTENTS = load_contents(HERE, checked=workflow.is_main_process)
    PAPERS = load_papers(HERE, checked=workflow.is_main_process)
    if workflow.is_main_process:  # once is enough: every job reads this file again
        check_yaml(HERE / "config/catalogue.yaml", HERE / "config/schemas/catalogue.yaml")
        check_tables(config, CATALOGUE, FILES)
except ConfigError as fault:
    raise WorkflowError(f"\n{fault}") from None


# A file that overrides config.yaml takes a data set out of a mapping by setting it to null.
for sources in ("datasets", "standins"):
    config["separators"][sources] = present(config["separators"][sources])
if not config["separators"]["datasets"]:
    raise WorkflowError("separators.datasets: every data set is null; leave one in")
config["separators"]["trees"]["several_classes"] = present(
    config["separators"]["trees"]["several_classes"]
)


# Parts of the long searches; their number changes nothing but the time. On the command line: --set-scatter optima=32
scattergather:
    **config["shards"],


TABLES = config["tables"]
USUAL = load_yaml(str(HERE / "config/config.yaml"))  # what a run does that is told nothing else
OWN_STUDIES = [name for name, part in PARTS.items() if part.own]


wildcard_constraints:
    dataset="[A-Za-z0-9_-]+",
    study="|".join(PARTS),
    table="[A-Za-z0-9_-]+",


def code_of(*modules):
    """Digest of modules, of all that they import and of the harness, for `params`: an edit re-runs what stands on them."""
    return code_digest("pinetum.workflow.job", *(f"pinetum.{module}" for module in modules))


def settings(study, *keys, part="measure"):
    """Settings of a job, for `params`: these keys of the study's section, the seed, and `code`, a digest of what the job
    stands on: that part of the study's replication, the harness, and the views that the settings name.
    """
    chosen = only(config[study], *keys)
    return chosen | {"seed": config["seed"], "code": basis(study, part, chosen)}


def basis(study, part, chosen):
    """What a job stands on beside its settings, for `params`: a digest of its code, and the views that they name."""
    views, pending = [], [chosen]
    while pending:
        value = pending.pop()
        if isinstance(value, (dict, list)):
            pending += value.values() if isinstance(value, dict) else value
        elif isinstance(value, str):
            views += views_of([value])
    return [code_of(f"{study}.replication.{part}"), views]


def stage(study, part, *contents):
    """`params` of a stage of all studies: its settings, these parts of what the study leaves behind, its code."""
    return {
        "settings": only(config[study], *CONTENTS[study].get("settings", [])),
        "contents": only(CONTENTS[study], *contents),
        "changed": changed_in(study),
        "code": code_of(f"{study}.replication.{part}", "report.stages"),
    }


def changed_in(*studies):
    """Keys of the studies whose values are not the usual ones, as tables and pages of such a run say; for `params`."""
    return [
        f"{study}.{key}"
        for study in studies
        for key, value in config[study].items()
        if key != "own" and value != present_in(USUAL[study].get(key))
    ]


def present_in(value):
    """A mapping without the data sets that are null, at any depth; another value as it is."""
    if not isinstance(value, dict):
        return value
    return {key: present_in(item) for key, item in value.items() if item is not None}


def kernels_of(study):
    """Digest of all kernels that a study can reach, for `params`: an edit of one compiles the study's kernels again."""
    return kernel_digest(PACKAGE / study / "warm.py")


def compiled(*studies):
    """Says that the studies' kernels are in the cache. Not `ancient`: that flag makes Snakemake 9.27 end a run early."""
    return [f"results/kernels/{study}.json" for study in studies]


def encoded(names):
    """Files of the data sets (or of the data sets that views look at), for `input`."""
    views = CATALOGUE.get("views", {})
    bases = [views.get(name, {}).get("of", name) for name in names]
    return [f"results/data/{base}.npz" for base in dict.fromkeys(bases)]


def views_of(names):
    """The definitions of the views among `names`, for `params`: a changed view re-runs the jobs that look through it."""
    return [CATALOGUE["views"][name] for name in names if name in CATALOGUE.get("views", {})]


def only(section, *keys):
    """The part of a section that a study depends on, for `params`; changing the rest repeats nothing."""
    return {key: section[key] for key in keys}


def used_datasets(*studies):
    """Data sets that the sections of studies (all studies) name, directly or through a view, in the catalogue's order."""
    if not config["paper_studies"]:
        return []
    views, found, pending = (
        CATALOGUE.get("views", {}),
        set(),
        [config[study] for study in studies or STUDIES],
    )
    while pending:
        value = pending.pop()
        # An empty list leaves a data set out; two of `elimination` pick among its `datasets`.
        if isinstance(value, dict):
            value = {
                key: item
                for key, item in value.items()
                if item and key not in ("black_box", "optimal")
            }
        if isinstance(value, str):
            found.add(views.get(value, {}).get("of", value))
        elif isinstance(value, (list, dict)):
            pending += value
            if isinstance(value, dict):
                pending += value.values()
    return [name for name in CATALOGUE["datasets"] if name in found]


def sources_of(names):
    """Records that say which source served each of these data sets."""
    return [f"results/data/sources/{name}.csv" for name in names]


def names_of(names):
    """What tables call each of these data sets: by its own name, by a view's, or as a paper prints it."""
    of = {
        name: [view for view, options in CATALOGUE["views"].items() if options["of"] == name]
        for name in names
    }
    printed = [content.get("printed", {}) for content in CONTENTS.values()]
    return {
        name: [name, *of[name], *(label for part in printed for label in part.get(name, []))]
        for name in names
    }


def archives_of(dataset):
    """Archives of the package index that a data set may come from."""
    sources = [source.get("package") for source in CATALOGUE["datasets"][dataset]["sources"]]
    return {
        source["archive"]: CATALOGUE["archives"][source["archive"]] for source in sources if source
    }


def size_of(dataset):
    """Megabytes that reading a data set of the catalogue takes: about 25 bytes a cell at the peak."""
    shape = CATALOGUE["datasets"][dataset]["shape"]
    return 800 + shape["cases"] * shape["features"] * 25 // 1_000_000


def memory(megabytes):
    """Memory that grows with the attempt, for `resources`."""
    return lambda wildcards, attempt: attempt * megabytes


def settings_own(section):
    """What a study does with a table of one's own, for `params`."""
    return lambda wildcards: own_settings(config, wildcards.table, section)


def exploring_own(study):
    """Settings of a study's `explore`: those for the table, and what else of the study's section it stands on."""
    more = only(config[study], *CONTENTS[study]["own"].get("settings", []))
    return lambda wildcards: more | own_settings(config, wildcards.table, study)


def memory_own(section):
    """Memory of a job for a table of one's own: what its settings state, and the table itself; for `resources`."""

    def megabytes(wildcards, input, attempt):
        return int(
            attempt
            * (own_settings(config, wildcards.table, section)["memory_mb"] + 20 * input.size_mb)
        )

    return megabytes


def changed_own(wildcards):
    """What is done otherwise than usual with a table of one's own, for its page; for `params`."""
    return ", ".join(
        f"{section}.{key} = {value}"
        for section in ("methods", *STUDIES)
        for key, value in own_settings(config, wildcards.table, section).items()
        if value
        != own_settings(USUAL | {"tables": {wildcards.table: {}}}, wildcards.table, section)[key]
    )


def own_shards(study, name):
    """Files of this name of the shards of a table's search; none where one job does it all; for `input`."""

    def files(wildcards):
        shards = own_settings(config, wildcards.table, study)["shards"]
        names = [name.format(shard=shard) for shard in range(shards)] if shards > 1 else []
        return [f"results/own/{wildcards.table}/shards/{name}" for name in dict.fromkeys(names)]

    return files


def minutes(number):
    """Run time that grows with the attempt, for `resources`."""
    return lambda wildcards, attempt: attempt * number


def minutes_for(millions):
    """Run time of searches limited to so many million steps, at 30 million a second, and half an hour for the rest."""
    return minutes(30 + int(millions) // 1800)


def exploration_of(dataset):
    """What the enumerations, the best subsets and the near-optimal trees of a data set depend on, for `params`."""
    study = config["distinct"]
    runs, best, near = study["enumeration"], study["optimum"], study["rashomon"]
    return only(study, "cache_mb") | {
        "enumeration": only(runs, "probes")
        | {
            "min_cases": runs["min_cases"].get(dataset, []),
            "work": runs.get("work_of", {}).get(dataset, runs["work"]),
        },
        "optimum": only(best, "work")
        | {"min_cases": best["min_cases"] if dataset in best["datasets"] else []},
        "rashomon": only(near, "work")
        | {"min_cases": near["min_cases"] if dataset in near["datasets"] else []},
    }


def exploring(dataset):
    """Million steps that the exploration of a data set may take."""
    plan = exploration_of(dataset)
    runs = plan["enumeration"]
    # At the smallest m the limit ends a run; those at larger m take a part of it.
    return 2 * runs["work"] * bool(runs["min_cases"]) + sum(
        len(plan[part]["min_cases"]) * plan[part]["work"] for part in ("optimum", "rashomon")
    )


def searching():
    """Million steps that the complete searches beside the backward elimination may take."""
    study = config["elimination"]
    curve = study["curve"]
    folds = len(curve["rows"]) * len(curve["min_cases"]) * curve["optimal_folds"]
    return (
        sum(plan["folds"] * plan["work"] for plan in study["optimal"].values())
        + folds * curve["optimal_work"]
    )


def reading_datasets():
    """Data sets on which other readings of backward elimination run."""
    readings = config["elimination"]["readings"]
    return [*readings["datasets"], *readings["top"]]


def published_files(study):
    name = f"config/published/{study}.csv"
    return [source_file(name)] if (HERE / name).exists() else []


def reproduced_files(study):
    return [f"results/{study}/reproduced.csv" for file in published_files(study)]


def compared_files(study):
    """The study's rows of results/comparison.csv."""
    return [f"results/{study}/compared.csv" for file in published_files(study)]


def records_of(study, *kinds):
    """Records that the summaries, tables or figures of a study are made of."""
    content, names = CONTENTS[study], []
    for kind in kinds:
        entries = content[kind]
        made_of = entries.values() if kind == "summaries" else [entry["from"] for entry in entries]
        names += [name for part in made_of for name in part]
    if "summaries" in kinds:  # they are made there
        names = [name for name in names if name not in content["summaries"]]
    return [f"results/{study}/{name}.csv" for name in dict.fromkeys(names)]


def readings_files(study):
    """The study's table of readings, if it makes one."""
    made = "readings" in CONTENTS[study]["records"]
    return [f"results/{study}/readings.csv"] if made else []


def published_tables(study):
    """One file per table of the paper, named by its item."""
    items = dict.fromkeys(
        item for file in published_files(study) for item in column_of(file, "item")
    )
    return [
        f"results/tables/{study}/{slug(item)}.{kind}"
        for item in items
        for kind in ("csv", "md", "tex")
    ]


def shown_tables(study):
    return [table for table in published_tables(study) if table.endswith(".csv")] + extra_tables(
        study
    )


def extra_tables(study):
    return [f"results/tables/{study}/{entry['name']}.csv" for entry in CONTENTS[study]["tables"]]


def figures_of(study):
    return [f"results/figures/{study}/{entry['name']}.png" for entry in CONTENTS[study]["figures"]]


def vector_forms(*pngs):
    """The other forms of these figures, the same for all."""
    return [f"{png[:-4]}.{kind}" for png in pngs for kind in config["report"]["vector_forms"]]


def caption_of(path):
    """results/figures/nbdt/figure_2.png -> results/report/captions/nbdt/figures/figure_2.rst"""
    kind, study, name = Path(path).with_suffix(".rst").parts[-3:]
    return f"results/report/captions/{study}/{kind}/{name}"


def captions_of(study):
    return [caption_of(path) for path in shown_tables(study) + figures_of(study)]


def shown(path):
    """An output that Snakemake's own report shows, with the caption that `tabulate_{study}` writes."""
    kind, study, name = Path(path).with_suffix("").parts[-3:]
    # Where another workflow uses this one under a prefix, the captions lie there too.
    prefix = str(rules.report_availability.output.table).removesuffix(
        "results/data/availability.csv"
    )
    caption, labels = Path(prefix + caption_of(path)).absolute(), {
        kind[:-1]: name.replace("_", " ")
    }
    return report(path, caption=str(caption), category=study, subcategory=kind, labels=labels)


def shown_own(path):
    """An output about one of the user's own tables, in Snakemake's own report under that table."""
    caption, labels = str(HERE / "config/contents/own.rst"), {"file": Path(path).name}
    return report(
        path, caption=caption, category="own tables", subcategory="{table}", labels=labels
    )


def products_of(*studies):
    """What the target of a study asks for: records, tables and figures of the paper's study, then the users' tables."""
    wanted = []
    for study in studies:
        if config["paper_studies"]:
            wanted += [f"results/{study}/{name}.csv" for name in CONTENTS[study]["records"]]
            wanted += (
                reproduced_files(study)
                + published_tables(study)
                + extra_tables(study)
                + figures_of(study)
            )
            wanted += captions_of(study)
            wanted += [
                f"{table[:-4]}.{kind}" for table in extra_tables(study) for kind in ("md", "tex")
            ]
        if STUDIES[study].own:
            wanted += [f"results/own/{table}/{study}.csv" for table in TABLES]
    return wanted


def pages_of():
    """What a run is for: its pages, which stand on all the rest, and what it stood on."""
    pages = [f"results/own/{table}/index.html" for table in TABLES]
    if config["paper_studies"]:
        pages.append("results/report/index.html")
    return ["results/provenance.json", *pages]


# ---------------------------------------------------------------- keys that several rules of a study depend on

FITTING = "alpha folds repeats depths greedy_depths greedy_criterion optimal_depths optimal_repeats blend".split()
SOLVING = (
    "folds",
    "folds_run",
    "scaling",
    "start",
    "tolerance",
    "epsilon",
    "resolve",
    "on_plane",
    "solver",
)

# ---------------------------------------------------------------- program search of the study `pruning`

EVOLUTION = config["pruning"]["evolution"]


def epoch_file(run, island, epoch):
    return f"results/pruning/evolution/{run}/island-{island}/epoch-{epoch}.json"


def earlier_epochs(wildcards):
    """The island's own last epoch, then that of its neighbour on the ring, whose best migrate."""
    island, epoch = int(wildcards.island), int(wildcards.epoch)
    if epoch == 1:
        return []
    islands = dict.fromkeys([island, island % EVOLUTION["islands"] + 1])
    return [epoch_file(wildcards.run, number, epoch - 1) for number in islands]


def last_epochs(wildcards):
    return [
        epoch_file(wildcards.run, island + 1, EVOLUTION["epochs"])
        for island in range(EVOLUTION["islands"])
    ]


def evolution_table(wildcards):
    """The user's table whose trees a run searches on, if it names one."""
    table = EVOLUTION["runs"][wildcards.run].get("table")
    return [f"results/data/{table}.npz"] if table else []
