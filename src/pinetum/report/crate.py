"""A run as an RO-Crate: results/ro-crate-metadata.json says what every file is, what made it and
what it came from.
"""

import json
from pathlib import Path

from pinetum.files import results_folder

FORMATS = {
    "csv": "text/csv",
    "md": "text/markdown",
    "tex": "application/x-tex",
    "rst": "text/x-rst",
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "html": "text/html",
    "json": "application/json",
}
CONTEXT = "https://w3id.org/ro/crate/1.1/context"
AUTHORS = {"@id": "#authors", "@type": "Organization", "name": "The Pinetum authors"}
LICENCE = {"@id": "https://spdx.org/licenses/MIT", "@type": "CreativeWork", "name": "MIT License"}


def write_crate(contents, inputs) -> dict:
    """What every file of the run is, what made it and what it came from; the files' names are
    relative to the folder of results.
    """
    root, files = results_folder(), inputs.files
    record = json.loads(Path(files.provenance).read_text(encoding="utf-8"))
    captions = {
        f"{kind}/{study}/{entry['name']}": entry["caption"]
        for study, content in contents.items()
        for kind in ("tables", "figures")
        for entry in content[kind]
    }
    parts = []
    for name in sorted({Path(file).relative_to(root).as_posix() for file in files}):
        stem, _, kind = name.rpartition(".")
        part = {
            "@id": name,
            "@type": "File",
            "name": name,
            "contentSize": str((root / name).stat().st_size),
        }
        part |= {"encodingFormat": FORMATS[kind]} if kind in FORMATS else {}
        parts.append(part | ({"description": captions[stem]} if stem in captions else {}))
    software = {
        "@id": "#pinetum",
        "@type": "SoftwareApplication",
        "name": "Pinetum",
        "version": record["version"] + (f"+{record['commit']}" if record["commit"] else ""),
    }
    data = [
        {
            "@id": f"#data-{name}",
            "@type": "Dataset",
            "name": name,
            "description": (
                f"from {entry.get('source') or 'no source'}, sha256"
                f" {entry.get('sha256') or 'unknown'}"
            ),
        }
        for name, entry in record["sources"].items()
    ]
    papers = [
        {
            "@id": f"#paper-{study}",
            "@type": "ScholarlyArticle",
            "name": content["title"],
            "creditText": content["paper"],
        }
        for study, content in contents.items()
    ]
    action = {
        "@id": "#run",
        "@type": "CreateAction",
        "name": "Run of the workflow",
        "endTime": record["date"],
        "description": (
            f"{record['machine']['system']}, Python {record['machine']['python']}, seed"
            f" {record['seed']}"
        ),
        "instrument": {"@id": software["@id"]},
        "object": [{"@id": entry["@id"]} for entry in data],
        "result": [{"@id": part["@id"]} for part in parts],
    }
    whole = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Five studies of decision trees, replicated claim by claim",
        "description": "Tables, figures and records of a run of Pinetum, with what they came from.",
        "datePublished": record["date"],
        "license": {"@id": LICENCE["@id"]},
        "hasPart": [{"@id": part["@id"]} for part in parts],
        "mentions": {"@id": "#run"},
        "author": {"@id": AUTHORS["@id"]},
        "publisher": {"@id": AUTHORS["@id"]},
        "citation": [{"@id": paper["@id"]} for paper in papers],
    }
    head = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
        "about": {"@id": "./"},
    }
    graph = [head, whole, action, software, AUTHORS, LICENCE, *papers, *data, *parts]
    crate = {"@context": CONTEXT, "@graph": graph}
    return {"crate": json.dumps(crate, indent=1, ensure_ascii=False) + "\n"}
