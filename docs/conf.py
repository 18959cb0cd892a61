"""The documentation site: `sphinx-build -W docs docs/_build/html`."""

import sys
from pathlib import Path

import pinetum

sys.path.insert(0, str(Path(__file__).parent))
from pages import make_pages

project = "Pinetum"
author = "The Pinetum authors"
copyright = f"2026, {author}"
version = release = pinetum.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "figures", "gallery", "scripts"]
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
html_static_path = ["static"]
html_extra_path = ["made/site"]  # the papers' pages, whole as they are
(Path(__file__).parent / html_extra_path[0]).mkdir(parents=True, exist_ok=True)
html_css_files = ["site.css"]
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


def skip_scikit_learn_s(app, what, name, thing, skip, options):
    """Methods that scikit-learn gives every estimator are documented there."""
    return True if (getattr(thing, "__module__", "") or "").startswith("sklearn") else None


def setup(app):
    app.connect("autodoc-skip-member", skip_scikit_learn_s)
    app.connect("builder-inited", make_pages)
