"""The registry of rivals: what each package is, and which environment it lives in.

`envs/peers/<group>.txt` pins the packages of a group that fit together.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rival:
    package: str  # on the package index
    group: str  # its environment; empty: Pinetum's own
    about: str


OURS = "pinetum"
RIVALS = {
    "pinetum": Rival("pinetum", "", "this library"),
    "scikit-learn": Rival(
        "scikit-learn", "general", "CART with cost-complexity pruning; sequential feature selection"
    ),
    "lightgbm": Rival("lightgbm", "general", "histogram-based boosting, here one tree of it"),
    "ydf": Rival("ydf", "general", "Yggdrasil decision forests: CART and sparse oblique trees"),
    "mlxtend": Rival(
        "mlxtend", "general", "sequential and exhaustive feature selection around any estimator"
    ),
    "gplearn": Rival("gplearn", "general", "genetic programming"),
    "obliquetree": Rival("obliquetree", "general", "trees whose tests combine two features"),
    "scikit-obliquetree": Rival(
        "scikit-obliquetree", "householder", "HHCART and other trees of planes"
    ),
    "pystreed": Rival("pystreed", "exact", "STreeD: optimal trees by dynamic programming"),
    "pycontree": Rival("pycontree", "exact", "ConTree: optimal trees over numbers"),
    "pydl8.5": Rival("pydl8.5", "itemsets", "DL8.5: optimal trees by itemset mining"),
    "licketysplit": Rival("licketysplit", "exact", "near-optimal trees by look-ahead"),
    "gosdt": Rival("gosdt", "older", "GOSDT: optimal sparse trees"),
    "treeple": Rival("treeple", "older", "oblique trees after scikit-learn"),
    "linear-tree": Rival("linear-tree", "older", "trees with linear models in the leaves"),
    "treefarms": Rival("treefarms", "near", "all near-optimal sparse trees"),
    "tree-praxis": Rival("tree-praxis", "near", "all near-optimal sparse trees, by look-ahead"),
    "weka": Rival("python-weka-wrapper3", "weka", "J48, Weka's C4.5; needs Java"),
}
GROUPS = tuple(dict.fromkeys(rival.group for rival in RIVALS.values() if rival.group))
