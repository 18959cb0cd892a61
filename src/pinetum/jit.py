"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a kernel from an
edited module would keep giving the old answer. So every file of kernels has a cache folder whose name carries
the digest of all kernel sources that the file can reach, and numba's version.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing. They never
call themselves (a cached self-recursive function aborts when it is read back).
"""

import os
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
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else Path.home() / ".cache") / "pinetum" / "kernels"


@cache
def fault_of_root(root: Path) -> str:
    """Why no machine code may be kept in this folder, or nothing. What is cached is run, so it must be private."""
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
    """Where machine code of the kernels in this file is kept."""
    return cache_root() / f"{file.parent.parent.name}-{file.stem}-{kernel_digest(file)}-numba{numba.__version__}"


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
