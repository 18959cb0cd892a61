"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a kernel from an
edited module would keep giving the old answer. So every file of kernels has a cache folder whose name carries
the digest of all kernel sources that the file can reach, and numba's version.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing. They never
call themselves (a cached self-recursive function aborts when it is read back).
"""

import contextlib
import io
import os
import pickletools
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path

import numba

from pinetum.sources import kernel_digest

CURE = "set PINETUM_KERNEL_CACHE to a folder that is yours and writable"


def cache_root() -> Path:
    """Folder of all kernel caches: $PINETUM_KERNEL_CACHE, else a private one in the user's cache folder."""
    chosen = os.environ.get("PINETUM_KERNEL_CACHE")
    if chosen:
        return Path(chosen).absolute()
    home = os.environ.get("XDG_CACHE_HOME", "")  # the standard: empty or relative is as if it were not set
    if not os.path.isabs(home):
        home = os.path.expanduser("~/.cache")  # stays as it is for a user without a home: not absolute, so no root
    return Path(home) / "pinetum" / "kernels"


@cache
def fault_of_root(root: Path) -> str:
    """Why no machine code may be kept in this folder, or nothing. What is cached is run, so it must be private."""
    if not root.is_absolute():
        return f"{root} is not an absolute path"
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = root.stat()
        if hasattr(os, "geteuid") and state.st_uid != os.geteuid():
            return f"{root} belongs to another user"
        if state.st_mode & 0o022:
            return f"{root} can be written by other users"
        with tempfile.TemporaryFile(dir=root):
            return ""
    except OSError as error:
        return f"{root} cannot be written ({error.strerror})"


def check_cache() -> bool:
    """Whether machine code can be kept; warns once, or raises where the user chose the folder."""
    fault = fault_of_root(cache_root())
    if not fault:
        return True
    if os.environ.get("PINETUM_KERNEL_CACHE"):
        raise OSError(f"PINETUM_KERNEL_CACHE: {fault}; {CURE}")
    warn_once(f"kernels are compiled anew in every process: {fault}; {CURE}")
    return False


@cache
def warn_once(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)


@cache
def cache_folder(file: Path) -> Path:
    """Where machine code of the kernels in this file is kept; damaged entries go, and are made again when wanted."""
    folder = cache_root() / f"{file.parent.parent.name}-{file.stem}-{kernel_digest(file)}-numba{numba.__version__}"
    for entry in sorted(folder.rglob("*")):
        if entry.is_file() and is_damaged(entry):
            with contextlib.suppress(OSError):
                entry.unlink()
                warnings.warn(f"{entry}: damaged, compiled anew", RuntimeWarning, stacklevel=2)
    return folder


def is_damaged(entry: Path) -> bool:
    """Whether a cache file is cut off or not made of whole pickles; they are walked through, not loaded."""
    try:
        data = io.BytesIO(entry.read_bytes())
        size = data.getbuffer().nbytes
        while True:
            for _ in pickletools.genops(data):
                pass
            if data.tell() == size:
                return False
    except OSError:
        return False  # gone, or another's to mend
    except Exception:  # whatever the bytes make of the reader
        return True


def kernel(function=None, *, inline=False):
    """Compile a function without the interpreter; `inline` for small helpers that are called in few places."""
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline)
    # The Python error model costs a branch per division, up to 10x in hot loops.
    options = {"error_model": "numpy", "inline": "always" if inline else "never"}
    if numba.config.DISABLE_JIT or not check_cache():
        return numba.njit(**options)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(sys.modules[function.__module__].__file__)))
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
