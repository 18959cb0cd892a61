"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a
kernel from an edited module keeps giving the old answer. So every package has a cache folder
whose name carries the digest of all kernel sources it may call and the numba version.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing.
They never call themselves (a cached self-recursive function aborts when it is read back).
"""

import os
import tempfile
from functools import cache
from pathlib import Path

import numba

from arboretum.kernel_sources import source_digest
from arboretum.numba_insides import Kernel


def cache_root() -> Path:
    """Folder of all kernel caches: $ARBORETUM_KERNEL_CACHE, else the user's cache, else a temporary one."""
    chosen = os.environ.get("ARBORETUM_KERNEL_CACHE")
    if chosen:
        return Path(chosen)
    home = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    root = home / "arboretum" / "kernels"
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=root):
            return root
    except OSError:
        return Path(tempfile.gettempdir()) / f"arboretum-kernels-{os.getuid()}"


@cache
def cache_folder(package: str) -> Path:
    name = f"{package or 'ground'}-{source_digest(package)}-numba{numba.__version__}"
    return cache_root() / name


def kernel(function=None, *, inline=False):
    """Compile a function without the interpreter; `inline` for small helpers of hot loops."""
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline)
    if numba.config.DISABLE_JIT:
        return function
    parts = function.__module__.split(".")
    package = parts[1] if len(parts) > 2 else ""
    options = {
        "nopython": True,
        "error_model": "numpy",  # the Python model costs a branch per division, up to 10x in hot loops
        "forceinline": inline,
    }
    made = Kernel(function, options)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(package))
    try:
        made.enable_caching()
    finally:
        numba.config.CACHE_DIR = before
    return made
