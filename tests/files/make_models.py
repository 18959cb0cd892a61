"""Write one model of every kind as files of today's version: `python tests/files/make_models.py`.

Run it once when the version of files goes up. Files of earlier versions stay: `test_models.py`
reads them all, and compares what they predict with what they predicted when they were written.
Those of 1.0 were written by this file at the last commit of that version, with parameters that it
could keep: `class_weight="balanced"`, `n0=10`.
"""

import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import pinetum
from pinetum.models import VERSION, TableModel

HERE = Path(__file__).parent
MODELS = {
    "tree": pinetum.TreeClassifier("c45", prune=True, class_weight={"yes": 2, "no": 1}),
    "nbdt": pinetum.NBDTClassifier(2, n0=np.inf),
    "separator": pinetum.SeparatorClassifier(max_depth=2),
    "minimal": pinetum.MinimalTree("depth", alpha_rows=3),
    "best-subset": pinetum.BestSubset(3, min_cases=10),
    "near-optimal-trees": pinetum.NearOptimalTrees(folds=3, min_cases=10, keep=3),
    "elimination": pinetum.BackwardElimination(folds=2),
}


def cases():
    """Forty cases of every kind of column, the same for ever."""
    place = np.arange(40)
    frame = pd.DataFrame(
        {
            "colour": np.array(["red", "green", "blue"], dtype=object)[place * 7 % 3],
            "size": (place * 13 % 17) / 4,
            "old": place % 5 < 2,
        }
    )
    y = np.where((frame["colour"] == "red") ^ (frame["size"] > 2), "yes", "no")
    frame.loc[::11, "size"], frame.loc[5::13, "colour"] = np.nan, None
    return frame, y


def main():
    warnings.simplefilter("ignore")
    frame, y = cases()
    folder = HERE / f"models-{'.'.join(map(str, VERSION))}"
    folder.mkdir(exist_ok=True)
    answers = {}
    for name, model in MODELS.items():
        model.fit(frame, y)
        pinetum.save(model, folder / f"{name}.json")
        answers[name] = (
            model.predict(frame).tolist() if hasattr(model, "predict") else model.support_.tolist()
        )
    table = pinetum.Table.from_frame(frame, y)
    grown = pinetum.TreeClassifier().fit(table).tree_
    for name, model in (("plain-tree", grown), ("table-model", TableModel.of(grown, table))):
        pinetum.save(model, folder / f"{name}.json")
    answers["table-model"] = TableModel.of(grown, table).predict(frame).tolist()
    (folder / "answers.json").write_text(json.dumps(answers, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
