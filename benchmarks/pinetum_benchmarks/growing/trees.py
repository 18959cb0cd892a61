"""Records: a tree per data set of the catalogue and method, with its cross-validated error."""

from pinetum.data import NoData, load_dataset
from pinetum.own.trees import tree_record
from pinetum.progress import Progress
from pinetum.workflow.jobs import provenance


def tree_records(names, methods, folds, root, drawn=(), folder=None):
    """Records of all data sets and methods, and the trees to draw as {name: {method: Tree}}."""
    rows, trees, progress = [], {}, Progress(len(names), "data sets")
    for name in names:
        try:
            data = load_dataset(name, folder=folder)
        except NoData as fault:
            rows += [
                {"dataset": name, "method": m, "status": "no_data", "note": fault.reason}
                for m in methods
            ]
        else:
            for method in methods:
                record, tree = tree_record(data, method, folds, root)
                rows.append({**record, "dataset": name, **provenance()})
                if name in drawn:
                    trees.setdefault(name, {})[method] = tree
        progress.step()
    return rows, trees
