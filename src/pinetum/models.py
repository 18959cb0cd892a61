"""Models as files: JSON with a format, a version and a kind.

Reading one runs nothing of what it says.

Every kind of model is listed in `KINDS` and gives plain content with `to_dict`, which `from_dict`
checks and takes back. `TableModel` joins a model with the encoding of the table that it was made
from, so that it takes new cases as they come.
"""

import importlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pinetum import __version__
from pinetum.data.encoding import Encoding
from pinetum.data.errors import DataError, shown
from pinetum.data.schema import read_json, validated
from pinetum.files import whole_file

FORMAT = "pinetum model"
# 1.1: parameters that are infinite or have keys that are no text. A file of a later version is
# refused.
VERSION = (1, 1)
# What reading may take. The largest trees that are grown here, of 300 MB, come to 2 GB, and every
# model to some ten times its file, so that nothing else is read for more than a small multiple.
MOST_MEMORY, FREE_MEMORY, TIMES_FILE = 3_000_000_000, 64_000_000, 20
# Bytes that Python takes at most for what begins or ends with these: lists, objects, keys, texts,
# numbers.
BYTES_OF = {b"[": 120, b"{": 250, b":": 160, b'"': 32, b",": 40}

KINDS = {
    "Tree": "pinetum.trees.tree",
    "PlaneTree": "pinetum.separators.tree",
    "TableModel": "pinetum.models",
    "TreeClassifier": "pinetum.estimators",
    "NBDTClassifier": "pinetum.nbdt.estimators",
    "OptimalTreeClassifier": "pinetum.optimal.estimators",
    "SeparatorClassifier": "pinetum.separators.estimators",
    "BackwardElimination": "pinetum.elimination.estimators",
    "MinimalTree": "pinetum.greedy_dp.estimators",
    "BestSubset": "pinetum.distinct.estimators",
    "NearOptimalTrees": "pinetum.distinct.estimators",
}  # name of a class with to_dict and from_dict: its module


@dataclass(frozen=True, eq=False)
class TableModel:
    """A model that takes the frames of a table: columns of names and dtypes as they come.

    Attributes
    ----------
    model : object
        Takes float64 (cases, features) as `Table.encode` gives it, and predicts indices of classes.
    encoding : Encoding
    class_names : tuple of str
    outcome : str
        Name of the class column.

    Examples
    --------
    >>> from pinetum.data import Table
    >>> from pinetum.induction import Grower, yadt
    >>> table = Table.from_frame({"size": [1.0, 2.0, None], "kind": ["a", "b", "b"]}, "kind")
    >>> TableModel.of(Grower(table, yadt()).grow(), table).predict({"size": ["0.5", 9]})
    array(['a', 'b'], dtype=object)
    """

    model: Any
    encoding: Encoding
    class_names: tuple[str, ...]
    outcome: str = "class"

    @classmethod
    def of(cls, model, table) -> "TableModel":
        """A model with the encoding of the `Table` that it was made from."""
        return cls(model, table.kept_encoding(), tuple(table.class_names), table.outcome)

    def predict(self, frame) -> np.ndarray:
        """Names of classes (cases,) for a DataFrame of new cases.

        Missing cells and unseen values are fine.
        """
        codes = np.asarray(self.model.predict(self.encoding.encode(frame))).astype(np.int64)
        return np.array(self.class_names, dtype=object)[codes]

    def predict_proba(self, frame):
        """DataFrame of class shares, one column per class."""
        import pandas as pd

        return pd.DataFrame(
            self.model.predict_proba(self.encoding.encode(frame)), columns=list(self.class_names)
        )

    def to_dict(self) -> dict:
        return {
            "kind": kind_of(self.model),
            "model": self.model.to_dict(),
            "encoding": self.encoding.to_dict(),
            "classes": list(self.class_names),
            "outcome": self.outcome,
        }

    @classmethod
    def from_dict(cls, content: dict) -> "TableModel":
        validated(content, TABLE_MODEL)
        if content["kind"] == "TableModel":
            raise DataError("a model of a table within another", cure="write it again")
        encoding = Encoding.from_dict(content["encoding"])
        model = _built(content["kind"], content["model"])
        found, wanted = size_of(model), (len(encoding.features), len(content["classes"]))
        if found != wanted:
            what = (
                f"a model of {found[0]} features and {found[1]} classes in a table of {wanted[0]}"
                f" and {wanted[1]}"
            )
            raise DataError(what, cure="write it again")
        return cls(model, encoding, tuple(content["classes"]), content["outcome"])


def size_of(model) -> tuple[int, int]:
    """Number of features that a model takes, and of classes that it gives."""
    if hasattr(model, "classes_"):  # scikit-learn's names
        return model.n_features_in_, len(model.classes_)
    if hasattr(model, "weights"):
        return model.weights.shape[1], model.counts.shape[1]
    return len(model.feature_names), model.n_classes


def kind_of(model) -> str:
    name = type(model).__name__
    if KINDS.get(name) != type(model).__module__:
        raise DataError(
            f"{name} is not a model that can be saved", cure=f"these can: {', '.join(KINDS)}"
        )
    return name


def save(model, path) -> None:
    """Write a model as JSON; the same model gives the same bytes.

    Parameters
    ----------
    model : estimator, Tree or TableModel
        A fitted model of one of the kinds in `KINDS`.
    path : str or Path

    Examples
    --------
    >>> import tempfile
    >>> from pinetum import TreeClassifier
    >>> model = TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(model, f"{folder}/model.json")
    ...     load(f"{folder}/model.json").predict([[0.5]]).tolist()
    ['a']
    """
    content = {
        "format": FORMAT,
        "version": ".".join(map(str, VERSION)),
        "written_by": f"pinetum {__version__}",
        "kind": kind_of(model),
        "model": model.to_dict(),
    }
    text = json.dumps(content, ensure_ascii=False, allow_nan=False)
    with whole_file(path) as file:
        file.write(text + "\n")


def load(path, *, memory_mb=None):
    """The model that `save` wrote.

    Parameters
    ----------
    path : str or Path
    memory_mb : float, optional
        What reading the file may take, where that is more than the models made here need: at most
        3,000, and some 20 times the file. What would take more is refused before it is read.

    Raises
    ------
    DataError
        Where the file is not such a model, is damaged, or is of a later version. Nothing in it is
        executed.

    Examples
    --------
    >>> load("gone.json")
    Traceback (most recent call last):
    pinetum.data.errors.DataError: gone.json: no such file; check the path
    """
    path = Path(path)
    if not path.is_file():
        raise DataError("no such file", file=path, cure="check the path")
    try:
        text = _bytes_within(path, memory_mb).decode()
    except UnicodeDecodeError:
        raise DataError(
            "not UTF-8 text", file=path, cure="this is not a model that Pinetum wrote"
        ) from None
    content = read_json(text, path)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DataError(
            "not a model that Pinetum wrote",
            file=path,
            cure="such files are written by `pinetum.save`",
        )
    _check_version(content.get("version"), path)
    validated(content, MODEL, path)
    try:
        return _built(content["kind"], content["model"])
    except DataError as fault:
        raise DataError(f"{fault}", file=path) from None
    except (
        ValueError,
        TypeError,
        KeyError,
        IndexError,
        OverflowError,
        RecursionError,
        AttributeError,
    ) as fault:
        raise DataError(
            f"not a {content['kind']} ({str(fault)[:200]})", file=path, cure="write it again"
        ) from fault


def _bytes_within(path, memory_mb) -> bytes:
    """A file's content, where what Python makes of it fits into memory."""
    size = path.stat().st_size
    most = min(MOST_MEMORY, FREE_MEMORY + TIMES_FILE * size)
    if memory_mb is not None:
        most = 1e6 * memory_mb
    needed = 3 * size  # bytes, text, and a part of the text
    if needed <= most:
        data = path.read_bytes()
        needed = len(data) * (3 if data.isascii() else 9)
        needed += sum(each * data.count(mark) for mark, each in BYTES_OF.items())
    if needed > most:
        raise DataError(
            f"{size:,} bytes that take up to {needed / 1e6:,.0f} MB to read, more than a model"
            f" needs ({most / 1e6:,.0f} MB)",
            file=path,
            cure="if you trust the file, give `memory_mb` (`--memory-mb`)",
        )
    return data


def _built(kind, content):
    if kind not in KINDS:
        raise DataError(
            f"{shown(kind)} is not a kind of model", cure=f"known are {', '.join(KINDS)}"
        )
    return getattr(importlib.import_module(KINDS[kind]), kind).from_dict(content)


def _check_version(version, path):
    try:
        first, second = map(int, str(version).split("."))
    except ValueError:
        raise DataError(
            f"version {shown(version)} cannot be read", file=path, cure="write the model again"
        ) from None
    if (first, second) > VERSION:
        raise DataError(
            f"version {version} is later than {VERSION[0]}.{VERSION[1]}",
            file=path,
            cure="update Pinetum",
        )
    if first < VERSION[0]:
        raise DataError(
            f"version {version} is no longer read", file=path, cure="write the model again"
        )


_TEXT = {"type": "string"}
MODEL = {
    "type": "object",
    "additionalProperties": False,
    "required": ["format", "version", "kind", "model"],
    "properties": {
        "format": _TEXT,
        "version": _TEXT,
        "written_by": _TEXT,
        "kind": _TEXT,
        "model": {"type": "object"},
    },
}
TABLE_MODEL = {
    "type": "object",
    "additionalProperties": False,
    "required": ["kind", "model", "encoding", "classes", "outcome"],
    "properties": {
        "kind": _TEXT,
        "model": {"type": "object"},
        "encoding": {"type": "object"},
        "classes": {"type": "array", "items": _TEXT, "minItems": 1, "uniqueItems": True},
        "outcome": _TEXT,
    },
}
