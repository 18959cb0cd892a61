"""A table of one's own from file to page: one recommendation, judged outside the choice; models
that predict the same; reasons; one page.
"""

import json
import re
import shutil
import subprocess
import warnings
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pinetum
from pinetum.data import DataWarning, Table
from pinetum.own import compare as comparing
from pinetum.own.compare import compare, compare_own, scores
from pinetum.own.judging import Answers, choose, deal, judge
from pinetum.own.methods import METHODS, fit_within, reason_against, taken
from pinetum.own.page import page_of
from pinetum.own.summary import summary_of
from pinetum.workflow.job import write
from pinetum.workflow.jobs import read_records

FAST = ("majority", "tree", "small_tree", "planes")
SETTINGS = {"folds": 4, "cells": 10**6, "search_cells": 10**5, "work": 5, "memory_mb": 1000}


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


def made_of(table, folder, **more):
    """The files of `compare_own`, by their names, and the page."""
    table.save(folder / "table.npz")
    files = SimpleNamespace(files=SimpleNamespace(data=str(folder / "table.npz")))
    outputs = SimpleNamespace(models=str(folder / "models"))
    found = compare_own("customers", SETTINGS | more, 1, files, outputs)
    for name, file in (("compared", "methods.csv"), ("warnings", "warnings.txt")):
        write(found.pop(name), folder / file, {})
    for name in found:
        write(found[name], folder / f"{name}.csv", {})
    summary = summary_of(read_records(folder / "methods.csv"), {})
    options = {"path": "/data/new customers.csv", "class": "buys", "types": {"town": "discrete"}}
    html = page_of("customers", summary, folder, options, "methods.folds = 4")
    (folder / "index.html").write_text(html, encoding="utf-8")
    return summary.set_index("method"), html


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    table = table_of(customers())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "METHODS", {name: METHODS[name] for name in FAST})
        summary, html = made_of(table, folder)
    return folder, table, summary, html


def test_every_method_answers_on_the_same_cases_and_one_is_recommended(run):
    folder, table, summary, _ = run
    said = pd.read_csv(folder / "predictions.csv")
    assert list(summary.index) == list(FAST) and (summary["status"] == "ok").all()
    assert summary["recommended"].sum() == 1 and summary["chosen"].sum() == 4
    for name in FAST:
        wrong = np.mean(said[name] != said["class"])
        assert summary.loc[name, "test_error"] == pytest.approx(100 * wrong, abs=1e-3)
        assert set(json.loads(summary.loc[name, "used"])) <= set(table.feature_names)
    best = summary["recommended"].idxmax()
    least = summary.loc[summary["test_error"].idxmin()]
    near = summary[summary["test_error"] <= least["test_error"] + least["test_error_se"]]
    assert best in near.index and summary.loc[best, "questions"] == near["questions"].min()


def test_models_predict_new_cases_as_they_come(run):
    folder, table, summary, _ = run
    frame = customers().drop(columns=["buys"])
    new = pd.concat(
        [frame, pd.DataFrame({"income $": ["1500", None], "town": ["Z", ""]})], ignore_index=True
    )
    for name in (*FAST, "recommended"):
        model = pinetum.load(folder / f"models/{name}.json")
        answers = model.predict(new)
        assert set(answers) <= set(table.class_names) and len(answers) == len(new)
        np.testing.assert_array_equal(answers[: len(frame)], model.predict(table))
    best = folder / f"models/{summary['recommended'].idxmax()}.json"
    assert (folder / "models/recommended.json").read_bytes() == best.read_bytes()


def test_the_page_answers_first_and_all_else_follows(run):
    folder, *_, html = run
    for link in re.findall(r"""(?:src|href)=["']([^"'#]+)["']""", html):
        assert (folder / link).exists() or link in ("summary.csv",), link
    said = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html[html.index("<body>") :]))
    assert "new customers.csv: predicting buys" in said and "240 cases" in said
    assert "customer_id: dropped, named as an identifier" in said
    assert re.search("Known to matter: (income \\$, town|town, income \\$)\\.", said)
    places = [html.index(f"<h2>{title}</h2>") for title in re.findall("<h2>(.*?)</h2>", html)]
    first = html.index("cases it has not seen") < html.index("The model, learnt") < places[0]
    assert first and len(places) == 8
    assert "&lt;C&gt;" in html and "<C>" not in html and "yes $1_$2" in html
    again = "pinetum run &#39;new customers.csv&#39; --outcome buys --type town=discrete"
    assert again in html and "methods.folds = 4" in html


def test_the_same_seed_gives_the_same_bytes(run, tmp_path, monkeypatch):
    folder, table, *_ = run
    monkeypatch.setattr(comparing, "METHODS", {name: METHODS[name] for name in FAST})
    made_of(table, tmp_path)
    clock = r",[\d.]+,models/"
    for file in ("methods.csv", "needed.csv", "predictions.csv", "models/recommended.json"):
        one, other = ((place / file).read_text() for place in (folder, tmp_path))
        assert re.sub(clock, "", one) == re.sub(clock, "", other), file


def test_no_method_is_lost_for_one_column():
    frame = customers(2000)
    frame["street"] = [f"street {number % 400}" for number in range(len(frame))]
    table = table_of(frame)
    for name in ("depth_three", "planes"):
        assert reason_against(METHODS[name], table) == ""
        kept = [table.feature_names[place] for place in taken(METHODS[name], table)]
        assert "street" not in kept and "income $" in kept
    settings = SETTINGS | {"search_cells": 2000}
    _, note = fit_within(METHODS["planes"], table, settings, np.random.default_rng(0))
    assert "without street, which it cannot take" in note and "a sample of" in note
    many = table_of(frame.assign(buys=[f"c{number % 30}" for number in range(len(frame))]))
    assert reason_against(METHODS["depth_three"], many).startswith("30 classes")


def test_of_too_many_columns_those_are_kept_that_tell_most():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(120, 300)), columns=[f"g{n}" for n in range(300)])
    frame["y"] = np.where(frame["g250"] > 0, "a", "b")
    kept = taken(METHODS["plane"], table_of(frame, "y"))
    assert len(kept) == 150 and 250 in kept


def test_what_takes_too_much_memory_is_a_row_with_the_cure(monkeypatch):
    from pinetum.own import judging
    from pinetum.own.methods import Method

    for said, note in (("", "raise memory_mb"), ("more than 500,000 nodes; group x", "group x")):

        def fit(table, settings, said=said):
            raise MemoryError(*[said] * bool(said))

        monkeypatch.setitem(judging.METHODS, "tree", Method(fit, "a tree", "too much"))
        records, *_, judged = compare(
            table_of(customers()), settings=SETTINGS, seed=1, methods=("tree",), tell=str
        )
        assert records[0]["status"] == "memory_limit" and note in records[0]["note"]
        assert judged is None


def test_scores_are_those_of_the_definition():
    table = table_of(customers())
    predicted = np.where(np.arange(table.n_cases) % 4 == 0, 0, table.labels)
    found, wrong = scores(table, predicted), np.mean(predicted != table.labels)
    recall = json.loads(found["recall"])
    assert found["test_error"] == pytest.approx(100 * wrong, abs=1e-3)
    error = 100 * np.sqrt(wrong * (1 - wrong) / table.n_cases)
    assert found["test_error_se"] == pytest.approx(error, abs=1e-3)
    assert found["balanced_error"] == pytest.approx(100 - np.mean(list(recall.values())))
    assert recall["no"] == 100


def test_the_method_with_the_fewest_questions_within_a_standard_error_is_chosen():
    wrong = {name: np.arange(1000) < count for name, count in (("a", 100), ("b", 109), ("c", 112))}
    assert choose(wrong, {"a": 40, "b": 5, "c": 3}) == "b"
    assert choose(wrong, {"a": 5, "b": 5, "c": 3}) == "a"


def test_the_judged_answer_of_a_case_comes_from_what_was_chosen_and_learnt_without_it():
    """The scheme against its definition: nested cross-validation, written out."""
    table, settings = table_of(customers(90)), SETTINGS | {"folds": 3}
    _, dealt, found, judged = compare(
        table, settings=settings, seed=2, methods=FAST[:3], tell=lambda line: None
    )
    rng = np.random.default_rng(0)

    def learnt(name, *without):
        return fit_within(
            METHODS[name], table.take_cases(np.flatnonzero(~np.isin(dealt, without))), settings, rng
        )[0]

    for fold in range(3):
        rest, wrong, questions = np.flatnonzero(dealt != fold), {}, {}
        for name in FAST[:3]:
            said = np.empty(table.n_cases, dtype=object)
            for other in set(range(3)) - {fold}:
                cases = np.flatnonzero(dealt == other)
                said[cases] = learnt(name, fold, other).predict(table.take_cases(cases))
            names = np.array(table.class_names)[table.labels]
            wrong[name] = (said != names)[rest]
            questions[name] = found[name].questions[fold]
        assert judged.chosen[fold] == choose(wrong, questions)
        cases = np.flatnonzero(dealt == fold)
        answers = learnt(judged.chosen[fold], fold).predict(table.take_cases(cases))
        assert list(np.array(table.class_names)[judged.said[cases]]) == list(answers)


def test_what_does_not_beat_the_most_frequent_class_is_not_recommended():
    labels, dealt = np.arange(40) % 2, np.arange(40) // 2 % 4
    nothing = Answers(np.zeros((4, 40), dtype=int), questions=[0] * 5)
    luck = Answers(np.tile((np.arange(40) % 5 == 0) * labels, (4, 1)), questions=[9] * 5)
    best = judge({"majority": nothing, "tree": luck}, labels, dealt, 4)
    assert best.name == "majority" and set(best.chosen) == {"tree"}
    sure = Answers(np.tile(labels, (4, 1)), questions=[9] * 5)
    assert judge({"majority": nothing, "tree": sure}, labels, dealt, 4).name == "tree"
    assert deal(table_of(customers()), SETTINGS, 1)[1] == 4


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
      const texts = [...picture.querySelectorAll('text')].map(text => text.getBoundingClientRect()).filter(box => box.width);
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
        width: {"scrolls": False, "over": 0, "pictures": 2} for width in ("400", "1400")
    }
