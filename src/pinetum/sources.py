"""Which of the package's source files a file stands on, through all imports: found from the text,
importing nothing.

One tracer for three uses: parameters of jobs (a job runs again when code that it can reach was
edited), folders of compiled kernels (machine code is found again only while every kernel that it
may hold is unchanged), tests.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parent
STATEMENT = r"(?:import (pinetum[\w.]*)|from (pinetum[\w.]*) import (\([^)]*\)|[^\n]*))"
IMPORT = re.compile(rf"^[ \t]*{STATEMENT}", re.MULTILINE)
IMPORT_AT_ONCE = re.compile(f"^{STATEMENT}", re.MULTILINE)
# A registry's functions are loaded by their file's name: whoever does so stands on every file of
# that folder.
LOADED_BY_NAME = re.compile(r'import_module\(f"(pinetum[\w.]*)\.\{')
# What decides how kernels are compiled, and the numbers that are compiled into them.
ALWAYS = (PACKAGE / "constants.py", PACKAGE / "jit.py")


def files_of(module: str) -> list[Path]:
    """The file of a module `pinetum.x.y` and the packages on its way, which are imported before
    it.
    """
    path, files = PACKAGE.parent, []
    for name in module.split("."):
        path /= name
        files += [file for file in (path / "__init__.py", path.with_suffix(".py")) if file.exists()]
    return files


@cache
def read(file: Path) -> tuple[bytes, frozenset[Path]]:
    """A file's bytes, and the files that it imports or, as a template, names."""
    content = file.read_bytes()
    text = content.decode()
    found = {other for other in file.parent.glob("*.jinja") if other.name in text}
    for folder in LOADED_BY_NAME.findall(text):
        found.update(PACKAGE.parent.joinpath(*folder.split(".")).glob("*.py"))
    # What a package offers lazily is indented; whoever uses it here imports it from its own module.
    statements = IMPORT_AT_ONCE if file.name == "__init__.py" else IMPORT
    for plain, package, names in statements.findall(text):
        found.update(files_of(plain or package))
        for name in re.findall(r"\w+", names):
            found.update(files_of(f"{package}.{name}"))
    return content, frozenset(found)


@cache
def sources_of(file: Path) -> list[Path]:
    """The file and every file of the package that it may import, by path."""
    known, open_files = {file}, [file]
    while open_files:
        fresh = read(open_files.pop())[1] - known
        known |= fresh
        open_files += fresh
    return sorted(known)


def digest(files) -> str:
    """Short digest of the names and bytes of files."""
    total = sha256()
    for file in files:
        total.update(file.name.encode())
        total.update(read(file)[0])
    return total.hexdigest()[:12]


@cache
def script_digest(script: Path) -> str:
    """Digest of a script and of all that it may import."""
    return digest(sources_of(script))


@cache
def code_digest(*modules: str) -> str:
    """Digest of modules `pinetum.x.y` and of all that they may import."""
    return digest(sorted({file for name in modules for file in sources_of(files_of(name)[-1])}))


def kernel_sources(file: Path) -> list[Path]:
    """The files that decide what kernels code in this file can reach: those in folders of kernels,
    and `ALWAYS`.
    """
    return sorted(
        {source for source in sources_of(file) if source.parent.name == "kernels"} | set(ALWAYS)
    )


@cache
def kernel_digest(file: Path) -> str:
    """Digest of every kernel that code in this file can reach."""
    return digest(kernel_sources(file))
