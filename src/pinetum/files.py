"""Where the project's own files and a run's results lie; files that appear whole or not at all."""

import contextlib
import csv
import errno
import os
import re
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parents[1]
# Folder of Snakefile, rules, config and scripts: the checkout, or what an installed wheel carries
# of it.
HOME = CHECKOUT if (CHECKOUT / "rules/common.smk").is_file() else PACKAGE / "workflow/home"


def results_folder() -> Path:
    """Folder of this run's results: $PINETUM_RESULTS, set by every job for itself, else
    `results`.
    """
    return Path(os.environ.get("PINETUM_RESULTS") or "results")


@contextlib.contextmanager
def whole_file(path, mode="w"):
    """Open a temporary file beside `path` and move it there only when it is complete.

    A device is written as it is.
    """
    path = Path(path)
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            # /dev/stdout, a pipe: nothing may take its place
            with open(path, mode, **text) as file:
                yield file
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, mode, **text) as file:
                yield file
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
    except BrokenPipeError:
        raise  # whoever reads had enough
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        cure = "free some space or quota and run again" if full else "write to another place"
        raise OSError(
            error.errno, f"{path}: could not be written ({error.strerror or error}); {cure}"
        ) from error


# Spreadsheets take a cell that begins with one of these as a formula. Such text is written with an
# apostrophe before it, which they show as text; `plain_cell` takes it off again. Numbers are not
# touched.
FORMULA = re.compile(r"'*[=+\-@\t\r].", re.DOTALL)


def csv_lines(path) -> list[dict]:
    """The lines of a small CSV as they are printed, without pandas."""
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def safe_cell(value):
    """Text that no spreadsheet takes as a formula; anything else as it is.

    >>> safe_cell("=1+1"), safe_cell("-1.5"), safe_cell("-"), safe_cell("'@x"), plain_cell(safe_cell("'@x"))
    ("'=1+1", '-1.5', '-', "''@x", "'@x")
    """  # noqa: E501
    return (
        f"'{value}"
        if isinstance(value, str) and FORMULA.match(value) and not _is_number(value)
        else value
    )


def plain_cell(value):
    """What `safe_cell` was given."""
    return (
        value[1:] if isinstance(value, str) and value[:1] == "'" and FORMULA.match(value) else value
    )


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True
