"""The one decorator for compiled code, and where its machine code is kept.

numba's own disk cache does not notice an edit in another file: a cached kernel that calls a
kernel from an edited module keeps giving the old answer. So every package has a cache folder
whose name carries the digest of all kernel sources it may call and the numba version.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing.
They never call themselves (a cached self-recursive function aborts when it is read back).
"""

import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path

import numba

PACKAGE = Path(__file__).parent
# A room may call the kernels of the ground floor and its own; `elimination` stands on `distinct`.
GROUND_FLOOR = ("", "data", "trees", "induction", "validation")
STANDS_ON = {"elimination": ("distinct",)}


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


def kernel_sources(package: str) -> list[Path]:
    """Every source file with a kernel that a kernel of `package` may call."""
    packages = [*GROUND_FLOOR, *STANDS_ON.get(package, ())]
    if package not in packages:
        packages.append(package)
    files = []
    for name in packages:
        files += sorted((PACKAGE / name).glob("*.py") if name else PACKAGE.glob("*.py"))
    return [file for file in files if b"@kernel" in file.read_bytes() or file.name == "constants.py"]


@cache
def source_digest(package: str) -> str:
    digest = hashlib.sha256()
    for file in kernel_sources(package):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def cache_folder(package: str) -> Path:
    name = f"{package or 'ground'}-{source_digest(package)}-numba{numba.__version__}"
    return cache_root() / name


def kernel(function=None, *, inline=False):
    """Compile a function without the interpreter; `inline` for tiny helpers of hot loops."""
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline)
    parts = function.__module__.split(".")
    package = parts[1] if len(parts) > 2 else ""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(cache_folder(package))
    try:
        return numba.njit(
            cache=True,
            error_model="numpy",  # the Python model costs a branch per division, up to 10x in hot loops
            inline="always" if inline else "never",
        )(function)
    finally:
        numba.config.CACHE_DIR = before
