"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a kernel
from an edited module would keep giving the old answer. So every file of kernels has a cache folder
whose name carries the digest of all kernel sources that the file can reach, and the versions of
numba and Pinetum: the index of a cache names the classes of what its kernels take, wherever these
stand, and cannot be read once one has moved.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing.
They never call themselves (a cached self-recursive function aborts when it is read back).
"""

import atexit
import contextlib
import io
import json
import os
import pickletools
import sys
import tempfile
import time
import warnings
import zlib
from functools import cache
from pathlib import Path

import numba

from pinetum import __version__
from pinetum.sources import kernel_digest

CURE = "set PINETUM_KERNEL_CACHE to a folder that is yours and writable"


def cache_root() -> Path:
    """Folder of all kernel caches: $PINETUM_KERNEL_CACHE, else a private one in the user's cache
    folder.
    """
    chosen = os.environ.get("PINETUM_KERNEL_CACHE")
    if chosen:
        return Path(chosen).absolute()
    home = os.environ.get(
        "XDG_CACHE_HOME", ""
    )  # the standard: empty or relative is as if it were not set
    if not os.path.isabs(home):
        home = os.path.expanduser(
            "~/.cache"
        )  # stays as it is for a user without a home: not absolute, so no root
    return Path(home) / "pinetum" / "kernels"


@cache
def fault_of_root(root: Path) -> str:
    """Why no machine code may be kept in this folder, or nothing.

    What is cached is run, so it must be private.
    """
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
    """Where machine code of the kernels in this file is kept.

    Damaged entries go, and are made again when wanted.
    """
    # Of numba's settings only this one changes machine code and not the keys of its cache.
    checks = "-boundscheck" if numba.config.BOUNDSCHECK else ""
    versions = f"numba{numba.__version__}-pinetum{__version__}"
    name = f"{file.parent.parent.name}-{file.stem}-{kernel_digest(file)}-{versions}{checks}"
    folder = cache_root() / name
    drop_damaged(folder)
    atexit.register(drop_damaged, folder, since=time.time())
    return folder


def drop_damaged(folder: Path, since: float = -1.0) -> None:
    """Delete entries that are cut off or changed where they lie; keep the sums of the others.

    numba always puts a new file in the place of an old one, so other bytes in the same file (the
    same inode) are damage. Entries written before `since` are passed over.
    """
    sums = folder / "sums.json"
    try:
        known = {
            name: [int(file), int(total)]
            for name, (file, total) in json.loads(sums.read_text()).items()
        }
    except (OSError, ValueError, TypeError, AttributeError):
        known = {}
    kept = dict(known)
    for entry in sorted(folder.rglob("*.nb[ci]")):
        with contextlib.suppress(OSError):  # gone, or another's to mend
            with open(entry, "rb") as file:
                state = os.fstat(file.fileno())
                if state.st_mtime < since:
                    continue
                data = file.read()
            name, found = str(entry.relative_to(folder)), [state.st_ino, zlib.crc32(data)]
            before = known.get(name)
            if before != found and ((before and before[0] == found[0]) or is_damaged(data)):
                kept.pop(name, None)
                entry.unlink()
                warnings.warn(f"{entry}: damaged, compiled anew", RuntimeWarning, stacklevel=3)
            else:
                kept[name] = found
    if kept != known:
        with contextlib.suppress(OSError):
            handle, whole = tempfile.mkstemp(dir=folder)
            with os.fdopen(handle, "w") as file:
                json.dump(kept, file)
            os.replace(whole, sums)


def is_damaged(entry: bytes) -> bool:
    """Whether a cache file is cut off or not made of whole pickles.

    They are walked through, not loaded.
    """
    data = io.BytesIO(entry)
    try:
        while True:
            for _ in pickletools.genops(data):
                pass
            if data.tell() == len(entry):
                return False
    except Exception:  # whatever the bytes make of the reader
        return True


def kernel(function=None, *, inline=False, nogil=False):
    """Compile a function without the interpreter.

    `inline` is for small helpers that few places call, and for steps that one kernel alone calls:
    machine code is made anew at every level of calls, of all that lies below. `nogil` lets threads
    run it side by side.
    """
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline, nogil=nogil)
    # The Python error model costs a branch per division, up to 10x in hot loops.
    options = {"error_model": "numpy", "inline": "always" if inline else "never", "nogil": nogil}
    if numba.config.DISABLE_JIT or not check_cache():
        return numba.njit(**options)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(Path(sys.modules[function.__module__].__file__)))
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
