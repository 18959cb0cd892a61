"""Trees with a plane at every node: greedy, top-down, each plane fitted to the node's own cases.

A node is a leaf when it is pure, has fewer than `min_cases` cases, lies at `max_depth`, or when no
plane gains information. With more than two classes a node's plane separates one class from the rest
or one class from another (the remaining cases fall where they fall); of all candidates the one with
the most information about the classes is taken, ties to the first.
"""

import json
from dataclasses import dataclass

import numpy as np

from pinetum.data.errors import DataError
from pinetum.data.schema import CURE, check_tree, read_json, real_numbers, validated, whole_numbers
from pinetum.separators.lp import ENDED, ON_PLANE, ZERO_WEIGHT, SolverFailure
from pinetum.separators.planes import Bench, Settings
from pinetum.visible import one_line

MULTICLASS = ("rest", "pairs")
MOST_PAIRS = 10  # pairs of the most frequent classes
GAIN = 1e-9


@dataclass(frozen=True)
class PlaneTree:
    """Preorder arrays; a lone leaf has depth 0. A case goes right where weights . x > offset.

    left and right are -1 at leaves; counts are the training cases per class; planes are in original
    units.
    """

    weights: np.ndarray
    offset: np.ndarray
    left: np.ndarray
    right: np.ndarray
    counts: np.ndarray
    label: np.ndarray

    def leaves_of(self, points) -> np.ndarray:
        points = np.asarray(points, dtype=np.float64)
        nodes = np.zeros(len(points), dtype=np.int64)
        for node in np.flatnonzero(self.left >= 0):  # preorder: parents come before their children
            here = np.flatnonzero(nodes == node)
            side = margins(points[here], self.weights[node], self.offset[node]) > ON_PLANE
            nodes[here] = np.where(side, self.right[node], self.left[node])
        return nodes

    def predict(self, points) -> np.ndarray:
        return self.label[self.leaves_of(points)]

    def predict_proba(self, points) -> np.ndarray:
        counts = self.counts[self.leaves_of(points)]
        return counts / counts.sum(axis=1, keepdims=True)

    @property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.left < 0))

    @property
    def n_decisions(self) -> int:
        return int(np.count_nonzero(self.left >= 0))

    @property
    def depth(self) -> int:
        depths = np.zeros(len(self.left), dtype=np.int64)
        for node in np.flatnonzero(self.left >= 0):
            depths[[self.left[node], self.right[node]]] = depths[node] + 1
        return int(depths.max())

    @property
    def n_weights(self) -> int:
        """Features used, summed over the decisions."""
        return int(np.count_nonzero(self.weights))

    @property
    def n_features(self) -> int:
        """Features used anywhere."""
        return int(np.count_nonzero(self.weights.any(axis=0)))

    def to_text(self, feature_names=None, class_names=None) -> str:
        names = feature_names or [f"x{j}" for j in range(self.weights.shape[1])]
        classes = class_names or [str(c) for c in range(self.counts.shape[1])]
        lines = []
        stack = [(0, 0, "")]
        while stack:
            node, depth, lead = stack.pop()
            head = "|   " * depth + lead
            counts = ", ".join(f"{count:g}" for count in self.counts[node])
            if self.left[node] < 0:
                lines.append(f"{head}{classes[self.label[node]]} ({counts})")
                continue
            lines.append(
                f"{head}{plane_text(self.weights[node], self.offset[node], names)} ({counts})"
            )
            stack += [(self.right[node], depth + 1, "yes: "), (self.left[node], depth + 1, "no: ")]
        return "\n".join(map(one_line, lines))

    def to_json(self) -> str:
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text) -> "PlaneTree":
        """What `to_json` gave; a `DataError` says what is wrong with anything else."""
        return cls.from_dict(read_json(text))

    def to_dict(self) -> dict:
        return {name: getattr(self, name).tolist() for name in self.__dataclass_fields__}

    @classmethod
    def from_dict(cls, content) -> "PlaneTree":
        validated(content, SCHEMA)
        nodes, classes = len(content["label"]), len(content["counts"][0])
        left, right = (
            whole_numbers(content[side], side, -1, nodes - 1, count=nodes)
            for side in ("left", "right")
        )
        inner = left >= 0
        if (inner != (right >= 0)).any():
            raise DataError("left and right: a node with one branch", cure=CURE)
        check_tree(np.cumsum([0, *(2 * inner)]), np.column_stack([left, right])[inner].ravel())
        width = len(content["weights"][0]) if isinstance(content["weights"][0], list) else 0
        return cls(
            weights=real_numbers(content["weights"], "weights", shape=(nodes, width)),
            offset=real_numbers(content["offset"], "offset", shape=(nodes,)),
            left=left.astype(np.int64),
            right=right.astype(np.int64),
            counts=real_numbers(content["counts"], "counts", low=0.0, shape=(nodes, classes)),
            label=whole_numbers(content["label"], "label", 0, classes - 1, count=nodes).astype(
                np.int64
            ),
        )


_PARTS = ["weights", "offset", "left", "right", "counts", "label"]
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": _PARTS,
    "properties": {
        **{part: {"type": "array", "minItems": 1} for part in _PARTS},
        "counts": {"type": "array", "minItems": 1, "items": {"type": "array", "minItems": 1}},
    },
}


def margins(points, weights, offset) -> np.ndarray:
    """How far above the offset the points (cases, columns) lie.

    Column after column, as generated code does: a product of matrices adds in an order of its own,
    and so rounds otherwise.
    """
    total = np.zeros(len(points))
    for j in np.flatnonzero(weights):
        total += points[:, j] * weights[j]
    return total - offset


def plane_text(weights, offset, names) -> str:
    """`2.5 age - 0.3 chol > 41`, with five significant digits."""
    terms = [(weights[j], names[j]) for j in np.flatnonzero(weights)]
    if not terms:
        return f"0 > {offset:.5g}"
    text = " ".join(
        f"{'-' if weight < 0 else '+'} {abs(weight):.5g} {name}" for weight, name in terms
    )
    text = f"-{text[2:]}" if text.startswith("- ") else text[2:]
    return one_line(f"{text} > {offset:.5g}")


def grow_tree(
    points,
    labels,
    n_classes,
    method="FM_RLP",
    *,
    max_depth=None,
    min_cases=5,
    multiclass="pairs",
    settings=None,
) -> PlaneTree:
    if multiclass not in MULTICLASS:
        raise ValueError(f"multiclass = {multiclass!r}: allowed are {', '.join(MULTICLASS)}")
    points = np.asarray(points, dtype=np.float64)
    labels = np.asarray(labels, dtype=np.int64)
    settings = settings or Settings()
    rows: list[list] = []  # weights, offset, left, right, counts, label
    stack: list[tuple] = [(np.arange(len(labels)), 0, -1, 0, None)]
    while stack:
        cases, depth, parent, side, above = stack.pop()
        counts = np.bincount(labels[cases], minlength=n_classes)
        label = majority(counts, above)
        node = len(rows)
        if parent >= 0:
            rows[parent][2 + side] = node
        split = None
        deadline = settings.solver.deadline
        ended = (max_depth is not None and depth >= max_depth) or (
            deadline is not None and deadline.over()
        )
        if not ended and len(cases) >= min_cases and np.count_nonzero(counts) > 1:
            split = best_split(
                points[cases], labels[cases], n_classes, method, multiclass, settings
            )
        if split is None:
            rows.append([np.zeros(points.shape[1]), 0.0, -1, -1, counts, label])
            continue
        weights, offset, goes_right = split
        rows.append([weights, offset, -1, -1, counts, label])
        stack.append((cases[goes_right], depth + 1, node, 1, label))
        stack.append((cases[~goes_right], depth + 1, node, 0, label))
    columns = list(zip(*rows, strict=True))
    return PlaneTree(
        weights=np.array(columns[0]),
        offset=np.array(columns[1], dtype=np.float64),
        left=np.array(columns[2], dtype=np.int64),
        right=np.array(columns[3], dtype=np.int64),
        counts=np.array(columns[4], dtype=np.float64),
        label=np.array(columns[5], dtype=np.int64),
    )


def majority(counts, above) -> int:
    """The most frequent class; ties to the parent's, then to the lowest."""
    best = np.flatnonzero(counts == counts.max())
    return int(above) if above in best else int(best[0])


def candidates(labels, n_classes, multiclass):
    """Pairs (cases to separate, which of them are positive)."""
    counts = np.bincount(labels, minlength=n_classes)
    present = np.flatnonzero(counts)
    everything = np.ones(len(labels), dtype=bool)
    if len(present) == 2:
        yield everything, labels == present[1]
    elif multiclass == "rest":
        for one in present:
            yield everything, labels == one
    else:
        often = present[np.argsort(-counts[present], kind="stable")]
        pairs = [(a, b) for i, b in enumerate(often) for a in often[:i]]
        for a, b in pairs[:MOST_PAIRS]:
            yield (labels == a) | (labels == b), labels == b


def best_split(points, labels, n_classes, method, multiclass, settings):
    """Weights, offset and who goes right; None when no plane gains information."""
    best, best_gain = None, GAIN
    for chosen, positive in candidates(labels, n_classes, multiclass):
        bench = Bench(points[chosen], positive[chosen], settings)
        try:
            fit = bench.fit(method)
        except SolverFailure as failure:
            if failure.status not in ENDED:
                raise
            known = bench.full.get(bench.epsilon_of(method))
            if known is None:
                continue  # a candidate without a plane; the others may have one
            fit = bench.told(known[0])  # with all features, for want of time
        if np.abs(fit.weights).max(initial=0.0) <= ZERO_WEIGHT * 1e-6:
            continue
        right = fit.predict(points)
        gain = information_gain(labels, right, n_classes)
        if gain > best_gain + GAIN:
            best, best_gain = (fit.weights, fit.offset, right), gain
    return best


def information_gain(labels, right, n_classes) -> float:
    """Bits that the side of the plane tells about the class."""
    sides = np.stack(
        [np.bincount(labels[part], minlength=n_classes) for part in (~right, right)]
    ).astype(float)

    def bits(counts):
        total = counts.sum()
        shares = counts[counts > 0] / max(total, 1.0)
        return float(-(shares * np.log2(shares)).sum())

    totals = sides.sum(axis=1)
    return bits(sides.sum(axis=0)) - sum(
        total / len(labels) * bits(side) for total, side in zip(totals, sides, strict=True)
    )
