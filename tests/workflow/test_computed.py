"""From a number to its code: what stands below tables and figures is true."""

import ast
import csv
import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

from pinetum import sources
from pinetum.sources import files_of
from pinetum.workflow.computed import measured, measured_by, rules_of, sentence
from pinetum.workflow.studies import STUDIES, load_contents
from ways import show_ways

ROOT = Path(__file__).parents[2]
RULES = rules_of(ROOT)
CONTENTS = load_contents(ROOT)


def functions_in(path):
    return {
        node.name: node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if hasattr(node, "name")
    }


MADE_OF = [
    (study, made, names)
    for study in STUDIES
    for kind in ("tables", "figures")
    for made, names in [
        *((entry["name"], entry["from"]) for entry in CONTENTS[study][kind]),
        *CONTENTS[study]["summaries"].items(),
        *CONTENTS[study].get("published", {}).items(),
    ]
]


@pytest.mark.parametrize("study, made, names", MADE_OF)
def test_records_are_measured_by_a_function_called_like_its_rule_and_script(study, made, names):
    for record in measured(CONTENTS[study], names):
        module, function = measured_by(ROOT, study, record).rsplit(".", 1)
        rule = RULES[function]
        assert rule.file == f"rules/{study}.smk"
        assert rule.script == f"src/scripts/{study}/{function}.py"
        assert function in functions_in(files_of(module)[-1])


SIX_LINES = """from pinetum.workflow.job import job

with job(snakemake) as run:
    from MODULE import NAME

    run(NAME)
"""


@pytest.mark.parametrize(
    "path", sorted((ROOT / "src/scripts").glob("*/*.py")), ids=lambda path: path.stem
)
def test_scripts_say_nothing_but_the_function_of_their_name(path):
    text = path.read_text(encoding="utf-8")
    module = re.search(r"from (pinetum\.[\w.]+) import \w+$", text.partition("run:")[2], re.M)[1]
    assert text == SIX_LINES.replace("MODULE", module).replace("NAME", path.stem)
    assert path.stem in functions_in(files_of(module)[-1])


SAY_WHAT_MEASURED = {"random_seconds"}  # records beside bulk, which has no provenance of its own


@pytest.mark.parametrize("study", STUDIES)
def test_tables_and_figures_are_functions_of_their_names_on_the_records_they_list(study):
    content, given = CONTENTS[study], {"published", "settings"}
    for part, entries in (
        ("results", content["tables"]),
        ("figures", content["figures"]),
        ("results", [{"name": k, "from": v} for k, v in content["summaries"].items()]),
    ):
        module = import_module(f"pinetum.{study}.replication.{part}") if entries else None
        for entry in entries:
            if entry["name"] == "readings_overview":
                continue  # made of the readings, for all studies in one place
            asked = inspect.signature(getattr(module, entry["name"])).parameters
            assert set(entry["from"]) - SAY_WHAT_MEASURED <= set(asked), entry["name"]
            needed = {name for name in asked if asked[name].default is asked[name].empty}
            assert needed <= given | set(entry["from"]), entry["name"]


@pytest.mark.slow
@pytest.mark.parametrize("study", STUDIES)
def test_records_of_a_run_name_the_function_that_the_rules_name(study, smoke):
    from pinetum.report.stages import Records

    content = CONTENTS[study]
    records = Records((smoke / f"results/{study}").glob("*.csv"))
    for entry in content["tables"]:
        said = sentence(ROOT, records.origin(entry["from"]))
        assert said == content["computed"]["tables"][entry["name"]]
        text = (smoke / f"results/tables/{study}/{entry['name']}.md").read_text(encoding="utf-8")
        assert text.endswith(f"{said}\n")


@pytest.mark.parametrize("study", list(STUDIES))
def test_every_table_of_a_paper_names_what_computed_it(study):
    with open(ROOT / f"config/published/{study}.csv", encoding="utf-8", newline="") as file:
        assert set(CONTENTS[study]["published"]) == {row["item"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.script])
def test_scripts_lie_under_their_study_and_carry_their_rule_s_name(name):
    path = Path(RULES[name].script)
    stage = path.parent.name == "stages"  # the same for all studies
    assert (stage or path.stem == name) and (ROOT / path).is_file()
    if Path(RULES[name].file).stem in STUDIES and not stage:
        assert path.parent.name == Path(RULES[name].file).stem


def test_every_script_has_a_rule():
    scripts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "src/scripts").glob("*/*.py")}
    stages = {f"src/scripts/stages/{name}.py" for name in ("gather", "tabulate", "draw", "explore")}
    named = {rule.script for rule in RULES.values() if rule.script}
    assert scripts - stages == named - stages


def test_no_kernel_is_more_than_eight_files_from_a_number():
    """The table itself, its records, rules, script and measuring file, and so on inwards."""
    for study, content in CONTENTS.items():
        for record in measured(content, content["records"]):
            start = files_of(measured_by(ROOT, study, record).rsplit(".", 1)[0])[-1]
            assert kernel_distance(start) <= 5, f"{study}: {record}"


def kernel_distance(start) -> int:
    """Imports from a file to the nearest kernel; 0 where it reaches none."""
    seen, files = {start}, [start]
    for distance in range(20):
        if any(file.parent.name == "kernels" for file in files):
            return distance
        files = [other for file in files for other in sources.read(file)[1] if other not in seen]
        seen.update(files)
    return 0


def test_the_ways_can_be_shown(capsys):
    show_ways(ROOT, ["nbdt", "greedy_dp"])
    shown = capsys.readouterr().out
    assert re.search(
        r"^nbdt, Average error: 5 files\n  results/tables/nbdt/average_error.md\n"
        r"  results/nbdt/folds.csv\n  rules/nbdt.smk\n  src/scripts/nbdt/cross_validate_nbdt.py\n"
        r"  pinetum.nbdt.replication.measure.cross_validate_nbdt$",
        shown,
        re.M,
    )
    assert re.search(r"^greedy_dp, Table 1: \d files\n", shown, re.M)


def test_the_line_stands_below_every_form_of_a_table(tmp_path):
    import pandas as pd

    from pinetum.report.captions import write_captions
    from pinetum.report.page import code_note
    from pinetum.report.tables import write_formats

    line = CONTENTS["nbdt"]["computed"]["tables"]["errors"]
    write_formats(
        pd.DataFrame({"data set": ["vote"], "NB": [9.5]}),
        tmp_path / "errors.csv",
        {},
        computed=line,
    )
    assert (tmp_path / "errors.md").read_text(encoding="utf-8").endswith(f"\n{line}\n")
    assert (tmp_path / "errors.tex").read_text(encoding="utf-8").endswith(f"\n% {line}\n")
    assert code_note(CONTENTS["nbdt"], "tables", "errors") == f". {line}"
    write_captions([str(tmp_path / "nbdt/tables/errors.rst")], CONTENTS["nbdt"], {})
    caption = (tmp_path / "nbdt/tables/errors.rst").read_text(encoding="utf-8")
    assert "Computed by pinetum.nbdt.replication" in caption.replace("\\", "")
