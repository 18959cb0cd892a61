"""Where the search's trees come from: generated data sets, or tables of one's own."""

import numpy as np

from pinetum.pruning.evolution.material import Material
from pinetum.pruning.forest import Trees, grow_forest, joined
from pinetum.pruning.kernels.networks import FOLDS
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import network_forest, networks
from pinetum.pruning.table import table_of
from pinetum.randomness import stream

REFERENCES = ("NOP", "NEBP", "WEBP", "TWEBP")  # the four beside which the paper ranks its function
CELLS = 60  # data sets per repetition
PURPOSES = ("evolution training", "evolution validation", "evolution selection", "evolution test")
SHARES = (0.4, 0.2, 0.2, 0.2)  # of a user's table, for the four purposes
FOLDS_OF_TABLES = 10


def network_material(root, purpose, trees) -> Material:
    """Generated data sets of a stream of its own: no purpose shares a data set with another."""
    sets = networks(root, purpose, range(-(-trees // CELLS)))
    full = network_forest(sets)
    forests = Trees(full, network_forest(sets, FOLDS, FOLDS_OF_TABLES), n_folds=FOLDS_OF_TABLES)
    return Material(full, {name: prune_trees(name, forests).hits for name in REFERENCES})


def cases_for(root, table, purpose):
    """The cases of a user's table that serve one purpose; the purposes share none."""
    order = stream(root, "pruning", "evolution", table.name, "cases").permutation(len(table.labels))
    bounds = np.round(np.cumsum((0, *SHARES)) * len(order)).astype(int)
    place = PURPOSES.index(purpose)
    return np.sort(order[bounds[place] : bounds[place + 1]])


def table_material(root, dataset, purpose, trees) -> Material:
    """Cross-validated trees of a user's table, repeated until there are enough."""
    table = table_of(dataset)
    mine = cases_for(root, table, purpose)
    if len(mine) < 2 * FOLDS_OF_TABLES:
        raise ValueError(
            f"{table.name}: {len(mine)} cases for {purpose} are too few; a table needs 100 or more"
        )
    full, inner = [], []
    for repeat in range(-(-trees // FOLDS_OF_TABLES)):
        outer = stream(root, "pruning", "evolution", table.name, purpose, repeat).permutation(
            len(mine)
        )
        for fold in range(FOLDS_OF_TABLES):
            tested = outer % FOLDS_OF_TABLES == fold
            roles = np.full(len(table.labels), 2, np.int8)
            roles[mine] = tested
            full.append(roles)
            trained = mine[~tested]
            for inside in range(FOLDS_OF_TABLES):
                roles = np.full(len(table.labels), 2, np.int8)
                roles[trained] = np.arange(len(trained)) % FOLDS_OF_TABLES == inside
                inner.append(roles)
    forests = Trees(
        grow_forest(table, np.array(full)),
        grow_forest(table, np.array(inner)),
        n_folds=FOLDS_OF_TABLES,
    )
    return Material(forests.full, {name: prune_trees(name, forests).hits for name in REFERENCES})


def material(root, purpose, trees, dataset=None) -> Material:
    return (
        network_material(root, purpose, trees)
        if dataset is None
        else table_material(root, dataset, purpose, trees)
    )


def joined_material(parts) -> Material:
    """The trees of several tables as one material."""
    parts = list(parts)
    if len(parts) == 1:
        return parts[0]
    hits = {
        name: np.concatenate([part.references[name] for part in parts])
        for name in parts[0].references
    }
    return Material(joined([part.forest for part in parts]), hits)
