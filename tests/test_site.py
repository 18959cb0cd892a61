"""The documentation site builds without a warning, knows every public name, and its code runs."""

import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import pinetum

DOCS = Path(__file__).parents[1] / "docs"
# The steps of adding.md change a checkout, which a test of its own follows.
PAGES = sorted(
    path for path in [*DOCS.glob("*.md"), *DOCS.glob("ideas/*.md")] if path.name != "adding.md"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
@pytest.mark.filterwarnings("ignore")
def test_the_code_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names = {}
    blocks = re.findall(
        r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", page.read_text(encoding="utf-8"), re.S
    )
    for code, prints in blocks:
        with redirect_stdout(StringIO()) as printed:
            exec(compile(code, page.name, "exec"), names)
        if prints:  # what the page shows below the code
            assert printed.getvalue().strip() == prints.strip()


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path):
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-W",
        "--keep-going",
        "-q",
        str(DOCS),
        str(tmp_path / "html"),
    ]
    done = subprocess.run([*command, "-d", str(tmp_path / "trees")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    index = (tmp_path / "html" / "searchindex.js").read_text(encoding="utf-8").lower()
    listed = (tmp_path / "html" / "reference" / "python.html").read_text(encoding="utf-8")
    for name, public in ((name, getattr(pinetum, name)) for name in pinetum.PUBLIC):
        assert name in listed, name
        assert isinstance(public, dict) or name.lower() in index, name
    for page in (tmp_path / "html").rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'href="([^"#:?]+)"', text):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
