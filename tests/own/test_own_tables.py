"""A table of one's own from file to page: held-out errors, models that predict the same, reasons,
one page.
"""

import json
import re
import shutil
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.data import DataWarning, Table
from pinetum.own.compare import COLUMNS, METHODS, compare, reason_against, scores
from pinetum.own.page import chosen, page_of
from pinetum.own.summary import summary_of
from pinetum.workflow.jobs import read_records, write_records

FAST = ("tree", "small_tree", "planes")
SETTINGS = {"folds": 5, "cells": 10**6, "search_cells": 10**5, "work": 5, "memory_mb": 1000}


def customers(cases=240):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "income $": rng.integers(10, 90, cases) * 100,
            "town": rng.choice(["A", "B", "<C>"], cases),
        }
    )
    frame["buys"] = np.where((frame["income $"] > 5000) ^ (frame["town"] == "A"), "yes $1_$2", "no")
    frame["buys"] = np.where(rng.random(cases) < 0.1, "no", frame["buys"])
    frame["customer_id"] = rng.permutation(10**6)[:cases]
    frame.loc[::17, "income $"] = np.nan
    frame.loc[::23, "town"] = None
    return frame


def table_of(frame, outcome="buys", **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return Table.from_frame(frame, outcome, name="customers", **options)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    table = table_of(customers())
    records, _, predicted = compare(
        table, folder / "models", settings=SETTINGS, seed=1, methods=FAST, tell=lambda text: None
    )
    write_records(records, folder / "methods.csv", columns=COLUMNS)
    write_records(table.describe(), folder / "columns.csv")
    (folder / "warnings.txt").write_text("\n".join(table.warnings))
    summary = summary_of(read_records(folder / "methods.csv"), {})
    html = page_of("customers", summary, folder)
    (folder / "index.html").write_text(html, encoding="utf-8")
    return folder, table, records, predicted


def test_every_method_answers_on_the_same_cases(run):
    _, table, records, predicted = run
    assert [record["method"] for record in records] == ["majority", *FAST]
    assert all(record["status"] == "ok" for record in records), records
    assert records[1]["test_error"] < 20 < records[0]["test_error"]
    for record in records[1:]:
        wrong = np.mean(predicted[record["method"]] != table.labels)
        assert record["test_error"] == pytest.approx(100 * wrong, abs=1e-3)
        assert set(json.loads(record["used"])) <= set(table.feature_names)


def test_models_predict_new_cases_as_they_come(run):
    folder, table, _, _ = run
    frame = customers().drop(columns=["buys"])
    new = pd.concat(
        [frame, pd.DataFrame({"income $": ["1500", None], "town": ["Z", ""]})], ignore_index=True
    )
    for name in FAST:
        model = pinetum.load(folder / f"models/{name}.json")
        answers = model.predict(new)
        assert set(answers) <= set(table.class_names) and len(answers) == len(new)
        np.testing.assert_array_equal(answers[: len(frame)], model.predict(table))


def test_the_page_stands_alone_and_answers_first(run):
    folder, *_ = run
    html = (folder / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:)""", html)
    assert (
        html.index("</b> (±")
        < html.index("<svg")
        < html.index("All methods")
        < html.index("Columns")
    )
    assert (
        "customer_id: dropped, named as an identifier" in html and "pinetum predict models/" in html
    )
    assert "&lt;C&gt;" in html and "<C>" not in html and "yes $1_$2" in html


def test_the_same_seed_gives_the_same_bytes(run, tmp_path):
    folder, table, records, _ = run
    again, *_ = compare(
        table, tmp_path / "models", settings=SETTINGS, seed=1, methods=FAST, tell=lambda text: None
    )
    plain = [
        [{k: v for k, v in record.items() if k != "seconds"} for record in part]
        for part in (records, again)
    ]
    assert plain[0] == plain[1]
    for name in FAST:
        assert (folder / f"models/{name}.json").read_bytes() == (
            tmp_path / f"models/{name}.json"
        ).read_bytes()


def test_what_a_method_cannot_take_is_a_row_with_the_reason(tmp_path):
    frame = customers(2000)
    frame["street"] = [f"street {number % 400}" for number in range(len(frame))]
    table = table_of(frame)
    assert "columns, with one per value of a discrete column, more than 150" in reason_against(
        METHODS["planes"], table
    )
    assert "street has 400 values, more than 100; group them" in reason_against(
        METHODS["depth_three"], table
    )
    records, *_ = compare(
        table, tmp_path, settings=SETTINGS, seed=1, methods=("planes",), tell=lambda text: None
    )
    assert records[1]["status"] == "unsuitable" and not list(tmp_path.iterdir())
    many = table_of(frame.assign(buys=[f"c{number % 30}" for number in range(len(frame))]))
    assert reason_against(METHODS["depth_three"], many).startswith(("30 classes", "street has"))


def test_what_takes_too_much_memory_is_a_row_with_the_cure(tmp_path, monkeypatch):
    from pinetum.own import compare as compared

    for said, note in (("", "raise memory_mb"), ("more than 500,000 nodes; group x", "group x")):

        def fit(table, settings, said=said):
            raise MemoryError(*[said] * bool(said))

        monkeypatch.setitem(compared.METHODS, "tree", compared.Method(fit, "too much"))
        records, *_ = compare(
            table_of(customers()), tmp_path, settings=SETTINGS, seed=1, methods=("tree",), tell=str
        )
        assert records[1]["status"] == "memory_limit" and note in records[1]["note"]


def test_scores_are_those_of_the_definition():
    table = table_of(customers())
    dealt = np.arange(table.n_cases) % 4
    predicted = np.where(dealt == 0, 0, table.labels)
    found = scores(table, predicted, dealt, 4)
    recall = json.loads(found["recall"])
    assert found["test_error"] == pytest.approx(100 * np.mean(predicted != table.labels), abs=1e-3)
    assert found["balanced_error"] == pytest.approx(100 - np.mean(list(recall.values())))
    assert recall["no"] == 100


def test_the_smallest_tree_within_a_standard_error_is_chosen():
    rows = [("tree", 10.0, 1.0, 40), ("small_tree", 10.9, 1.0, 5), ("depth_three", 11.5, 1.0, 3)]
    frame = pd.DataFrame(rows, columns=["method", "test_error", "test_error_se", "leaves"]).assign(
        status="ok"
    )
    assert chosen(frame)["method"] == "small_tree"
    assert chosen(frame.assign(status="error")) is None


BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
LAYOUT = """<body><script>
async function measure() {
  const found = {};
  for (const width of [400, 1400]) {
    const frame = document.createElement('iframe');
    frame.style = `width: ${width}px; height: 900px`;
    frame.src = 'index.html';
    document.body.append(frame);
    await new Promise(done => frame.onload = done);
    const page = frame.contentDocument, over = [];
    for (const picture of page.querySelectorAll('svg')) {
      const texts = [...picture.querySelectorAll('g[id^="text_"]')].map(text => text.getBoundingClientRect());
      texts.forEach((a, i) => texts.slice(i + 1).forEach(b => {
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) over.push([a.left, a.top]);
      }));
    }
    const whole = page.documentElement;
    found[width] = {scrolls: whole.scrollWidth > whole.clientWidth, over: over.length,
                    pictures: page.querySelectorAll('svg').length};
  }
  document.body.innerHTML = `<pre>${JSON.stringify(found)}</pre>`;
}
measure();
</script></body>"""  # noqa: E501


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_the_page_fits_narrow_and_wide_screens_without_overlaps(run, tmp_path):
    folder, *_ = run
    (folder / "layout.html").write_text(LAYOUT, encoding="utf-8")
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-first-run",
    ]
    options += ["--disable-sync", "--disable-component-update", "--allow-file-access-from-files"]
    options += [
        "--virtual-time-budget=20000",
        f"--user-data-dir={tmp_path}",
        "--window-size=1500,1000",
        "--dump-dom",
    ]
    command = [BROWSER, *options, (folder / "layout.html").as_uri()]
    said = subprocess.run(command, capture_output=True, text=True, timeout=300).stdout
    found = json.loads(re.search(r"<pre>(.*?)</pre>", said)[1])
    assert found == {
        width: {"scrolls": False, "over": 0, "pictures": 1} for width in ("400", "1400")
    }


def test_warnings_on_columns_are_listed_at_the_end_of_a_run(tmp_path, monkeypatch, capsys):
    from types import SimpleNamespace

    from pinetum.own import compare as compared
    from pinetum.workflow.warned import list_warnings

    customers().to_csv(tmp_path / "data.csv", index=False)
    monkeypatch.setattr(compared, "compare", lambda table, *_, **more: ([], table.labels, {}))
    options = {"path": str(tmp_path / "data.csv"), "class": "buys"}
    outputs = SimpleNamespace(models=tmp_path / "models")
    made = compared.compare_own("mine", options, settings={}, seed=1, outputs=outputs)
    assert made["warnings"].startswith("column customer_id: dropped, named as an identifier")
    (tmp_path / "compare_own.log").write_text(capsys.readouterr().err)
    assert "mine: column customer_id: dropped, named as an identifier" in list_warnings(tmp_path)
