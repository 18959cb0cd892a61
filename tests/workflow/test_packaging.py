"""What goes into the wheel is enough to run; files that tell others about the project agree.

CI calls what is there.
"""

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from pinetum import __version__
from pinetum.workflow.reproduce import named_config, snakemake_command

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT, PYTEST = SETTINGS["project"], SETTINGS["tool"]["pytest"]["ini_options"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The package as a wheel holds it: no checkout around it, the workflow inside."""
    site = tmp_path_factory.mktemp("site")
    parts = re.search(r"^PARTS = (\(.*\))$", (ROOT / "setup.py").read_text(encoding="utf-8"), re.M)[
        1
    ]
    leave = shutil.ignore_patterns("__pycache__", "home")
    shutil.copytree(ROOT / "src/pinetum", site / "pinetum", ignore=leave)
    for part in yaml.safe_load(parts.replace("(", "[").replace(")", "]")):
        target = site / "pinetum/workflow/home" / part
        target.parent.mkdir(parents=True, exist_ok=True)
        (
            shutil.copytree(ROOT / part, target, ignore=leave)
            if (ROOT / part).is_dir()
            else shutil.copy2(ROOT / part, target)
        )
    return site


def run_from(site, folder, text):
    environment = os.environ | {"PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_the_package_alone_plans_the_whole_workflow(site, tmp_path):
    text = "from pinetum.files import HOME\nfrom pinetum.workflow.reproduce import reproduce\n"
    text += (
        "print(HOME, flush=True)\n"
        "raise SystemExit(reproduce(configfile='smoke', cores=1, directory='a run',"
        " options=['--dry-run']))"
    )
    code, said = run_from(site, tmp_path, text)
    assert code == 0 and "write_page" in said, said[-3000:]
    assert said.startswith(f"{site}/pinetum/workflow/home\n")
    code, said = run_from(
        site,
        tmp_path,
        "from pinetum.data.loading import load_catalogue\nprint(len(load_catalogue()))",
    )
    assert code == 0, said


@pytest.mark.torture
@pytest.mark.network
@pytest.mark.parametrize("script", ["wheel", "metadata"])
def test_what_needs_an_environment_of_its_own(script):
    subprocess.run([ROOT / ".ci" / script], check=True)


def test_a_configuration_is_found_by_path_or_by_its_name(tmp_path):
    assert named_config("smoke") == ROOT / "config/smoke.yaml"
    (tmp_path / "mine.yaml").write_text("seed: 1\n")
    assert named_config(tmp_path / "mine.yaml").name == "mine.yaml"
    with pytest.raises(
        FileNotFoundError,
        match=(r"smok: no such file, .* which has enumeration, evolution, full, smoke"),
    ):
        named_config("smok")
    command = snakemake_command(["nbdt"], cores=2, configfile="smoke")
    assert command.index("nbdt") < command.index(
        "--configfile"
    )  # which takes every word after it for a file


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_public_ci_calls_what_is_there(path):
    content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    assert (
        set(content) <= {"name", "on", "permissions", "concurrency", "env", "jobs"}
        and content["permissions"]
    )
    extras = set(PROJECT["optional-dependencies"])
    for name, job in content["jobs"].items():
        assert job["runs-on"] and job["steps"], name
        assert set(job.get("needs", "").split()) <= set(content["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step), f"{name}: {step}"
            assert re.fullmatch(r"[\w./-]+@[\w./]+", step.get("uses", "a@b"))
            for script in re.findall(r"\.ci/\w+", step.get("run", "")):
                assert os.access(ROOT / script, os.X_OK), script
            for wanted in re.findall(r'"\.\[([\w,]+)\]"', step.get("run", "")):
                assert set(wanted.split(",")) <= extras
            for file in re.findall(
                r"(?:^|[ \"])((?:tests|envs|src|docs|config)/[\w./-]+)", step.get("run", "")
            ):
                assert (ROOT / file).exists(), f"{name}: {step}"
            check_pytest(step.get("run", ""), {**job.get("env", {}), **step.get("env", {})})


def check_pytest(command, variables):
    """Markers, chosen names and variables of a call of pytest are such as there are."""
    markers = {marker.split(":")[0] for marker in PYTEST["markers"]}
    tests = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("*.py"))
    if re.match(r"(python -m )?pytest ", command):
        for expression in re.findall(r'-m "([^"]+)"', command):
            assert set(re.findall(r"\w+", expression)) - {"not", "or", "and"} <= markers, command
        for word in re.findall(r"-k (\w+)", command):
            assert re.search(rf"def test_\w*{word}", tests), command
        assert all(name in tests for name in variables if name.startswith("PINETUM_")), variables


def test_gate_and_public_ci_call_the_same_checks():
    text = (ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8")
    assert ".ci/lint" in (ROOT / ".ci/run").read_text(encoding="utf-8") and "run: .ci/lint" in text
    supported = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert yaml.safe_load(text)["jobs"]["tests"]["strategy"]["matrix"]["python"] == supported
    assert PROJECT["requires-python"] == f">={supported[0]}"


def test_the_version_comes_from_one_place():
    assert "version" in PROJECT["dynamic"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == __version__
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f'version = "{__version__}"' in (ROOT / "envs/recipe/meta.yaml").read_text(
        encoding="utf-8"
    )
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    assert zenodo["title"] == citation["title"] and zenodo["license"].upper() == citation["license"]


def test_names_and_addresses_come_from_one_place():
    address, author = PROJECT["urls"]["Source"], PROJECT["authors"][0]["name"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    code = json.loads((ROOT / "codemeta.json").read_text(encoding="utf-8"))
    zenodo = json.loads((ROOT / ".zenodo.json").read_text(encoding="utf-8"))
    paper = (ROOT / "paper.md").read_text(encoding="utf-8")
    head = yaml.safe_load(paper.split("---\n")[1])
    assert code["name"] == PROJECT["name"] and code["version"] == __version__
    assert code["license"].endswith(f"/{PROJECT['license']}")
    assert code["keywords"] == zenodo["keywords"] == PROJECT["keywords"]
    assert code["description"] == zenodo["description"] and head["title"] == citation["title"]
    for authors in (citation["authors"], code["author"], zenodo["creators"], head["authors"]):
        assert [one["name"] for one in authors] == [author]
    assert address == citation["repository-code"] == code["codeRepository"]
    places = [code["issueTracker"], *PROJECT["urls"].values()]
    for page in ("docs/module.md", ".github/ISSUE_TEMPLATE/config.yml"):
        places += re.findall(r"https://github\S+", (ROOT / page).read_text(encoding="utf-8"))
    assert all(place.startswith(address) for place in places)


def test_the_paper_cites_what_its_bibliography_has():
    paper = (ROOT / "paper.md").read_text(encoding="utf-8")
    entries = re.findall(r"^@\w+\{(\w+),$", (ROOT / "paper.bib").read_text(encoding="utf-8"), re.M)
    assert len(entries) == len(set(entries)) > 10
    assert set(re.findall(r"@(\w+)", paper)) == set(entries)


def test_the_readme_of_the_package_index_has_whole_addresses(monkeypatch):
    made = {}
    monkeypatch.setitem(sys.modules, "setuptools", SimpleNamespace(setup=None))
    for name in ("setuptools.command", "setuptools.command.build_py"):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace(build_py=object))
    monkeypatch.setattr(sys.modules["setuptools"], "setup", lambda **given: made.update(given))
    runpy.run_path(str(ROOT / "setup.py"))
    page, address = made["long_description"], PROJECT["urls"]["Source"]
    assert f"]({address}/raw/v{__version__}/docs/figures/wine.png)" in page
    assert f"]({address}/blob/v{__version__}/README.md#in-python)" in page
    links = re.findall(r"\]\(([^)]+)\)", page)
    assert len(links) > 20 and all(link.startswith(address) for link in links)
    assert "readme" in PROJECT["dynamic"]
    assert made["long_description_content_type"] == "text/markdown"


@pytest.mark.parametrize("name", ["wish", "wrong", "replication"])
def test_forms_for_issues_are_such_as_the_hoster_reads(name):
    path = ROOT / f".github/ISSUE_TEMPLATE/{name}.yml"
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(form) == {"name", "description", "body"}
    labels = [field["attributes"]["label"] for field in form["body"]]
    assert len(set(labels)) == len(labels)
    assert {field["type"] for field in form["body"]} <= {"input", "textarea"}
    assert any(field.get("validations", {}).get("required") for field in form["body"])


def test_hooks_and_the_site_s_host_call_what_is_there():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    lint = (ROOT / ".ci/lint").read_text(encoding="utf-8")
    for hook in hooks["repos"][0]["hooks"]:
        assert hook["entry"] == ".ci/lint" or f"\n{hook['entry']} " in lint
    site = yaml.safe_load((ROOT / ".readthedocs.yaml").read_text(encoding="utf-8"))
    assert (ROOT / site["sphinx"]["configuration"]).is_file()
    assert (ROOT / site["python"]["install"][0]["requirements"]).is_file()


def test_a_run_records_what_it_stood_on(tmp_path):
    from pinetum.report.provenance import write_provenance

    (tmp_path / "vote.csv").write_text("dataset,source,sha256,status\nvote,mirror,c87c,ok\n")
    inputs = SimpleNamespace(files=SimpleNamespace(sources=[tmp_path / "vote.csv"]))
    made = json.loads(write_provenance({"seed": 7}, {"nbdt": "95"}, inputs)["provenance"])
    assert (
        made["version"] == __version__ and made["seed"] == 7 and made["kernels"] == {"nbdt": "95"}
    )
    assert made["sources"]["vote"] == {"source": "mirror", "sha256": "c87c", "status": "ok"}
    assert {"numpy", "numba", "snakemake"} <= set(made["packages"])
    assert {"system", "processor", "cores", "memory_mb", "python"} == set(made["machine"]) and all(
        made["machine"].values()
    )
    assert (
        made["date"].endswith("Z")
        and isinstance(made["uncommitted"], list)
        and made["configuration"] == {"seed": 7}
    )


def test_the_workflow_catalog_finds_what_it_wants():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text(encoding="utf-8"))[
        "usage"
    ]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment", "report"}
    for name in (
        "workflow/Snakefile",
        "config/README.md",
        "config/config.yaml",
        "README.md",
        "LICENSE",
    ):
        assert (ROOT / name).is_file()
