"""Contestants as processes: start one, ask it, and make a row of whatever ends it."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from pinetum.files import PACKAGE
from pinetum_benchmarks.peers import worker

BENCHMARKS = Path(__file__).parents[1]
PATIENCE = (
    30  # wall seconds per CPU second, on a machine with much other work: ends what sleeps for ever
)
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)


class Ended(Exception):
    """The process is gone, and why."""

    def __init__(self, status, message=""):
        super().__init__(message)
        self.status, self.message = status, message


class Contestant:
    """A process that runs one contestant; it is started again after it was ended."""

    def __init__(self, python, log):
        self.python, self.log = python, log
        self.process, self.folder = None, None

    def _start(self):
        environment = os.environ | dict.fromkeys(THREADS, "1")
        if Path(self.python) == Path(sys.executable):
            known = os.environ.get("PYTHONPATH")
            environment["PYTHONPATH"] = os.pathsep.join(
                [str(BENCHMARKS.parent), *filter(None, [known])]
            )
        else:
            # These two alone: beside them lies what our own environment has, in other versions.
            self.folder = tempfile.TemporaryDirectory()
            for package in (PACKAGE, BENCHMARKS):
                (Path(self.folder.name) / package.name).symlink_to(package.resolve())
            environment["PYTHONPATH"] = self.folder.name
        try:
            self.process = subprocess.Popen(
                [str(self.python), "-m", worker.__name__],
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
            )
        except OSError as fault:
            self.stop()
            raise Ended("not_installed", f"{fault}: make the environment again") from None

    def ask(self, do, cpu_seconds=60, **request) -> dict:
        """The answer to one request; `Ended` where none comes within the limits."""
        if self.process is None:
            self._start()
        if do in ("open", "run"):
            request["cpu_seconds"] = cpu_seconds
        try:
            self.process.stdin.write(json.dumps({"do": do, **request}) + "\n")
            self.process.stdin.flush()
            line = self._line(600 + PATIENCE * cpu_seconds)
        except BrokenPipeError:
            line = ""
        if not line:
            raise self._gone(cpu_seconds)
        answer = json.loads(line)
        if answer.pop("status") != "ok":
            status = json.loads(line)["status"]
            raise Ended(status, " ".join(answer["message"].split())[:300])
        return answer

    def _line(self, wall):
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            if not selector.select(wall):
                self.process.kill()
                raise self._gone(wall, silent=True)
        return self.process.stdout.readline()

    def _gone(self, seconds, silent=False):
        code = self.process.wait()
        self.stop()
        if silent:
            return Ended("time_limit", f"no answer in {seconds:.0f} s on the wall")
        if code == -signal.SIGXCPU:
            return Ended("time_limit", f"more than {seconds:.0f} CPU seconds")
        if code in (-signal.SIGABRT, -signal.SIGKILL):
            return Ended(
                "memory_limit", f"ended by {signal.Signals(-code).name}, as when memory runs out"
            )
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return Ended("failed", f"the process ended: {name}")

    def stop(self):
        if self.process is not None:
            with contextlib.suppress(OSError):
                self.process.stdin.close()
            with contextlib.suppress(OSError):
                self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None
        if self.folder is not None:
            self.folder.cleanup()
            self.folder = None
