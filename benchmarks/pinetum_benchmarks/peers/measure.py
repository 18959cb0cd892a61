"""Ask one question of all contestants: the same tables, in turns, one process each.

Every outcome is a row.
"""

import contextlib
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pinetum.data import NoData
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.workflow.jobs import provenance
from pinetum_benchmarks.peers.process import Contestant as Process
from pinetum_benchmarks.peers.process import Ended
from pinetum_benchmarks.peers.questions import QUESTIONS, variant_name
from pinetum_benchmarks.peers.rivals import RIVALS
from pinetum_benchmarks.peers.tables import generated, prepared

COLUMNS = [
    "question",
    "part",
    "dataset",
    "cases",
    "columns",
    "classes",
    "variant",
    "contestant",
    "package",
    "version",
    "status",
    "errors",
    "error",
    "error_se",
    "leaves",
    "features",
    "depth",
    "trees",
    "proved",
    "search_errors",
    "same",
    "folds",
    "errors_by_repeat",
    "same_leaves",
    "same_predictions",
    "runs",
    "seconds",
    "seconds_low",
    "seconds_high",
    "memory_mb",
    "ours_over_theirs",
    "asked",
    "differs",
    "message",
    "our_version",
    "commit",
    "date",
]
UNSEEN = 2e-6  # CPU seconds: the clock saw nothing, so there is no ratio
LONG = 1.0  # CPU seconds of a call that needs no repetition, and no call before it to warm up
GAVE_UP = ("time_limit", "memory_limit")
DATA_SETS = "data sets"


@dataclass(frozen=True)
class Task:
    """One table, and a variant of the question."""

    part: str  # `DATA_SETS`, or what grows in a series of made tables
    dataset: str
    X: np.ndarray
    y: np.ndarray
    domains: np.ndarray  # values of a discrete column, 0 for numbers
    variant: dict


def tasks_of(question, settings, seed):
    """The tables of a question, form by form; a reason in place of one that no source can serve."""
    kind = QUESTIONS[question].table
    variants, alone = settings.get("variants", [{}]), settings.get("variants_of", {})
    if unasked := set(alone) - set(settings["datasets"]):
        names = ", ".join(sorted(unasked))
        raise ValueError(
            f"peers, {question}: {names} of `variants_of` must stand in `datasets` too"
        )
    forms = {name: [*variants, *alone.get(name, ())] for name in settings["datasets"]}
    for turn in range(max(map(len, forms.values()), default=0)):
        for name in [name for name, own in forms.items() if turn < len(own)]:
            try:
                arrays = prepared(name, kind, settings["most_cases"], seed)
            except NoData as reason:
                if turn == 0:
                    yield name, str(reason)
                continue
            yield name, Task(DATA_SETS, name, *arrays, forms[name][turn])
    for part, series in settings.get("scaling", {}).items():
        shape = series["shape"]
        for number in series["values"]:
            grown = {part: number}
            variant = variants[0] | ({} if part in shape else grown)
            arrays = generated(
                **{key: grown.get(key, shape[key]) for key in shape}, kind=kind, seed=seed
            )
            yield f"made, {part} {number}", Task(part, f"made, {part} {number}", *arrays, variant)


def measure(question, settings, environments, seed):
    """Records of a question, table by table.

    Parameters
    ----------
    question : str
        A key of `QUESTIONS`.
    settings : dict
        Its section of the configuration: datasets, most_cases, repeats, cpu_seconds, memory_mb,
        leave_out, ...
    environments : dict
        Group -> what became of its environment: see `environments.read_environments`.
    seed : int
        Root of the random streams that draw folds, parts of tables and made tables.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        runners = runners_of(question, settings, environments, stack)
        for name, task in tasks_of(question, settings, seed):
            if isinstance(task, str):
                for runner in runners:
                    yield row_of(runner, question, name) | {"status": "no_data", "message": task}
                continue
            print(f"{name} {task.variant}", flush=True)
            table = folder / "table.npz"
            arrays = folds_of(question, task, settings, seed)
            np.savez(table, X=task.X, y=task.y, domains=task.domains, **arrays)
            yield from compare(runners, question, task, table, settings)


def runners_of(question, settings, environments, stack):
    runners = []
    for contestant in QUESTIONS[question].contestants:
        if contestant.label in settings.get("leave_out", ()):
            continue
        runner = Runner(contestant, environments)
        stack.callback(runner.process.stop)
        runners.append(runner)
    return runners


class Runner:
    """A contestant, its process, and where it gave up: in which series of growing tables, on which
    data sets.
    """

    def __init__(self, contestant, environments):
        self.contestant = contestant
        rival = RIVALS[contestant.rival]
        environment = environments.get(
            rival.group, {"status": "ok", "python": sys.executable, "message": ""}
        )
        self.status, self.message = environment["status"], environment["message"]
        self.process = Process(environment["python"], sys.stderr)
        self.package, self.version = rival.package, ""
        self.gave_up: dict[str, str] = {}
        self.forms_given_up: list[tuple[str, dict]] = []
        if not rival.group:
            self.version = provenance()["version"]
        elif self.status == "ok":
            try:
                self.version = self.process.ask("version", package=rival.package)["version"]
            except Ended as end:
                self.status, self.message = "not_installed", end.message
        print(
            f"{contestant.label}: {self.package} {self.version} {self.status} {self.message}",
            flush=True,
        )

    def open(self, question, task, table, settings):
        options = self.contestant.options | task.variant
        if self.contestant.grid:
            options["grid"] = list(self.contestant.grid)
        self.process.ask(
            "open",
            settings["cpu_seconds"],
            call=self.contestant.call,
            data=str(table),
            options=options,
            kind=QUESTIONS[question].kind,
            memory_mb=settings["memory_mb"],
        )

    def end(self, end, task):
        self.process.stop()
        if end.status not in GAVE_UP:
            return
        if task.part != DATA_SETS:
            self.gave_up[task.part] = task.dataset
        else:
            self.forms_given_up.append((task.dataset, task.variant))

    def reason_not_to_ask(self, task, kind) -> str:
        """Where it gave up before a larger table of the same series, or a larger form of the same
        folds.
        """
        if task.part in self.gave_up:
            return f"gave up at {self.gave_up[task.part]}"
        for dataset, variant in self.forms_given_up if kind == "folds" else ():
            if dataset == task.dataset and asks_for_more(task.variant, variant):
                return f"gave up at {variant_name(variant)}"
        return ""


def asks_for_more(variant, other) -> bool:
    """Whether a form of a question is another one with some numbers raised.

    >>> asks_for_more({"max_depth": 4}, {"max_depth": 3}), asks_for_more({"search": "a"}, {"search": "b"})
    (True, False)
    """  # noqa: E501
    return variant.keys() == other.keys() and all(
        value == other[key] or (isinstance(value, (int, float)) and value > other[key])
        for key, value in variant.items()
    )


def repeats_of(question, settings) -> int:
    """How often the folds of a question are drawn anew."""
    return settings.get("fold_repeats", 1) if QUESTIONS[question].kind == "folds" else 1


def folds_of(question, task, settings, seed):
    """Outer folds of every repeat, and of each training part where contestants are tuned.

    The same for all.
    """
    drawn = [
        folds_of_repeat(task, settings, seed, repeat)
        for repeat in range(repeats_of(question, settings))
    ]
    if QUESTIONS[question].kind != "folds":
        return {"fold": drawn[0][0]}
    fold, inner = (np.stack(each) for each in zip(*drawn, strict=True))
    return {"fold": fold, "inner": inner, "inner_folds": np.array(settings["inner_folds"])}


def folds_of_repeat(task, settings, seed, repeat):
    again = (repeat,) if repeat else ()
    fold = stratified_folds(
        task.y, settings["folds"], stream(seed, "peers", "folds", task.dataset, *again)
    )
    inner = np.full((settings["folds"], len(fold)), -1, dtype=np.int32)
    for number in range(settings["folds"]):
        train = np.flatnonzero(fold != number)
        rng = stream(seed, "peers", "inner folds", task.dataset, *again, number)
        inner[number, train] = stratified_folds(task.y[train], settings["inner_folds"], rng)
    return fold, inner


def row_of(runner, question, dataset):
    return {
        "question": question,
        "dataset": dataset,
        "contestant": runner.contestant.label,
        "package": runner.package,
        "version": runner.version,
        "asked": QUESTIONS[question].asks,
        "differs": runner.contestant.differs,
        "our_version": provenance()["version"],
        "commit": provenance()["commit"],
        "date": time.strftime("%Y-%m-%d"),
    }


def compare(runners, question, task, table, settings):
    """One row per contestant on one table.

    The calls take turns, so that a slow spell of the machine meets all.
    """
    shape = {
        "part": task.part,
        "cases": task.X.shape[0],
        "columns": task.X.shape[1],
        "classes": int(task.y.max()) + 1,
    }
    shape["variant"] = variant_name(task.variant)
    rows = [row_of(runner, question, task.dataset) | shape for runner in runners]
    trials = [Trial(runner, row) for runner, row in zip(runners, rows, strict=True)]
    asked = []
    for trial in trials:
        runner = trial.runner
        if runner.status != "ok":
            trial.row |= {"status": runner.status, "message": runner.message}
        elif reason := runner.reason_not_to_ask(task, QUESTIONS[question].kind):
            trial.row |= {"status": "not_run", "message": reason}
        else:
            asked.append(trial)
    repeats = repeats_of(question, settings)
    for turn in range(repeats if repeats > 1 else settings["repeats"] + 1):
        for trial in asked:
            if not trial.is_over(settings, repeats):
                trial.call(turn, question, task, table, settings, repeats)
    for trial in trials:
        trial.time(rows[0])
    if rows[0].get("status") == "ok":
        for trial in trials:
            if trial.row.get("status") == "ok":
                trial.row |= agreement_of(trials[0].found, trial.found)
    return rows


class Trial:
    """A contestant on one table: what its calls took and gave."""

    def __init__(self, runner, row):
        self.runner, self.row = runner, row
        self.seconds: list[float] = []
        self.found: dict = {}
        self.ended = False

    def is_over(self, settings, repeats) -> bool:
        """After its end; after a long call, or long enough over repeats of the folds."""
        if self.ended or not self.seconds:
            return self.ended
        return (
            sum(self.seconds) > settings["repeat_seconds"]
            if repeats > 1
            else self.seconds[0] > LONG
        )

    def call(self, turn, question, task, table, settings, repeats):
        """Ask once more: for the same again, or for the next repeat of the folds.

        A repeat that fails ends the series and leaves those before it.
        """
        process, drawn_anew = self.runner.process, repeats > 1
        try:
            if turn == 0:
                self.runner.open(question, task, table, settings)
            answer = process.ask("run", settings["cpu_seconds"], repeat=turn if drawn_anew else 0)
            if turn == 0:
                self.row["memory_mb"] = answer["memory_mb"]
            if turn == 0 or drawn_anew:
                self.learn(process.ask("facts", settings["cpu_seconds"]), question)
            self.seconds.append(answer["seconds"])
            self.row["status"] = "ok"
        except Ended as end:
            self.ended = True
            if drawn_anew and turn:
                self.runner.process.stop()
                self.row["message"] = f"{turn} of {repeats} repeats: {end.status} {end}"
            else:
                self.row |= {"status": end.status, "message": end.message}
                self.runner.end(end, task)

    def learn(self, facts, question):
        """What an answer says; folds of several repeats in one list."""
        if "folds" in facts:
            wrong = sum(fold["wrong"] for fold in facts["folds"])
            facts = {
                "folds": [*self.found.get("folds", ()), *facts["folds"]],
                "errors_by_repeat": [*self.found.get("errors_by_repeat", ()), wrong],
            }
        self.found = facts
        self.row |= summary_of(facts)
        if QUESTIONS[question].without_errors and self.row["errors"]:
            raise Ended("no_answer", f"a tree with {self.row['errors']} errors")
        if facts.get("proved") is False:
            raise Ended("not_proved", "it ended without a proof")

    def time(self, ours):
        """Median and range of the CPU seconds of its calls.

        The first one warms up where there are more.
        """
        timed = [value for value in self.seconds[1:] or self.seconds if value > UNSEEN]
        if self.row.get("status") != "ok" or not timed:
            return
        self.row |= {
            "seconds": float(np.median(timed)),
            "seconds_low": min(timed),
            "seconds_high": max(timed),
        }
        self.row["runs"] = len(timed)
        if "seconds" in ours:
            self.row["ours_over_theirs"] = ours["seconds"] / self.row["seconds"]


def agreement_of(ours, theirs):
    """Whether the answers are the same; of folds, in how many leaves and predictions are."""
    if "answer" in ours and "answer" in theirs:
        return {"same": ours["answer"] == theirs["answer"]}
    pairs = list(
        zip(ours.get("folds", ()), theirs.get("folds", ()), strict=False)
    )  # one may have fewer repeats
    return {
        f"same_{name}": sum(mine[key] == their[key] for mine, their in pairs)
        for name, key in (("leaves", "leaves"), ("predictions", "guess"))
        if pairs and all(key in fold for pair in pairs for fold in pair)
    }


def summary_of(facts):
    """Columns of a row; of folds the mean error in percent over all repeats with its error, and
    mean sizes.

    The error is Nadeau and Bengio's, for training parts that overlap.
    """
    if "folds" not in facts:
        return {key: value for key, value in facts.items() if key in COLUMNS}
    folds, by_repeat = facts["folds"], facts["errors_by_repeat"]
    errors = 100 * np.array([fold["wrong"] / fold["cases"] for fold in folds])
    per_repeat = len(folds) // len(by_repeat)
    found = {
        "folds": len(folds),
        "errors": sum(by_repeat),
        "errors_by_repeat": json.dumps(by_repeat),
        "error": 100 * sum(by_repeat) / sum(fold["cases"] for fold in folds),
        "error_se": float(errors.std(ddof=1) * np.sqrt(1 / len(errors) + 1 / (per_repeat - 1))),
    }
    for key in ("leaves", "features"):
        if all(key in fold for fold in folds):
            found[key] = float(np.mean([fold[key] for fold in folds]))
    return found
