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
from pinetum.peers.questions import QUESTIONS, variant_name
from pinetum.peers.rivals import RIVALS
from pinetum.peers.tables import generated, prepared
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "question", "part", "dataset", "cases", "columns", "classes", "variant", "contestant", "package", "version",
    "status", "errors", "error", "error_se", "leaves", "features", "depth", "trees", "proved", "search_errors",
    "same", "folds", "same_leaves", "same_predictions", "runs", "seconds", "seconds_low", "seconds_high", "memory_mb",
    "ours_over_theirs", "asked", "differs", "message", "our_version", "commit",
]  # fmt: skip
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
    """The tables of a question one after the other; a reason in place of one that no source can serve."""
    kind = QUESTIONS[question].table
    variants, alone = settings.get("variants", [{}]), settings.get("variants_of", {})
    if unasked := set(alone) - set(settings["datasets"]):
        names = ", ".join(sorted(unasked))
        raise ValueError(f"peers, {question}: {names} of `variants_of` must stand in `datasets` too")
    for name in settings["datasets"]:
        try:
            arrays = prepared(name, kind, settings["most_cases"], seed)
        except NoData as reason:
            yield name, str(reason)
            continue
        for variant in [*variants, *alone.get(name, ())]:
            yield name, Task(DATA_SETS, name, *arrays, variant)
    for part, series in settings.get("scaling", {}).items():
        shape = series["shape"]
        for number in series["values"]:
            grown = {part: number}
            variant = variants[0] | ({} if part in shape else grown)
            arrays = generated(**{key: grown.get(key, shape[key]) for key in shape}, kind=kind, seed=seed)
            yield f"made, {part} {number}", Task(part, f"made, {part} {number}", *arrays, variant)


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
            np.savez(table, X=task.X, y=task.y, domains=task.domains, **arrays)
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
        if end.status in GAVE_UP and task.part != DATA_SETS:
            self.gave_up[task.part] = task.dataset


def folds_of(question, task, settings, seed):
    """Outer folds, and where contestants are tuned folds inside each training part, the same for all."""
    fold = stratified_folds(task.y, settings["folds"], stream(seed, "peers", "folds", task.dataset))
    if QUESTIONS[question].kind != "folds":
        return {"fold": fold}
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
    shape["variant"] = variant_name(task.variant)
    rows = [row_of(runner, question, task.dataset) | shape for runner in runners]
    seconds: list[list[float]] = [[] for _ in runners]
    found: dict[int, dict] = {}
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
            runner = runners[number]
            try:
                if turn == 0:
                    runner.open(question, task, table, settings)
                answer = runner.process.ask("run", settings["cpu_seconds"])
                seconds[number].append(answer["seconds"])
                if turn == 0:
                    found[number] = runner.process.ask("facts", settings["cpu_seconds"])
                    rows[number] |= {"status": "ok", "memory_mb": answer["memory_mb"], **summary_of(found[number])}
                    if QUESTIONS[question].without_errors and rows[number]["errors"]:
                        raise Ended("no_answer", f"a tree with {rows[number]['errors']} errors")
                    if found[number].get("proved") is False:
                        raise Ended("not_proved", "it ended without a proof")
            except Ended as end:
                rows[number] |= {"status": end.status, "message": end.message}
                alive.remove(number)
                runner.end(end, task)
    for number in alive:
        timed = [value for value in seconds[number][1:] or seconds[number] if value > UNSEEN]
        if not timed:
            continue
        rows[number] |= {"seconds": float(np.median(timed)), "seconds_low": min(timed), "seconds_high": max(timed)}
        rows[number]["runs"] = len(timed)
        if "seconds" in rows[0]:
            rows[number]["ours_over_theirs"] = rows[0]["seconds"] / rows[number]["seconds"]
    for number in alive:
        if 0 in alive:
            rows[number] |= agreement_of(found[0], found[number])
    return rows


def agreement_of(ours, theirs):
    """Whether the answers are the same; of folds, in how many leaves and predictions are."""
    if "answer" in ours and "answer" in theirs:
        return {"same": ours["answer"] == theirs["answer"]}
    pairs = list(zip(ours.get("folds", ()), theirs.get("folds", ()), strict=True))
    return {
        f"same_{name}": sum(mine[key] == their[key] for mine, their in pairs)
        for name, key in (("leaves", "leaves"), ("predictions", "guess"))
        if pairs and all(key in fold for pair in pairs for fold in pair)
    }


def summary_of(facts):
    """Columns of a row; of folds the mean error in percent with its error, and mean sizes."""
    if "folds" not in facts:
        return {key: value for key, value in facts.items() if key in COLUMNS}
    folds = facts["folds"]
    errors = 100 * np.array([fold["wrong"] / fold["cases"] for fold in folds])
    found = {
        "folds": len(folds),
        "errors": sum(fold["wrong"] for fold in folds),
        "error": 100 * sum(fold["wrong"] for fold in folds) / sum(fold["cases"] for fold in folds),
        "error_se": float(errors.std(ddof=1) / np.sqrt(len(errors))) if len(errors) > 1 else None,
    }
    for key in ("leaves", "features"):
        if all(key in fold for fold in folds):
            found[key] = float(np.mean([fold[key] for fold in folds]))
    return found
