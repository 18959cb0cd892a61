"""A user's own table: which features go, in which order, and what that does to the error."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.elimination.backward import Workspace, select_in, tree_errors
from pinetum.induction import yadt
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds, stratified_split
from pinetum.workflow.jobs import provenance

COLUMNS = [
    "what", "feature", "status", "kept", "step", "search_error", "folds_kept", "folds", "top_error", "error",
    "seconds", "note", "version", "commit",
]  # fmt: skip


def own_records(path, settings, root) -> list[dict]:
    """One row for the whole and one per feature: kept or not, at which step it went, in how many folds it is kept."""
    data = Dataset.load(path)
    reason = unsuitable(data, settings["folds"])
    if reason:
        return [{"what": "table", "status": "unsuitable", "note": reason, **provenance()}]
    workspace = Workspace(data, settings["cache_mb"])
    options = yadt(settings["min_cases"]).but(min_branch=float(settings["min_branch"]), penalty=settings["penalty"])
    building, search = stratified_split(
        data.labels, settings["building"], stream(root, "elimination", data.name, "own")
    )
    whole = select_in(workspace.table(data, building, search), workspace, way="bounded", options=options)
    kept = np.zeros(data.n_features, dtype=np.int64)
    top_errors = errors = 0
    seconds = whole.seconds
    folds = stratified_folds(data.labels, settings["folds"], stream(root, "elimination", data.name, "folds"))
    for fold in range(settings["folds"]):
        training, held_out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        rng = stream(root, "elimination", data.name, "split", 0, fold)
        part, rest = stratified_split(data.labels[training], settings["building"], rng)
        found = select_in(
            workspace.table(data, training[part], training[rest]), workspace, way="bounded", options=options
        )
        table = workspace.table(data, training, held_out)
        kept += found.selected
        seconds += found.seconds
        top_errors += tree_errors(table, workspace, options=options)
        errors += tree_errors(table, workspace, options=options, offered=found.selected)
    records = [
        {
            "what": "table",
            "feature": "",
            "status": "ok",
            "kept": int(whole.selected.sum()),
            "step": len(whole.removed),
            "search_error": 100 * whole.errors[-1] / len(search),
            "folds": settings["folds"],
            "top_error": 100 * top_errors / data.n_cases,
            "error": 100 * errors / data.n_cases,
            "seconds": seconds,
            "note": f"search error of all features {100 * whole.errors[0] / len(search):.4g} %",
            **provenance(),
        }
    ]
    step_of = {int(feature): step for step, feature in enumerate(whole.removed, start=1)}
    for feature, name in enumerate(data.feature_names):
        step = step_of.get(feature)
        records.append(
            {
                "what": "feature",
                "feature": name,
                "status": "ok",
                "kept": int(whole.selected[feature]),
                "step": "" if step is None else step,
                "search_error": "" if step is None else 100 * whole.errors[step] / len(search),
                "folds_kept": int(kept[feature]),
                "folds": settings["folds"],
                **provenance(),
            }
        )
    return records


def unsuitable(data, folds) -> str:
    counts = data.class_counts()
    if data.n_features == 0:
        return "no features"
    if np.count_nonzero(counts) < 2:
        return "one class only"
    if data.n_cases < 2 * folds:
        return f"{data.n_cases} cases are too few for {folds} folds"
    return ""
