"""Names of the heuristics and costs, in the order of every array and record."""

from pinetum.greedy_dp.kernels.constants import HEURISTICS

# Average depth is total path length / rows; the records keep the length, an integer.
COSTS = ("h_av", "h", "L", "L_n", "L_t")
COST_NAMES = {
    "h_av": "average depth",
    "h": "depth",
    "L": "nodes",
    "L_n": "nonterminal nodes",
    "L_t": "terminal nodes",
}
PATH, DEPTH, NODES, NONTERMINALS, TERMINALS = range(5)


def label(heuristic) -> str:
    """`w_sum gini`, as rows of tables are called."""
    return " ".join(heuristic)


LABELS = tuple(label(heuristic) for heuristic in HEURISTICS)
# Integers throughout: the total path length is the average depth times the rows.
WHOLE_COSTS = ("path", *COSTS[1:])
MINIMUM_COLUMNS = [f"min {cost}" for cost in WHOLE_COSTS]
GREEDY_COLUMNS = [f"{heuristic} {cost}" for heuristic in LABELS for cost in WHOLE_COSTS]
