"""Captions of a study's tables and figures for Snakemake's own report."""

import re

from pinetum.files import whole_file


def write_captions(paths, contents, items) -> None:
    """`paths` end in tables/<name>.rst or figures/<name>.rst.

    `items` names the paper's tables by their file names.
    """
    written = {
        (kind, entry["name"]): entry["caption"]
        for kind in ("tables", "figures")
        for entry in contents[kind]
    }
    for path in paths:
        kind, name = path.removesuffix(".rst").split("/")[-2:]
        caption = (
            written.get((kind, name))
            or f"{items[name]} of {contents['title']}: ours (published), ! outside."
        )
        said = contents["computed"]
        computed = said[kind][name] if name in said[kind] else said["published"][items[name]]
        with whole_file(path) as file:
            file.write(f"{literal(caption)}\n\n{literal(computed)}\n")


def literal(text: str) -> str:
    """Plain text as reStructuredText inside a Jinja template; `code` stays code."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*|_])", r"\\\1", part) for part in parts[::2]]
    return "{% raw %}" + "``".join(parts) + "{% endraw %}"
