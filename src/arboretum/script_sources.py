"""Which of our source files a script stands on, through all imports; light enough for the Snakefile to import."""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path

PACKAGE = Path(__file__).parent
STATEMENT = r"(?:import (arboretum[\w.]*)|from (arboretum[\w.]*) import (\([^)]*\)|[^\n]*))"
IMPORT = re.compile(rf"^[ \t]*{STATEMENT}", re.MULTILINE)
IMPORT_AT_ONCE = re.compile(f"^{STATEMENT}", re.MULTILINE)


def files_of(module: str) -> list[Path]:
    """The file of a module `arboretum.x.y` and the packages on its way, which are imported before it."""
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
    # What a package offers lazily, to those who ask, is indented; whoever uses it here imports it from its own module.
    statements = IMPORT_AT_ONCE if file.name == "__init__.py" else IMPORT
    for plain, package, names in statements.findall(text):
        found.update(files_of(plain or package))
        for name in re.findall(r"\w+", names):
            found.update(files_of(f"{package}.{name}"))
    return content, frozenset(found)


@cache
def script_sources(script: Path) -> list[Path]:
    """The script and every file of the package that it may import, by path."""
    known, open_files = {script}, [script]
    while open_files:
        fresh = read(open_files.pop())[1] - known
        known |= fresh
        open_files += fresh
    return sorted(known)


@cache
def script_digest(script: Path) -> str:
    digest = sha256()
    for file in script_sources(script):
        digest.update(file.name.encode())
        digest.update(read(file)[0])
    return digest.hexdigest()[:12]
