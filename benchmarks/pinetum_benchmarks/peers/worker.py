"""One contestant in a process of its own, under its own Python: requests and answers are lines of
JSON.

It stands on the standard library and numpy alone, so that it runs in environments that have nothing
else of ours. A contestant is a class in a file of `adapters`: `Learner(data, **options)` with
`fit(X, y)`, and, as far as it has them, `predict(X)` and `facts()`, a dict of what was found
(leaves, features, trees, proved).
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time

import numpy as np

LEAST, MOST = (
    0.05,
    1000,
)  # CPU seconds of a measurement, which repeats a shorter call, and how often at most
LOADING = 30  # CPU seconds for what is loaded or compiled at the first call
WARMING = 40  # cases of the table that compiles kernels and loads what is loaded when first used


def status_mb(key) -> float | None:
    """A line of /proc/self/status in megabytes; None where the system has no such file."""
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith(key))
    except (OSError, StopIteration):
        return None


def forget_peak():
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def limit_memory(megabytes):
    """What is allocated from here on.

    The system counts private memory, not what a library merely reserves.
    """
    present = status_mb("VmData")
    if present is not None:
        most = int((present + megabytes) * 2**20)
        resource.setrlimit(
            resource.RLIMIT_DATA, (most, resource.getrlimit(resource.RLIMIT_DATA)[1])
        )


def limit_cpu(seconds):
    """The system ends the process by SIGXCPU when it has used so many more CPU seconds."""
    most = int(np.ceil(time.process_time() + seconds))
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def few_cases(y, rng):
    """Some cases of every class."""
    first = np.concatenate([np.flatnonzero(y == label)[:2] for label in np.unique(y)])
    return np.unique(np.concatenate([first, rng.permutation(len(y))[:WARMING]]))


class Fit:
    """The question is one fit to all cases."""

    def __init__(self, make, data, options):
        self.make, self.data, self.options = make, data, options

    def start(self):
        self.learner = self.make(self.data, **self.options)
        if hasattr(self.learner, "prepare"):  # hands the table over to another language
            self.learner.prepare(self.data["X"], self.data["y"])

    def run(self, repeat=0, cpu_seconds=None):
        self.learner.fit(self.data["X"], self.data["y"])

    def facts(self):
        facts = facts_of(self.learner)
        if hasattr(self.learner, "predict"):
            wrong = np.asarray(self.learner.predict(self.data["X"])) != self.data["y"]
            facts["errors"] = int(np.count_nonzero(wrong))
        return facts


class Folds:
    """The question is the error on held-out folds.

    The grid's best option is chosen inside every training part.

    `fold` has a row per repeat, the folds drawn anew, and `inner` those inside the training parts
    of each. The limit of CPU time is that of one training part.
    """

    def __init__(self, make, data, options):
        self.make, self.data = make, data
        self.grid = options.pop("grid", [{}])
        self.options = options

    def start(self):
        pass

    def run(self, repeat=0, cpu_seconds=None):
        X, y = self.data["X"], self.data["y"]
        fold, inner = self.data["fold"][repeat], self.data["inner"][repeat]
        self.found = []
        for number in range(fold.max() + 1):
            if cpu_seconds is not None:
                limit_cpu(cpu_seconds)
            train = np.flatnonzero(fold != number)
            chosen = self.grid[0] if len(self.grid) == 1 else self.best(X, y, train, inner[number])
            learner = self.fitted(chosen, X, y, train)
            test = np.flatnonzero(fold == number)
            guess = np.asarray(learner.predict(X[test]))
            facts = facts_of(learner)
            facts |= {
                "wrong": int(np.count_nonzero(guess != y[test])),
                "cases": len(test),
                "chosen": chosen,
            }
            self.found.append(facts | {"guess": guess.astype(int).tolist()})

    def best(self, X, y, train, inner):
        """The first of the options that err least on the inner folds of the training part."""
        wrong = []
        for options in self.grid:
            errors = 0
            for number in range(inner.max() + 1):
                test = train[inner[train] == number]
                learner = self.fitted(options, X, y, train[inner[train] != number])
                errors += np.count_nonzero(np.asarray(learner.predict(X[test])) != y[test])
            wrong.append(errors)
        return self.grid[int(np.argmin(wrong))]

    def fitted(self, options, X, y, cases):
        learner = self.make(self.data, **self.options, **options)
        learner.fit(X[cases], y[cases])
        return learner

    def facts(self):
        return {"folds": self.found}


def first_of(options) -> dict:
    """Options with the first of the grid."""
    options = dict(options)
    return options | options.pop("grid", [{}])[0]


def facts_of(learner):
    return dict(learner.facts()) if hasattr(learner, "facts") else {}


KINDS = {"fit": Fit, "folds": Folds}


class Session:
    def __init__(self):
        self.job, self.times = None, 1

    def version(self, package):
        from importlib.metadata import version

        return {"version": version(package)}

    def open(self, call, data, options, kind, memory_mb, cpu_seconds):
        """Load a contestant and a table; a first fit to a few cases is outside every clock."""
        module, _, name = call.partition(":")
        found = importlib.import_module(
            module if "." in module else f"pinetum_benchmarks.peers.adapters.{module}"
        )
        make = getattr(found, name)
        with np.load(data, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
        limit_cpu(LOADING + cpu_seconds)
        few = few_cases(arrays["y"], np.random.default_rng(0))
        small = arrays | {
            "X": arrays["X"][few],
            "y": arrays["y"][few],
            "fold": arrays["fold"][..., few],
        }
        with contextlib.suppress(Exception):
            job = Fit(make, small, first_of(options))
            job.start()
            job.run()
        limit_memory(memory_mb)
        self.job, self.times = KINDS[kind](make, arrays, dict(options)), 1
        return {}

    def run(self, cpu_seconds, repeat=0):
        limit_cpu(cpu_seconds)
        forget_peak()
        before = status_mb("VmRSS")
        self.job.start()
        begun = time.process_time()
        for _ in range(self.times):
            self.job.run(repeat, cpu_seconds)
        seconds = (time.process_time() - begun) / self.times
        self.times = int(np.ceil(LEAST / max(seconds, LEAST / MOST)))
        peak = status_mb("VmHWM")
        memory = None if peak is None else max(0.0, peak - before)
        limit_cpu(cpu_seconds + 600)
        return {"seconds": seconds, "memory_mb": memory}

    def facts(self):
        return self.job.facts()


def plain(value):
    """Numbers of numpy as JSON knows them."""
    return value.item() if hasattr(value, "item") else str(value)


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what a library prints goes to the log
    session = Session()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"status": "ok", **getattr(session, request.pop("do"))(**request)}
        except MemoryError as fault:
            answer = {"status": "memory_limit", "message": str(fault)}
        except TimeoutError as fault:
            answer = {"status": "time_limit", "message": str(fault)}
        except Exception as fault:  # a contestant's failure is a result
            status = "memory_limit" if "bad_alloc" in str(fault) else "failed"
            answer = {"status": status, "message": f"{type(fault).__name__}: {fault}"}
        answers.write(json.dumps(answer, default=plain) + "\n")


if __name__ == "__main__":
    main()
