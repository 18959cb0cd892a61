"""The real workflow, small: it ends, a second run does nothing, and neither cores nor shards
matter.
"""

import json
import shutil

import pandas as pd
import pytest

pytestmark = pytest.mark.slow  # whole runs

SMOKE = ("--configfile", "config/smoke.yaml")
SHARDS = {
    "distinct": 3,
    "search_errors": 2,
    "eliminations": 3,
    "optima": 1,
    "pruning_networks": 3,
    "greedy_dp": 3,
}


def test_every_published_number_has_a_row_and_a_verdict(smoke):
    import pandas as pd

    from pinetum.report.comparison import VERDICTS

    comparison = pd.read_csv(smoke / "results/comparison.csv", dtype=str, keep_default_na=False)
    published = sum(len(pd.read_csv(path)) for path in (smoke / "config/published").glob("*.csv"))
    assert len(comparison) == published
    assert set(comparison["verdict"]) <= set(VERDICTS)


def test_every_study_gives_each_number_or_says_why_not(smoke):
    import pandas as pd

    from pinetum.report.comparison import KEY

    for path in sorted((smoke / "config/published").glob("*.csv")):
        theirs, ours = (
            pd.read_csv(file, dtype=str, keep_default_na=False)
            for file in (path, smoke / "results" / path.stem / "reproduced.csv")
        )
        assert (ours[KEY].values == theirs[KEY].values).all(), path.stem
        silent = ours[(ours["reproduced"] == "") & (ours["note"] == "")]
        assert silent.empty, f"{path.stem}: {silent[KEY].values.tolist()}"
        gone = ours[
            ours["status"] == "no_data"
        ]  # every public data set of the smoke run has a source
        assert gone["note"].str.contains("not found|stand-in").all(), gone[
            ["row", "note"]
        ].drop_duplicates()
        asked = ours[ours["status"] == "not_run"]
        said = asked["note"].str.contains("configur|folds proved|this run has|too few to judge")
        assert said.all(), asked.loc[~said, ["row", "note"]]


def test_a_second_run_does_nothing(smoke, run_snakemake):
    done = run_snakemake(smoke, *SMOKE, cores=2)
    assert done.returncode == 0
    assert "Nothing to be done" in done.stdout + done.stderr


def test_sets_of_names_are_json_lists(smoke):
    """Names may contain blanks and commas."""
    found = 0
    for path in (smoke / "results").rglob("*.csv"):
        frame = pd.read_csv(path, dtype=str, keep_default_na=False)
        for column in {"subset", "indispensable"} & set(frame):
            lists = [json.loads(cell) for cell in frame[column] if cell]
            assert all(isinstance(names, list) for names in lists), (path, column)
            found += len(lists)
    assert found


def test_nothing_half_written_stays_behind(smoke):
    assert not [path for path in (smoke / "results").rglob(".*") if path.is_file()]


def test_the_page_asks_for_nothing_from_outside(smoke):
    import re

    pages = sorted((smoke / "results/report").glob("*.html"))
    assert len(pages) == 6  # the front page, and one for each paper
    for page in pages:
        html = page.read_text(encoding="utf-8")
        links = re.findall(r"""(?:src|href)=["'](?!#|data:)([^"'#]*)""", html)
        assert {page.parent / link for link in links} <= set(pages), page
        assert not re.findall(r"<(?:script|link)[^>]+(?:src|href)=", html)


def test_snakemake_s_own_report_shows_the_page_s_figures_and_tables_with_captions(
    smoke, run_snakemake, tmp_path
):
    import re
    import zipfile
    from collections import Counter

    done = run_snakemake(smoke, *SMOKE, "--report", str(tmp_path / "report.zip"))
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(tmp_path / "report.zip") as report:
        inside = [name.split("/")[-1] for name in report.namelist() if "/data/raw/" in name]
        page = report.read("report/report.html").decode()
    results = smoke / "results"
    figures = [path.name for path in (results / "figures").glob("*/*.png")]
    tables = [path.name for path in (results / "tables").glob("*/*.csv")]
    assert Counter(inside) == Counter([*figures, *tables, "comparison.csv"])
    captions = re.findall(r'"caption": "([^"]*)', page)
    assert len(captions) == len(inside) and not [
        text for text in captions if not text or "system-message" in text
    ]


def test_one_changed_result_touches_exactly_what_stands_on_it(smoke, run_snakemake, tmp_path):
    folder = tmp_path / "pinetum"
    shutil.copytree(smoke, folder, symlinks=True)
    changed = folder / "results/greedy_dp/compared.csv"
    changed.write_text(changed.read_text().replace(",within,", ",outside,", 1))
    done = run_snakemake(folder, *SMOKE, "--dry-run", "--quiet", "all")
    assert done.returncode == 0
    done = run_snakemake(folder, *SMOKE, "--dry-run")
    jobs = {line.split()[0] for line in done.stdout.splitlines() if line.split()[1:2] == ["1"]}
    stand_on_it = {"compare_numbers", "draw_agreement", "write_page"}
    assert jobs - {"all", "total"} == stand_on_it


def test_one_core_and_other_shards_give_the_same_bytes(
    smoke, make_checkout, run_snakemake, fingerprint
):
    folder = make_checkout("one_core")
    shards = [f"{name}={count}" for name, count in SHARDS.items()]
    done = run_snakemake(folder, *SMOKE, "--set-scatter", *shards, cores=1)
    assert done.returncode == 0, done.stderr[-6000:]
    ours, theirs = fingerprint(smoke), fingerprint(folder)
    assert sorted(ours) == sorted(theirs)
    different = [name for name in ours if ours[name] != theirs[name]]
    assert not different
