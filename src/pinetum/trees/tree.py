"""The tree every grower gives back and every reader takes."""

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, shown
from pinetum.data.schema import CURE, check_tree, read_json, real_numbers, validated, whole_numbers
from pinetum.files import whole_file
from pinetum.parameters import positions
from pinetum.trees.kernels import dropping as kernels
from pinetum.trees.kernels.walking import walk_numbers

FORMAT = "pinetum tree 1"


def _as_it_lies(table):
    """The memory of a table of float32 or float64, and its steps from row to row and from column to
    column; what lies otherwise is copied.
    """
    size = table.itemsize
    if (
        table.dtype not in (np.float32, np.float64)
        or not table.flags.aligned
        or any(step < 0 or step % size for step in table.strides)
    ):
        table = np.ascontiguousarray(table, dtype=np.float64)
        size = table.itemsize
    steps = [step // size for step in table.strides]
    last = sum((length - 1) * step for length, step in zip(table.shape, steps, strict=True))
    return as_strided(table, (last + 1,), (size,), writeable=False), *steps


class Sizes(NamedTuple):
    """Node counts; papers differ in which of them they call the size."""

    nodes: int  # leaves and internal nodes, empty leaves included
    internal: int
    leaves: int  # empty leaves included
    empty_leaves: int
    depth: int  # a lone leaf has depth 0


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree as flat arrays in preorder; node 0 is the root.

    Attributes
    ----------
    feature : int32 array of shape (nodes,)
        -1 in a leaf.
    threshold : float64 array of shape (nodes,)
        A continuous split sends values <= threshold left; NaN otherwise.
    cut : int32 array of shape (nodes,)
        The same split in rank codes, codes <= cut go left; -1 otherwise.
    child_start : int32 array of shape (nodes + 1,)
    children : int32 array
        The branches of node i are children[child_start[i] : child_start[i + 1]], one per value of a
        discrete feature's domain, or left and right.
    counts : float64 array of shape (nodes, classes)
        Training weight per class; all zero in an empty leaf.
    label : int32 array of shape (nodes,)
        The class a node stands for.
    values : tuple
        Per feature its domain (tuple of strings), or None where it is continuous.

    Examples
    --------
    >>> from pinetum import TreeClassifier
    >>> tree = TreeClassifier().fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    >>> print(tree.to_rules(), end="")
    if x0 <= 1.5 then a (1)
    if x0 > 1.5 then b (2)
    >>> tree.sizes.leaves, tree.depth
    (2, 1)
    """

    feature: np.ndarray
    threshold: np.ndarray
    cut: np.ndarray
    child_start: np.ndarray
    children: np.ndarray
    counts: np.ndarray
    label: np.ndarray
    feature_names: tuple[str, ...]
    class_names: tuple[str, ...]
    values: tuple

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def n_classes(self) -> int:
        return self.counts.shape[1]

    @cached_property
    def totals(self) -> np.ndarray:
        """Training weight of every node."""
        return kernels.totals_of(self.counts)

    def branches(self, node: int) -> np.ndarray:
        return self.children[self.child_start[node] : self.child_start[node + 1]]

    # ------------------------------------------------------------------ prediction

    def predict(self, data, cases=None) -> np.ndarray:
        """Class indices.

        `data`: the Dataset the tree was grown on or a selection of its cases (same codes), or an
        array (cases, features) of values and discrete codes with NaN for missing.
        """
        return self._drop(data, cases, want_shares=False)[0]

    def predict_proba(self, data, cases=None) -> np.ndarray:
        """Class shares (cases, classes)."""
        return self._drop(data, cases, want_shares=True)[1]

    def apply(self, table) -> np.ndarray:
        """Leaf of every row of an array of numbers.

        Of a case that ends in several, the one with the largest weight.
        """
        from pinetum.trees.paths import leaves_of

        return leaves_of(self, self._numbers(table))

    def decision_path(self, table):
        """CSR matrix (cases, nodes): 1 where a case, or a part of it, passes a node."""
        from pinetum.trees.paths import nodes_reached

        return nodes_reached(self, self._numbers(table))

    def errors(self, data: Dataset, cases=None) -> int:
        """Number of cases that get a wrong label."""
        truth = data.labels if cases is None else data.labels[cases]
        return int(np.count_nonzero(self.predict(data, cases) != truth))

    def _drop(self, data, cases, want_shares):
        arrays = (self.child_start, self.children, self.counts, self.totals, self.label)
        if isinstance(data, Dataset):
            self._check_width(data.n_features)
            chosen = (
                np.arange(data.n_cases)
                if cases is None
                else positions(cases, data.n_cases, "cases")
            )
            labels = np.empty(len(chosen), dtype=np.int32)
            shares = np.empty((len(chosen) if want_shares else 0, self.n_classes))
            kernels.predict_codes(
                self.feature, self.cut, *arrays, data.codes, chosen, labels, shares
            )
            return labels, shares
        table = np.asarray(data if cases is None else data[cases])
        self._check_width(table.shape[1])
        labels = np.empty(len(table), dtype=np.int32)
        shares = np.empty((len(table) if want_shares else 0, self.n_classes))
        if self._links is None:
            self._spread(np.ascontiguousarray(table, dtype=np.float64), labels, shares)
            return labels, shares
        leaves = np.empty(len(table), dtype=np.int64)
        if len(table):
            walk_numbers(self._links.view(np.float64), self._links, *_as_it_lies(table), leaves)
        lost = np.flatnonzero(
            leaves < 0
        )  # a missing value was met: the case may go down several branches
        np.take(self.label, leaves, out=labels, mode="wrap")
        if want_shares:
            np.take(self._leaf_shares, leaves, axis=0, out=shares, mode="wrap")
        if len(lost):
            some, parts = np.empty(len(lost), dtype=np.int32), np.empty((len(lost), self.n_classes))
            self._spread(np.ascontiguousarray(table[lost], dtype=np.float64), some, parts)
            labels[lost] = some
            if want_shares:
                shares[lost] = parts
        return labels, shares

    def _spread(self, table, labels, shares):
        """Labels and class shares of cases that may go down several branches."""
        parts = shares if len(shares) else np.empty((len(table), self.n_classes))
        arrays = (self.child_start, self.children, self.counts, self.totals, self.label)
        kernels.predict_numbers(
            self.feature, self.cut, self.threshold, *arrays, table, labels, parts
        )

    @cached_property
    def _links(self):
        """The tree for `walk_numbers`; None where a split cuts no numbers, or a left branch is not
        the next node.
        """
        inner = self.feature >= 0
        first, branches = self.child_start[:-1][inner], np.diff(self.child_start)[inner]
        if self.n_nodes == 1 or (branches != 2).any() or (self.cut[inner] < 0).any():
            return None
        if (self.children[first] != np.flatnonzero(inner) + 1).any():
            return None
        asked = self.feature.astype(np.int64)
        asked[self.children[first]] = asked[self.children[first + 1]] = asked[inner]
        asked[inner] = self.feature[inner]
        right = np.arange(self.n_nodes)
        right[inner] = self.children[first + 1]
        links = np.empty((self.n_nodes, 2), dtype=np.int64)
        links.view(np.float64)[:, 0] = np.where(inner, self.threshold, np.nan)
        links[:, 1] = (asked << 32) | right
        return links

    @cached_property
    def _leaf_shares(self) -> np.ndarray:
        """Per node the class shares of a case that ends there."""
        shares = np.zeros(self.counts.shape)
        empty = self.totals == 0
        shares[~empty] = self.counts[~empty] / self.totals[~empty, None]
        shares[empty, self.label[empty]] = 1.0
        return shares

    def _numbers(self, table):
        table = np.ascontiguousarray(table, dtype=np.float64)
        self._check_width(table.shape[1])
        return table

    def _check_width(self, width):
        if width != len(self.feature_names):
            raise ValueError(
                f"the tree was grown on {len(self.feature_names)} features, the data have {width}"
            )

    # ------------------------------------------------------------------ size and shape

    @cached_property
    def node_depth(self) -> np.ndarray:
        depth = np.zeros(self.n_nodes, dtype=np.int32)
        for node in range(self.n_nodes):  # preorder: a parent comes before its children
            depth[self.branches(node)] = depth[node] + 1
        return depth

    @property
    def depth(self) -> int:
        return int(self.node_depth.max())

    @cached_property
    def sizes(self) -> Sizes:
        leaf = self.feature < 0
        return Sizes(
            nodes=self.n_nodes,
            internal=int(np.count_nonzero(~leaf)),
            leaves=int(np.count_nonzero(leaf)),
            empty_leaves=int(np.count_nonzero(leaf & (self.totals == 0))),
            depth=self.depth,
        )

    @cached_property
    def importances(self) -> np.ndarray:
        """Share of every feature in the tree's whole gain of information.

        Sums to 1, or to 0 for a lone leaf.
        """
        from pinetum.trees.paths import importances

        return importances(self)

    @property
    def used_features(self) -> np.ndarray:
        return np.unique(self.feature[self.feature >= 0])

    def frontier(self) -> np.ndarray:
        """Per feature the training weight that reaches the nodes which split on it."""
        inner = self.feature >= 0
        return np.bincount(
            self.feature[inner], self.totals[inner], minlength=len(self.feature_names)
        )

    # ------------------------------------------------------------------ identity

    def signature(self) -> str:
        """Digest of what the tree does: splits and labels, not the training counts."""
        total = hashlib.sha256()
        for array in (self.feature, self.threshold + 0.0, np.diff(self.child_start), self.label):
            total.update(np.ascontiguousarray(array).tobytes())
        return total.hexdigest()

    def __eq__(self, other) -> bool:
        """Node for node the same, training counts and names included."""
        if not isinstance(other, Tree):
            return NotImplemented
        names = ("feature_names", "class_names", "values")
        arrays = ("feature", "threshold", "cut", "child_start", "children", "counts", "label")
        return all(getattr(self, name) == getattr(other, name) for name in names) and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=name == "threshold")
            for name in arrays
        )

    def __hash__(self) -> int:
        return hash(self.signature())

    # ------------------------------------------------------------------ changing

    def cut_back(self, leaves) -> "Tree":
        """The tree with the given nodes (indices, or a mask over all nodes) turned into leaves."""
        becomes = np.zeros(self.n_nodes, dtype=bool)
        becomes[leaves] = True
        kept, stack = [], [0]
        while stack:
            node = stack.pop()
            kept.append(node)
            if not becomes[node]:
                stack.extend(self.branches(node)[::-1])
        keep = np.array(kept)
        renumbered = np.full(self.n_nodes, -1, dtype=np.int32)
        renumbered[keep] = np.arange(len(keep))
        lists = [[] if becomes[node] else renumbered[self.branches(node)] for node in keep]
        return replace(
            self,
            feature=np.where(becomes[keep], -1, self.feature[keep]).astype(np.int32),
            threshold=np.where(becomes[keep], np.nan, self.threshold[keep]),
            cut=np.where(becomes[keep], -1, self.cut[keep]).astype(np.int32),
            child_start=np.cumsum([0, *map(len, lists)]).astype(np.int32),
            children=np.concatenate(lists).astype(np.int32),
            counts=self.counts[keep],
            label=self.label[keep],
        )

    # ------------------------------------------------------------------ text

    def to_text(self, **options) -> str:
        from pinetum.trees.text import to_text

        return to_text(self, **options)

    def to_dot(self, **options) -> str:
        from pinetum.trees.text import to_dot

        return to_dot(self, **options)

    def to_rules(self) -> str:
        from pinetum.trees.exports import to_rules

        return to_rules(self)

    def to_frame(self):
        from pinetum.trees.exports import to_frame

        return to_frame(self)

    def to_code(self, language="python", **options) -> str:
        from pinetum.trees.code import to_code

        return to_code(self, language, **options)

    def to_sklearn(self, **options):
        from pinetum.trees.scikit_learn import to_sklearn

        return to_sklearn(self, **options)

    def plot(self, ax=None, **options):
        from pinetum.trees.drawing import plot

        return plot(self, ax, **options)

    def to_dict(self) -> dict:
        """Plain lists and numbers; floats survive JSON exactly."""
        return {
            "format": FORMAT,
            "features": list(self.feature_names),
            "classes": list(self.class_names),
            "values": [None if values is None else list(values) for values in self.values],
            "feature": self.feature.tolist(),
            "threshold": [None if np.isnan(t) else t for t in self.threshold.tolist()],
            "cut": self.cut.tolist(),
            "child_start": self.child_start.tolist(),
            "children": self.children.tolist(),
            "counts": self.counts.tolist(),
            "label": self.label.tolist(),
        }

    @classmethod
    def from_dict(cls, content: dict, file=None) -> "Tree":
        """What `to_dict` gave. Everything is checked first: a `DataError` says what is wrong."""
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            found = content.get("format") if isinstance(content, dict) else content
            raise DataError(f"not a tree: format is {shown(found)}, expected {FORMAT!r}", file=file)
        validated(content, SCHEMA, file)
        names, classes = tuple(content["features"]), tuple(content["classes"])
        values = tuple(None if domain is None else tuple(domain) for domain in content["values"])
        if len(values) != len(names):
            raise DataError(
                f"values: {len(values)} domains for {len(names)} features", file=file, cure=CURE
            )
        feature = whole_numbers(content["feature"], "feature", -1, len(names) - 1, file=file)
        nodes = len(feature)
        child_start = whole_numbers(
            content["child_start"], "child_start", 0, nodes, count=nodes + 1, file=file
        )
        children = whole_numbers(
            content["children"], "children", 1, nodes - 1, count=nodes - 1, file=file
        )
        check_tree(child_start, children, file)
        arity = np.array(
            [2 if domain is None else len(domain) for domain in values] + [0]
        )  # -1 is a leaf
        if (np.diff(child_start) != arity[feature]).any():
            raise DataError(
                "child_start: not one branch per value of a feature", file=file, cure=CURE
            )
        threshold = real_numbers(content["threshold"], "threshold", shape=(nodes,), file=file)
        cut = whole_numbers(content["cut"], "cut", -1, 2**31 - 1, count=nodes, file=file)
        continuous = np.array([domain is None for domain in values] + [False])[feature]
        if (np.isnan(threshold) == continuous).any() or ((cut >= 0) != continuous).any():
            raise DataError(
                "threshold: wanted at splits of numbers, and nowhere else", file=file, cure=CURE
            )
        return cls(
            feature=feature,
            threshold=threshold,
            cut=cut,
            child_start=child_start,
            children=children,
            counts=real_numbers(
                content["counts"], "counts", low=0.0, shape=(nodes, len(classes)), file=file
            ),
            label=whole_numbers(
                content["label"], "label", 0, len(classes) - 1, count=nodes, file=file
            ),
            feature_names=names,
            class_names=classes,
            values=values,
        )

    def to_json(self, path=None) -> str:
        """JSON text, written to `path` when one is given."""
        text = json.dumps(self.to_dict(), ensure_ascii=False)
        if path is not None:
            with whole_file(path) as file:
                file.write(text + "\n")
        return text

    @classmethod
    def from_json(cls, text: str, file=None) -> "Tree":
        """The tree of a text that `to_json` gave.

        A `DataError` says what is wrong with any other.
        """
        return cls.from_dict(read_json(text, file), file)


_NAME = {"type": "string"}
_NAMES = {"type": "array", "items": _NAME, "uniqueItems": True}
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        "format",
        "features",
        "classes",
        "values",
        "feature",
        "threshold",
        "cut",
        "child_start",
        "children",
        "counts",
        "label",
    ],
    "properties": {
        "format": _NAME,
        "features": {"type": "array", "items": _NAME},
        "classes": {**_NAMES, "minItems": 1},
        "values": {"type": "array", "items": {**_NAMES, "type": ["array", "null"]}},
        "feature": {"type": "array", "minItems": 1},
        **{
            part: {"type": "array"}
            for part in ("threshold", "cut", "child_start", "children", "counts", "label")
        },
    },
}
