"""Names of the heuristics and costs, in the order of every array and record."""

from arboretum.greedy_dp.impurity_kernels import HEURISTICS

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
