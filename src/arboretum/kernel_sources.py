"""Which source files the machine code of a package depends on; light enough for the Snakefile to import."""

import hashlib
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent
# A room may call the kernels of the ground floor and its own; `elimination` stands on `distinct`.
GROUND_FLOOR = ("", "data", "trees", "induction", "validation")
ALWAYS = ("constants.py", "kernel.py", "numba_insides.py")
STANDS_ON = {"elimination": ("distinct",)}


def kernel_sources(package: str) -> list[Path]:
    """Every source file with a kernel that a kernel of `package` may call."""
    packages = [*GROUND_FLOOR, *STANDS_ON.get(package, ())]
    if package not in packages:
        packages.append(package)
    files = []
    for name in packages:
        files += sorted((PACKAGE / name).glob("*.py") if name else PACKAGE.glob("*.py"))
    return [file for file in files if b"@kernel" in file.read_bytes() or file.name in ALWAYS]


@cache
def source_digest(package: str) -> str:
    digest = hashlib.sha256()
    for file in kernel_sources(package):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
