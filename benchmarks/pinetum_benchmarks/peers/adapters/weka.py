"""Weka's J48, in a Java virtual machine inside the contestant's process: its CPU time counts."""

import os
import tempfile

import numpy as np

HEAP = "2g"


class J48:
    """J48 with its own flags; `domains` in the data has the number of values of a discrete column,
    0 for numbers.
    """

    def __init__(self, data, flags=()):
        from weka.core import jvm

        if not jvm.started:
            jvm.start(max_heap_size=HEAP, system_info=False)
        self.flags = list(flags)
        self.domains = data.get("domains")
        self.classes = int(data["y"].max()) + 1
        self.table = None

    def prepare(self, X, y):
        """Hand the cases over, outside the clock."""
        self.table = self.instances(X, y)

    def fit(self, X, y):
        from weka.classifiers import Classifier

        table = self.instances(X, y) if self.table is None else self.table
        self.model = Classifier(classname="weka.classifiers.trees.J48", options=self.flags)
        self.model.build_classifier(table)

    def predict(self, X):
        table = self.instances(X, np.zeros(len(X), dtype=int))
        return np.array([int(self.model.classify_instance(case)) for case in table])

    def facts(self):
        leaves, nodes = (
            int(getattr(self.model.jobject, f"measure{what}")())
            for what in ("NumLeaves", "TreeSize")
        )
        return {"leaves": leaves, "nodes": nodes, "text": str(self.model)}

    def instances(self, X, y):
        from weka.core.converters import Loader

        handle, path = tempfile.mkstemp(suffix=".arff")
        with os.fdopen(handle, "w") as file:
            file.write(arff(X, y, self.domains, self.classes))
        table = Loader(classname="weka.core.converters.ArffLoader").load_file(path)
        os.unlink(path)
        table.class_is_last()
        return table


def arff(X, y, domains, classes) -> str:
    """The cases as text; numbers with all their digits."""
    domains = np.zeros(X.shape[1], dtype=int) if domains is None else domains
    lines = ["@relation cases"]
    columns = []
    for number, (values, domain) in enumerate(zip(np.asarray(X).T, domains, strict=True)):
        lines.append(f"@attribute x{number} {nominal(domain) if domain else 'numeric'}")
        columns.append(
            [
                "?" if value != value else f"v{int(value)}" if domain else repr(float(value))
                for value in values
            ]
        )
    columns.append([f"v{label}" for label in y])
    lines += [f"@attribute class {nominal(classes)}", "@data"]
    lines += map(",".join, zip(*columns, strict=True))
    return "\n".join(lines) + "\n"


def nominal(count) -> str:
    return "{" + ",".join(f"v{value}" for value in range(count)) + "}"
