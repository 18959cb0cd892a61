"""A pruning function that the search found: kept as JSON with its derivation, used by its name."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from pinetum.files import results_folder, whole_file
from pinetum.pruning.evolution.expressions import as_json, evaluate, latex, program_size, python
from pinetum.pruning.evolution.material import Material
from pinetum.pruning.evolution.search import program_from

FORMAT = "pinetum pruning function 1"
LARGEST_FILE = 1_000_000  # bytes
NAME = r"[\w .-]{1,100}"


@dataclass(frozen=True, eq=False)
class Found:
    """`program` is the pair (L, S); `facts` say where it comes from."""

    name: str
    program: tuple
    facts: dict = field(default_factory=dict)

    def pruned(self, forest):
        """A pruning study's forest after this function."""
        return Material(forest, {}).pruned(self.program)

    def prune(self, tree):
        """A `Tree` of any grower after this function.

        Weights of cases take the place of their number.
        """
        leaf, subtree = self.program
        counts = tree.totals
        wrong = counts - np.take_along_axis(tree.counts, tree.label[:, None], axis=1)[:, 0]
        inner = tree.feature >= 0
        noise = wrong[~inner].sum() / counts[0] if counts[0] > 0 else 0.0
        rates = evaluate(leaf, {"n": counts, "e": wrong, "c": counts - wrong})
        with np.errstate(invalid="ignore"):
            errors = np.where(
                counts > 0,
                np.nan_to_num(counts * rates, nan=np.inf, posinf=np.inf, neginf=-np.inf),
                0.0,
            )
        seen = wrong.astype(float)
        cut = np.zeros(tree.n_nodes, dtype=bool)
        for node in np.flatnonzero(inner)[::-1]:
            n, e = counts[node], wrong[node]
            if n > 0:
                branches = tree.branches(node)
                values = {"m": errors[branches].sum() / n, "L": errors[node] / n, "n": n, "e": e}
                values |= {"E": seen[branches].sum(), "d": float(tree.node_depth[node]), "u": noise}
                below = finite(n * evaluate(subtree, values))
                cut[node] = errors[node] <= below
                if not cut[node]:
                    errors[node], seen[node] = below, values["E"]
        return tree.cut_back(cut)

    def as_python(self) -> str:
        """A module that needs numpy alone."""
        leaf, subtree = self.program
        return (
            f'"""Pruning function {self.name}: a node becomes a leaf where leaf_rate <='
            ' subtree_rate."""\n\nfrom numpy import exp, log, sqrt, tanh\n\n\ndef leaf_rate(n, e,'
            f" c):\n    return {python(leaf)}\n\n\ndef subtree_rate(m, L, n, e, E, d, u):\n   "
            f" return {python(subtree)}\n"
        )

    def as_latex(self) -> str:
        leaf, subtree = self.program
        return f"L &= {latex(leaf)} \\\\\nS &= {latex(subtree)}\n"

    def as_json(self) -> str:
        document = {
            "format": FORMAT,
            "name": self.name,
            "leaf": as_json(self.program[0]),
            "subtree": as_json(self.program[1]),
            "size": program_size(self.program),
            "python": self.as_python(),
            "latex": self.as_latex(),
            **self.facts,
        }
        return json.dumps(document, indent=1) + "\n"

    def save(self, path) -> None:
        with whole_file(path) as file:
            file.write(self.as_json())


def finite(value) -> float:
    return np.inf if np.isnan(value) else float(value)


def read_found(path) -> Found:
    """A function from its JSON file.

    The expressions are checked and evaluated, never executed as code.
    """
    try:
        if Path(path).stat().st_size > LARGEST_FILE:
            raise ValueError(f"the file is larger than {LARGEST_FILE:,} bytes")
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        if not isinstance(document, dict):
            raise ValueError("it holds no object")
        missing = [key for key in ("format", "name", "leaf", "subtree") if key not in document]
        if missing:
            raise ValueError(f"it misses {missing[0]!r}")
        if document["format"] != FORMAT:
            raise ValueError(f"format is {document['format']!r}, expected {FORMAT!r}")
        if not isinstance(document["name"], str) or not re.fullmatch(NAME, document["name"]):
            raise ValueError(
                f"name {document['name']!r}: expected letters, digits, spaces, and any of . _ -"
            )
        program = program_from([document["leaf"], document["subtree"]])
    except RecursionError as error:
        raise ValueError(f"{path}: not a pruning function (nested too deeply)") from error
    except ValueError as error:
        raise ValueError(f"{path}: not a pruning function ({error})") from error
    derived = {"format", "name", "leaf", "subtree", "size", "python", "latex"}
    return Found(
        document["name"],
        program,
        {key: value for key, value in document.items() if key not in derived},
    )


def load_found(name) -> Found:
    """A found function by name or path."""
    places = (
        [Path(name)]
        if str(name).endswith(".json")
        else [results_folder() / "pruning/found" / f"{name}.json"]
    )
    for place in places:
        if place.exists():
            return read_found(place)
    looked = ", ".join(map(str, places))
    raise FileNotFoundError(
        f"no pruning function {name!r}: looked for {looked}; `snakemake pruning` makes them"
    )
