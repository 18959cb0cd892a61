"""The registries: costs of a tree, and greedy heuristics.

Everything else about them derives from here.
"""

from dataclasses import dataclass

from pinetum.greedy_dp.kernels.constants import (
    DEPTH,
    KINDS,
    MEASURES,
    NODES,
    NONTERMINALS,
    PATH,
    TERMINALS,
)


@dataclass(frozen=True)
class Cost:
    """What a tree costs: `path` per unit of weight and test, `inner` per test, `leaf` per terminal
    node.

    Tests count their attribute's price. The depth is no sum: its three shares are zero.
    """

    symbol: str  # as the paper prints it; key of the registry
    place: int  # in every array of costs
    label: str
    path: int
    inner: int
    leaf: int
    description: str

    @property
    def additive(self) -> bool:
        return self.place != DEPTH


COSTS = {
    cost.symbol: cost
    for cost in (
        Cost(
            "h_av",
            PATH,
            "average depth",
            1,
            0,
            0,
            "tests on the path of a row, mean over the weight of the rows",
        ),
        Cost("h", DEPTH, "depth", 0, 0, 0, "tests on the longest path"),
        Cost("L", NODES, "nodes", 0, 1, 1, "tests and terminal nodes together"),
        Cost("L_n", NONTERMINALS, "nonterminal nodes", 0, 1, 0, "tests in the tree"),
        Cost("L_t", TERMINALS, "terminal nodes", 0, 0, 1, "terminal nodes that some row reaches"),
    )
}
ALIASES = {
    "average_depth": "h_av",
    "path_length": "h_av",
    "depth": "h",
    "nodes": "L",
    "nonterminals": "L_n",
    "tests": "L_n",
    "terminals": "L_t",
    "leaves": "L_t",
}


def cost_of(name) -> Cost:
    """A cost by its symbol or plain name.

    Examples
    --------
    >>> cost_of("leaves").symbol, cost_of("h").label
    ('L_t', 'depth')
    """
    if isinstance(name, Cost):
        return name
    symbol = ALIASES.get(name, name) if isinstance(name, str) else ""
    if symbol not in COSTS:
        raise ValueError(f"cost is {name!r}; allowed are {', '.join([*COSTS, *ALIASES])}")
    return COSTS[symbol]


@dataclass(frozen=True)
class Heuristic:
    """A greedy heuristic: how the branches' uncertainties are put together, and which
    uncertainty.
    """

    kind: str
    measure: str
    place: int  # in every array of heuristics

    @property
    def label(self) -> str:
        return f"{self.kind} {self.measure}"

    @property
    def description(self) -> str:
        return f"{KIND_LABELS[self.kind]} of the branches' {MEASURE_LABELS[self.measure]}"


KIND_LABELS = {
    "sum": "sum",
    "max": "largest",
    "w_sum": "sum, weighted by rows,",
    "w_max": "largest, weighted by rows,",
}
MEASURE_LABELS = {
    "ent": "entropy",
    "gini": "Gini index",
    "me": "misclassification error",
    "rt": "pairs of rows with different decisions",
}
HEURISTICS = {
    heuristic.label: heuristic
    for heuristic in (
        Heuristic(kind, measure, place)
        for place, (kind, measure) in enumerate(
            (kind, measure) for kind in KINDS for measure in MEASURES
        )
    )
}

# Columns of the records; integers throughout: the total path length is the average depth times the
# rows.
LABELS = tuple(HEURISTICS)
WHOLE_COSTS = tuple("path" if cost.place == PATH else symbol for symbol, cost in COSTS.items())
MINIMUM_COLUMNS = [f"min {cost}" for cost in WHOLE_COSTS]
GREEDY_COLUMNS = [f"{heuristic} {cost}" for heuristic in LABELS for cost in WHOLE_COSTS]
