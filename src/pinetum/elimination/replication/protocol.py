"""How section 6 of the paper is carried out: its trees, its parts of the cases, its rows."""

from pinetum.data.loading import load_catalogue

MIN_CASES = 2  # a node with fewer cases is a leaf
BUILDING = 0.7  # share of the training cases that trees are grown on; the rest judges them
# What is added to the plain rules of the trees: two rules of C4.5 (two branches of a split weigh
# two cases, a continuous split pays log2(cuts tried) / cases), and the lowest of equal classes.
RULES = {"min_branch": 2.0, "penalty": True, "lowest_class": True}


def rows_of(datasets) -> dict[str, str]:
    """Row of Table 1 -> data set or view; a view serves the row of the data set it looks at."""
    views = load_catalogue().get("views", {})
    return {views.get(name, {}).get("of", name): name for name in datasets}
