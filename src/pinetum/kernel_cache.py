"""Where machine code is kept: a private folder for every file of kernels.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a kernel
from an edited module would keep giving the old answer. So a folder's name carries the digest of all
kernel sources that its file can reach, and numba's version. numba also goes by the place and the
time of a source file; it is shown a copy in that folder, so that an environment or a release with
the same kernels finds their machine code again.
"""

import atexit
import contextlib
import io
import json
import os
import pickletools
import tempfile
import time
import warnings
import zlib
from functools import cache
from pathlib import Path

import numba

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
    package = file.parent.parent.name
    name = f"{package}-{file.stem}-{kernel_digest(file)}-numba{numba.__version__}{checks}"
    folder = cache_root() / name
    drop_damaged(folder)
    atexit.register(drop_damaged, folder, since=time.time())
    return folder


@cache
def kept_source(file: Path) -> Path:
    """The copy of a file of kernels by which numba names what it keeps; always of the same time."""
    copy = cache_folder(file) / file.name
    if not copy.exists():
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        handle, whole = tempfile.mkstemp(dir=copy.parent)
        with os.fdopen(handle, "wb") as kept:
            kept.write(file.read_bytes())
        os.utime(whole, (0, 0))
        os.replace(whole, copy)
    return copy


def folders() -> list[Path]:
    """The folders of machine code that are kept, of whatever version."""
    return sorted(folder for folder in cache_root().glob("*-numba*") if folder.is_dir())


def forget(files) -> None:
    """Let the kernels in these files be compiled anew."""
    for file in files:
        for entry in [*cache_folder(file).rglob("*.nbi"), cache_folder(file) / "sums.json"]:
            entry.unlink(missing_ok=True)


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
