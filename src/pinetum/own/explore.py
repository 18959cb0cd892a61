"""The stage that all studies have for a table of one's own."""

import json
from importlib import import_module
from pathlib import Path

from pinetum.data.dataset import Dataset
from pinetum.data.errors import NoData
from pinetum.report import style
from pinetum.workflow.job import write
from pinetum.workflow.jobs import provenance


def explore(study, table, settings, seed, inputs, outputs):
    """What a study does with a table of one's own: `explore` of the study gives its files by
    name, as records, as text, or as what draws a figure. What jobs before it have found in parts of
    the search comes to it by the names in `own: shards:` of the study's file.
    """
    module = import_module(".".join(("pinetum", study, "explore")))
    paths, note = list(map(Path, outputs.files)), ""
    found = {
        name: [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
        for name, files in inputs.files.items()
        if name not in ("kernels", "data")
    }
    try:
        made = module.explore(Dataset.load(inputs.files.data), settings, seed, **found)
    except NoData as missing:
        note = missing.reason
        row = {"table": table, "status": "no_data", "note": note}
        made = {path.name: [row] for path in paths if path.suffix == ".csv"}
    origin = provenance() | {"measured_by": f"{module.__name__}.explore"}
    for path in paths:
        content = made.get(path.name, "" if path.suffix == ".jsonl" else f"{note}\n")
        if path.suffix != ".png":
            write(content, path, origin)
            continue
        with style.guarded(path):
            nothing = isinstance(content, str)
            style.save(
                style.left_empty(style.figure(1, 0.8)[0], note) if nothing else content(), path
            )
