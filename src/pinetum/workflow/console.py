"""What a run says to the one who started it: what will happen, how far it is, what is compiled,
what failed and where its log is. Every line of Snakemake goes to a log.
"""

import queue
import re
import shutil
import sys
import threading
import time

from pinetum.visible import behind, one_line
from pinetum.workflow.studies import PARTS

TOLD = "\x1e"  # begins a line that a job tells, where `PINETUM_CONSOLE` is set
TICK = 0.5  # seconds between two states of the line on a terminal
CELLS = 20  # of the bar
LEAST = 1.0  # seconds of a job that is worth a line of its own
START = re.compile(r"(?:local)?(?:rule|checkpoint) (\w+):$")
FIELD = re.compile(r"\s+(output|jobid|log): (.*)$")
END = re.compile(r"Finished jobid: (\d+) ")
STEPS = re.compile(r"(\d+) of (\d+) steps")
FAILED = re.compile(r"Error in rule (\w+):")
NOISE = re.compile(
    r"Complete log|Shutting down|Exiting|Elapsed|Assuming|Building|Using shell|Removing"
)
VERBS = {
    "compile_kernels": "compile",
    "encode_table": "read the table",
    "compare_own": "compare all methods",
    "write_own_page": "write the page",
    "all": "",
}


def words(rule) -> str:
    """What a rule does: `explore_nbdt` asks a study about a table of one's own."""
    verb, _, rest = rule.partition("_")
    known = VERBS.get(rule)
    return known if known is not None else f"{verb} {rest.replace('_', ' ')}".strip()


class Console:
    """Turns the lines of Snakemake into those for people."""

    def __init__(self, log, out=None):
        self.log, self.out = log, out or sys.stderr
        self.terminal = self.out.isatty()
        self.begun, self.done, self.total = time.monotonic(), 0, 0
        self.planned: dict[str, int] | None = None  # while the table of jobs is read
        self.opened: dict[str, str] = {}  # the job whose lines are read
        self.running: dict[str, tuple[str, float]] = {}
        self.failed = ""
        self.failures = 0
        self.others: list[str] = []

    # ---------------------------------------------------------------- lines of Snakemake

    def take(self, line: str) -> None:
        self.log.write(line.replace(TOLD, "") + "\n")
        if line.startswith(TOLD):
            self.say(line[1:])
        elif self.planned is not None:
            self.plan(line)
        elif line == "Job stats:" and not self.total:
            self.planned = {}
        elif start := START.match(line):
            self.opened = {"rule": start[1]}
        elif failed := FAILED.match(line):
            self.failed, self.failures = failed[1], self.failures + 1
        elif field := FIELD.match(line):
            self.field(field[1], field[2])
        elif end := END.match(line):
            self.end(end[1])
        elif steps := STEPS.match(line):
            self.done, self.total = int(steps[1]), int(steps[2])
        elif line.strip() and not NOISE.match(line):
            self.others.append(line)

    def plan(self, line):
        name, _, count = line.rpartition(" ")
        if name.strip() == "total":
            self.total = int(count)
            self.say(self.promise())
            self.planned = None
        elif count.isdigit():
            self.planned[name.strip()] = int(count)

    def promise(self) -> str:
        """What will happen."""
        planned = self.planned or {}
        counted = {words(rule): count for rule, count in planned.items() if words(rule)}
        steps = [f"{what} ({count})" if count > 1 else what for what, count in counted.items()]
        said = f"{self.total - ('all' in planned)} jobs: {', '.join(steps)}."
        if "compile_kernels" in planned:
            seconds = sum(part.compiles for part in PARTS.values())
            said += (
                f" The first run on a machine compiles for up to {seconds} s of a core,"
                " later ones find the machine code."
            )
        return said

    def field(self, name, value):
        if name == "log" and self.failed:
            self.say(f"failed: {words(self.failed)}; see {value.split(' (check')[0]}")
            self.failed = ""
        elif name == "output":
            self.opened["output"] = value.split(",")[0]
        elif name == "jobid" and "rule" in self.opened:
            rule, output = self.opened["rule"], self.opened.get("output", "")
            what = words(rule)
            if rule == "compile_kernels":
                what += f" {output.rpartition('/')[2].removesuffix('.json')}"
            self.running[value] = what, time.monotonic()
            self.opened = {}

    def end(self, job):
        what, begun = self.running.pop(job, ("", time.monotonic()))
        took = time.monotonic() - begun
        self.done += 1
        if what and not self.terminal and took >= LEAST:
            self.say(f"{self.done} of {self.total}: {what}, {took:.0f} s")

    # ---------------------------------------------------------------- lines for people

    def say(self, text):
        if self.terminal:
            print("\r\x1b[K", end="", file=behind(self.out))
        print(text, file=self.out, flush=True)

    def tick(self):
        """The line on a terminal that tells how far the run is."""
        if not self.terminal or not self.total:
            return
        full = CELLS * self.done // self.total
        now = ", ".join(dict.fromkeys(what for what, _ in self.running.values() if what))
        took = int(time.monotonic() - self.begun)
        bar = f"[{'#' * full}{'.' * (CELLS - full)}] {self.done} of {self.total}"
        line = one_line(f"{bar}, {took // 60}:{took % 60:02d}{': ' if now else ''}{now}")
        width = shutil.get_terminal_size().columns - 1
        print("\r" + line[:width].ljust(width), end="", file=behind(self.out), flush=True)

    def close(self, code):
        """Where a run failed before any job, what Snakemake said of it."""
        if self.terminal and self.total:
            print("\r\x1b[K", end="", file=behind(self.out), flush=True)
        if code and not self.failures:
            faults = [n for n, line in enumerate(self.others) if "rror" in line]
            for line in self.others[faults[0] if faults else -10 :]:
                self.say(line)


def follow(stream, console) -> None:
    """Feed a process's lines to the console until it ends, with a tick in between."""
    lines: queue.Queue = queue.Queue()

    def read():
        for line in stream:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=TICK)
        except queue.Empty:
            console.tick()
            continue
        if line is None:
            return
        console.take(line)
