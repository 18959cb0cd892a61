"""Ask one question of all contestants: the same tables, in turns, one process each; every outcome is a row."""

import contextlib
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pinetum.data import NoData
from pinetum.peers.process import Contestant as Process
from pinetum.peers.process import Ended
from pinetum.peers.questions import QUESTIONS
from pinetum.peers.rivals import RIVALS
from pinetum.peers.tables import generated, prepared
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "question", "part", "dataset", "cases", "columns", "classes", "variant", "contestant", "package", "version",
    "status", "errors", "error", "error_se", "leaves", "features", "depth", "trees", "proved", "search_errors",
    "runs", "seconds", "seconds_low", "seconds_high", "memory_mb", "ours_over_theirs", "asked", "differs",
    "message", "our_version", "commit",
]  # fmt: skip
LONG = 1.0  # CPU seconds of a call that needs no repetition, and no call before it to warm up
GAVE_UP = ("time_limit", "memory_limit")


@dataclass(frozen=True)
class Task:
    """One table, and a variant of the question."""

    part: str  # "data sets", or what grows in a series of made tables
    dataset: str
    X: np.ndarray
    y: np.ndarray
    variant: dict


def tasks_of(question, settings, seed):
    """The tables of a question one after the other; a reason in place of one that no source can serve."""
    kind = QUESTIONS[question].table
    variants = settings.get("variants", [{}])
    for name in settings["datasets"]:
        try:
            X, y = prepared(name, kind, settings["most_cases"], seed)
        except NoData as reason:
            yield name, str(reason)
            continue
        for variant in variants:
            yield name, Task("data sets", name, X, y, variant)
    for part, series in settings.get("scaling", {}).items():
        shape = dict(series["shape"])
        for number in series["values"]:
            variant = {}
            if part in shape or part in ("rows", "columns", "classes"):
                shape[part] = number
                variant = variants[0]
            else:
                variant = variants[0] | {part: number}
            X, y = generated(shape["rows"], shape["columns"], shape["classes"], kind, seed)
            yield f"made, {part} {number}", Task(part, f"made, {part} {number}", X, y, variant)


def measure(question, settings, environments, seed) -> list[dict]:
    """Records of a question.

    Parameters
    ----------
    question : str
        A key of `QUESTIONS`.
    settings : dict
        Its section of the configuration: datasets, most_cases, repeats, cpu_seconds, memory_mb, leave_out, ...
    environments : dict
        Group -> what became of its environment: see `environments.read_environments`.
    seed : int
        Root of the random streams that draw folds, parts of tables and made tables.
    """
    records = []
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        runners = runners_of(question, settings, environments, stack)
        for name, task in tasks_of(question, settings, seed):
            if isinstance(task, str):
                records += [
                    row_of(runner, question, name) | {"status": "no_data", "message": task} for runner in runners
                ]
                continue
            print(f"{name} {task.variant}", flush=True)
            table = folder / "table.npz"
            arrays = folds_of(question, task, settings, seed)
            np.savez(table, X=task.X, y=task.y, **arrays)
            records += compare(runners, question, task, table, settings)
    return records


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
    """A contestant, its process, and in which series of growing tables it gave up."""

    def __init__(self, contestant, environments):
        self.contestant = contestant
        rival = RIVALS[contestant.rival]
        environment = environments.get(rival.group, {"status": "ok", "python": sys.executable, "message": ""})
        self.status, self.message = environment["status"], environment["message"]
        self.process = Process(environment["python"], sys.stderr)
        self.package, self.version, self.gave_up = rival.package, "", {}
        if not rival.group:
            self.version = provenance()["version"]
        elif self.status == "ok":
            try:
                self.version = self.process.ask("version", package=rival.package)["version"]
            except Ended as end:
                self.status, self.message = "not_installed", end.message
        print(f"{contestant.label}: {self.package} {self.version} {self.status} {self.message}", flush=True)

    def options(self, variant, settings):
        options = self.contestant.options | variant
        if self.contestant.limit:
            options[self.contestant.limit] = settings["cpu_seconds"]
        if self.contestant.grid:
            options["grid"] = list(self.contestant.grid)
        return options


def folds_of(question, task, settings, seed):
    """Outer folds, and folds inside each training part, the same for all."""
    if QUESTIONS[question].kind != "folds":
        return {}
    fold = stratified_folds(task.y, settings["folds"], stream(seed, "peers", "folds", task.dataset))
    inner = np.full((settings["folds"], len(fold)), -1, dtype=np.int32)
    for number in range(settings["folds"]):
        train = np.flatnonzero(fold != number)
        rng = stream(seed, "peers", "inner folds", task.dataset, number)
        inner[number, train] = stratified_folds(task.y[train], settings["inner_folds"], rng)
    return {"fold": fold, "inner": inner, "inner_folds": np.array(settings["inner_folds"])}


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
    }


def compare(runners, question, task, table, settings):
    """One row per contestant on one table; the calls take turns, so that a slow spell of the machine meets all."""
    shape = {"part": task.part, "cases": task.X.shape[0], "columns": task.X.shape[1], "classes": int(task.y.max()) + 1}
    shape["variant"] = ", ".join(f"{key} {value}" for key, value in task.variant.items())
    rows = [row_of(runner, question, task.dataset) | shape for runner in runners]
    seconds = [[] for _ in runners]
    alive = []
    for number, runner in enumerate(runners):
        if runner.status != "ok":
            rows[number] |= {"status": runner.status, "message": runner.message}
        elif task.part in runner.gave_up:
            rows[number] |= {"status": "not_run", "message": f"gave up at {runner.gave_up[task.part]}"}
        else:
            alive.append(number)
    for turn in range(settings["repeats"] + 1):
        for number in list(alive):
            if turn and seconds[number][0] > LONG:
                continue
            runner, row = runners[number], rows[number]
            try:
                if turn == 0:
                    runner.process.ask(
                        "open",
                        call=runner.contestant.call,
                        data=str(table),
                        options=runner.options(task.variant, settings),
                        kind=QUESTIONS[question].kind,
                        memory_mb=settings["memory_mb"],
                    )
                answer = runner.process.ask("run", settings["cpu_seconds"])
                if turn == 0:
                    row["memory_mb"] = answer["memory_mb"]
                seconds[number].append(answer["seconds"])
                if turn == 0:
                    row |= {"status": "ok", **summary_of(runner.process.ask("facts", settings["cpu_seconds"]))}
            except Ended as end:
                row |= {"status": end.status, "message": end.message}
                alive.remove(number)
                runner.process.stop()
                if end.status in GAVE_UP and task.part != "data sets":
                    runner.gave_up[task.part] = task.dataset
    for number, row in enumerate(rows):
        if row["status"] == "ok":
            timed = seconds[number][1:] or seconds[number]
            row |= {"seconds": float(np.median(timed)), "runs": len(timed)}
            row |= {"seconds_low": min(timed), "seconds_high": max(timed)}
    for row in rows:
        if row["status"] == rows[0]["status"] == "ok":
            row["ours_over_theirs"] = rows[0]["seconds"] / row["seconds"]
    return rows


def summary_of(facts):
    """Columns of a row; of folds the mean error in percent with its error, and mean sizes."""
    if "folds" not in facts:
        return {key: value for key, value in facts.items() if key in COLUMNS}
    folds = facts["folds"]
    errors = 100 * np.array([fold["wrong"] / fold["cases"] for fold in folds])
    found = {
        "errors": sum(fold["wrong"] for fold in folds),
        "error": 100 * sum(fold["wrong"] for fold in folds) / sum(fold["cases"] for fold in folds),
        "error_se": float(errors.std(ddof=1) / np.sqrt(len(errors))) if len(errors) > 1 else None,
    }
    for key in ("leaves", "features"):
        if all(key in fold for fold in folds):
            found[key] = float(np.mean([fold[key] for fold in folds]))
    return found
