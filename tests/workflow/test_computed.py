"""From a number to its code: what stands below tables and figures is true."""

import ast
import csv
import re
from pathlib import Path

import pytest

from pinetum.sources import PACKAGE, files_of, sources_of
from pinetum.workflow.computed import rules_of, way_to_kernel
from pinetum.workflow.studies import STUDIES, load_contents
from ways import show_ways

ROOT = Path(__file__).parents[2]
RULES = rules_of(ROOT)
CONTENTS = load_contents(ROOT)
ENTRIES = [
    (study, kind, name, entry)
    for study, content in CONTENTS.items()
    for kind, name, entry in [
        *(("published", item, entry) for item, entry in content.get("published", {}).items()),
        *(
            (kind, entry["name"], entry["computed_by"])
            for kind in ("tables", "figures")
            for entry in content[kind]
        ),
    ]
]


def functions_in(path):
    return {
        node.name: node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if hasattr(node, "name")
    }


@pytest.mark.parametrize(
    "study, kind, name, entry", ENTRIES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_rule_script_and_function_are_there_and_reach_each_other(study, kind, name, entry):
    rule = RULES[entry["rule"]]
    script = ROOT / rule.script
    assert script.is_file() and script.stem == rule.name, "scripts are called like their rules"
    module, function = entry["function"].rsplit(".", 1)
    file = files_of(module)[-1]
    assert file.stem == module.rsplit(".", 1)[1] and function in functions_in(file), entry[
        "function"
    ]
    reachable = sources_of(script)
    assert file in reachable, f"{rule.script} never reaches {entry['function']}"
    callers = [script, *(path for path in reachable if path.is_relative_to(PACKAGE / study))]
    assert any(
        f"{function}(" in path.read_text(encoding="utf-8").replace(f"def {function}(", "")
        for path in callers
    )
    line = CONTENTS[study]["computed"][kind][name]
    assert (
        line
        == f"Computed by {entry['function']}: rule {rule.name} ({rule.file}), script {rule.script}"
    )


@pytest.mark.parametrize("study", list(STUDIES))
def test_every_table_of_a_paper_names_what_computed_it(study):
    with open(ROOT / f"config/published/{study}.csv", encoding="utf-8", newline="") as file:
        assert set(CONTENTS[study]["published"]) == {row["item"] for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.script])
def test_scripts_lie_under_their_study_and_carry_their_rule_s_name(name):
    path = Path(RULES[name].script)
    assert path.stem == name and (ROOT / path).is_file()
    if Path(RULES[name].file).stem in STUDIES:
        assert path.parent.name == Path(RULES[name].file).stem


def test_every_script_has_a_rule():
    scripts = {path.relative_to(ROOT).as_posix() for path in (ROOT / "src/scripts").glob("*/*.py")}
    assert scripts - {"src/scripts/report/tabulate_study.py"} == {
        rule.script for rule in RULES.values() if rule.script
    }


def test_no_formatting_function_is_named_as_what_computed_numbers():
    for *_, entry in ENTRIES:
        assert not {"figures", "layout", "tables"} & set(entry["function"].split(".")), entry[
            "function"
        ]


def test_no_kernel_is_more_than_eight_files_from_a_number():
    """The table itself, the file that its footer names, and so on."""
    for study, kind, name, entry in ENTRIES:
        way = way_to_kernel(entry["function"])
        assert len(way) + 1 <= 8, f"{study} {kind} {name}: {' > '.join(way)}"


def test_the_ways_can_be_shown(capsys):
    show_ways(ROOT, ["nbdt"])
    shown = capsys.readouterr().out
    assert re.search(
        r"^nbdt, Average error: \d files$\n  results/tables/nbdt/average_error.md\n  nbdt/",
        shown,
        re.M,
    )


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
    assert "Computed by pinetum.nbdt.study" in caption.replace("\\", "")
