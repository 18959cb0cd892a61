"""Files that appear whole or not at all."""

import contextlib
import os
import tempfile
from pathlib import Path


@contextlib.contextmanager
def whole_file(path, mode="w"):
    """Open a temporary file beside `path` and move it there only when it is complete."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with os.fdopen(handle, mode, **text) as file:
            yield file
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        raise OSError(
            error.errno,
            f"{path}: could not be written ({error.strerror}); free some space or quota and run again",
        ) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
