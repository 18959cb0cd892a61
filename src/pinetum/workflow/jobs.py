"""What every job needs around its work: a log, tidy records, provenance."""

import contextlib
import csv
import os
import subprocess
import sys
import threading
import time
import traceback
import warnings
from functools import cache, partial
from numbers import Integral, Real
from pathlib import Path

from pinetum import __version__
from pinetum.data.errors import DataError, DataWarning
from pinetum.files import CHECKOUT, HOME, PACKAGE, plain_cell, safe_cell, whole_file
from pinetum.visible import Visible, visible
from pinetum.workflow.warned import WARNING

NUMBER = "%.10g"


@contextlib.contextmanager
def job_log(path, memory_mb=None):
    """Send all a job prints, solvers' C code included, and its traceback to the rule's log.

    It still fails.

    A fault of the user's data is one sentence, in the log and on the terminal. Every ten seconds
    the log has a line. A job with a stated memory gets a `MemoryError` where it would take more.
    The log also tells where this run's results are: under a prefix, where another workflow uses
    this one.
    """
    before, found, _ = Path(path).as_posix().rpartition("results/logs/")
    if found:
        os.environ["PINETUM_RESULTS"] = f"{before}results"
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    if memory_mb is not None:
        bound_memory(int(memory_mb))
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    TERMINAL[:] = kept[1:]
    with (
        open(path, "w", buffering=1, encoding="utf-8") as log,
        contextlib.redirect_stderr(Visible(sys.stderr)),
    ):
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        over = threading.Event()
        threading.Thread(target=tell_time, args=(over,), daemon=True).start()
        try:
            # By lines: what is printed comes before what is warned of after it.
            with contextlib.redirect_stdout(Visible(log)), warnings.catch_warnings():
                warnings.showwarning = partial(show_warning, warnings.showwarning)
                yield log
        except DataError as fault:
            tell(fault)
            raise SystemExit(1) from None
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            over.set()
            TERMINAL.clear()
            sys.stdout.flush()
            sys.stderr.flush()
            for number, descriptor in zip((1, 2), kept, strict=True):
                os.dup2(descriptor, number)
                os.close(descriptor)


TERMINAL: list[int] = []  # descriptor of the terminal while a job's output goes to its log


def tell(*lines) -> None:
    """Lines for the log, and for the terminal of who started the workflow."""
    for line in lines:
        print(line, file=sys.stderr, flush=True)
        mark = "\x1e" if os.environ.get("PINETUM_CONSOLE") else ""  # that a job told it
        for descriptor in TERMINAL:
            os.write(descriptor, f"{mark}{visible(str(line))}\n".encode())


def show_warning(usual, message, category, filename, lineno, *more):
    """Our own warnings go to the log and to the terminal, those of other packages to the log."""
    if issubclass(category, DataWarning) or Path(filename).is_relative_to(PACKAGE):
        tell(f"{WARNING}{' '.join(str(message).split())}")
    else:
        usual(message, category, filename, lineno, *more)


def tell_time(over, every=10.0):
    """A line now and then until an event comes: a job that says nothing else is seen to be at
    work.
    """
    while not over.wait(every):
        print(f"... {time.process_time():.0f} s of CPU", file=sys.stderr, flush=True)


def bound_memory(megabytes) -> None:
    """Let this process allocate no more than so much, where the system can bound it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
        wanted = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (wanted if hard < 0 else min(wanted, hard), hard))


def write_records(records, path, columns=None):
    """Write records (dicts or a DataFrame) as CSV: one header, stable rows, no index, real numbers
    with ten digits.
    """
    names, values = columns_of(records, columns)
    with whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(map(safe_cell, names))
        writer.writerows(zip(*(map(safe_cell, column) for column in values), strict=True))


def columns_of(records, columns=None) -> tuple[list, list]:
    """Names and texts of the columns.

    Pandas, which takes half a second to load, is not needed for dicts.
    """
    if hasattr(records, "columns"):  # a DataFrame: a column of objects is no column of numbers
        parts = {
            name: records[name].astype(object).where(records[name].notna(), None).tolist()
            for name in records
        }
        return list(parts), [
            texts(column, records[name].dtype != object) for name, column in parts.items()
        ]
    records = list(records)
    names = list(columns or dict.fromkeys(name for record in records for name in record))
    return names, [texts([record.get(name) for record in records]) for name in names]


def texts(column, numeric=True) -> list:
    """A column's values as text: real numbers, and whole ones beside real or absent ones, as real
    numbers.
    """
    absent = [value is None or value != value for value in column]
    known = [value for value, gone in zip(column, absent, strict=True) if not gone]
    numbers = numeric and all(
        isinstance(value, Real) and not isinstance(value, bool) for value in known
    )
    real = numbers and (any(absent) or not all(isinstance(value, Integral) for value in known))
    return [
        "" if gone else NUMBER % value if real else value
        for value, gone in zip(column, absent, strict=True)
    ]


def read_text(path):
    """A CSV whose cells stay as they are printed: 0.700 keeps its digits."""
    import pandas as pd

    return unmarked(pd.read_csv(path, dtype=str, keep_default_na=False))


def read_records(path):
    import pandas as pd

    return unmarked(pd.read_csv(path, keep_default_na=False, na_values=[""], dtype={"note": str}))


def unmarked(frame):
    """A table that was read, without the marks that `write_records` put before its cells."""
    words = [
        name
        for name in frame
        if any(value.startswith("'") for value in frame[name] if isinstance(value, str))
    ]
    return frame.assign(**{name: frame[name].map(plain_cell) for name in words}).rename(
        columns=plain_cell
    )


@cache
def provenance() -> dict:
    """Package version and commit, for records.

    An installed package has no commit, whatever repository is around it.
    """
    if HOME != CHECKOUT:
        return {"version": __version__, "commit": ""}
    try:
        commit = subprocess.run(
            ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=12", "HEAD"],
            capture_output=True,
            text=True,
            timeout=10,
        ).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        commit = ""
    return {"version": __version__, "commit": commit}
