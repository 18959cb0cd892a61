"""The documentation site: `sphinx-build -W docs docs/_build/html`."""

import inspect
from pathlib import Path

import pinetum

project = "Pinetum"
author = "The Pinetum authors"
copyright = f"2026, {author}"
version = release = pinetum.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc", "myst_parser", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["_build", "figures", "gallery"]
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "examples",
    "filename_pattern": "/plot_",
    "abort_on_example_error": True,
    "backreferences_dir": "examples/of",
    "doc_module": ("pinetum",),
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 60,
    "within_subsection_order": "FileNameSortKey",
}
html_theme = "pydata_sphinx_theme"
html_title = "Pinetum"
html_static_path = []
html_theme_options = {
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
}
html_show_sourcelink = False
autosummary_generate = True
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]


def write_api(app):
    """One page per public name, in the order of the list in the package."""
    folder = Path(app.srcdir) / "reference" / "api"
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {"Estimators and classes": [], "Functions": [], "Registries": []}
    for name in pinetum.PUBLIC:
        public = getattr(pinetum, name)
        kind = "Estimators and classes" if inspect.isclass(public) else "Functions"
        kinds["Registries" if isinstance(public, dict) else kind].append((name, public))
    lines = ["# Python", "", "Everything below is an attribute of `pinetum`, loaded when it is first asked for.", ""]
    for kind, entries in kinds.items():
        if not entries:
            continue
        lines += [f"## {kind}", "", "| name | what it is |", "|---|---|"]
        for name, public in entries:
            if isinstance(public, dict):
                lines.append(f"| `{name}` | {', '.join(map(str, public))} |")
                continue
            first = inspect.getdoc(public).split("\n")[0]
            lines.append(f"| [{name}](api/{name}.md) | {first} |")
            directive = "autoclass" if inspect.isclass(public) else "autofunction"
            members = "\n:members:\n:inherited-members: object" if inspect.isclass(public) else ""
            page = f"# {name}\n\n```{{eval-rst}}\n.. currentmodule:: {public.__module__}\n"
            options = "".join(f"\n   {line}" for line in members.split("\n") if line)
            page += f".. {directive}:: {public.__module__}.{public.__qualname__}{options}\n```\n"
            (folder / f"{name}.md").write_text(page, encoding="utf-8")
        lines.append("")
    names = [name for entries in kinds.values() for name, public in entries if not isinstance(public, dict)]
    lines += ["```{toctree}", ":hidden:", "", *(f"api/{name}" for name in names), "```", ""]
    (Path(app.srcdir) / "reference" / "python.md").write_text("\n".join(lines), encoding="utf-8")


def skip_scikit_learn_s(app, what, name, thing, skip, options):
    """Methods that scikit-learn gives every estimator are documented there."""
    return True if (getattr(thing, "__module__", "") or "").startswith("sklearn") else None


def setup(app):
    app.connect("autodoc-skip-member", skip_scikit_learn_s)
    app.connect("builder-inited", write_api)
