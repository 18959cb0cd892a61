"""CCP: cost-complexity pruning (Breiman et al.

1984), the charge per leaf chosen by cross-validation.
"""

import numpy as np

from pinetum.pruning.kernels.passes import Charged, cross_validated_charges, weakest_links

ALLOWED = (1.0, 0.0)  # standard errors; both are found in one pass over the folds


def one_standard_error(trees, reading):
    """The smallest tree within one standard error of the fewest cross-validated errors."""
    return cost_complexity(trees, 1.0)


def fewest_errors(trees, reading):
    """The smallest tree with the fewest cross-validated errors."""
    return cost_complexity(trees, 0.0)


def critical_charges(forest):
    """Per node the charge per leaf, in errors, from which on it is a leaf."""
    critical = np.empty(len(forest.nodes.n))
    weakest_links(forest.links, forest.wrong, critical)
    return critical


def charged(forest) -> Charged:
    size = forest.nodes.n[forest.start[:-1]].astype(float)
    return Charged(forest.links, critical_charges(forest), size, forest.hits)


def cost_complexity(trees, standard_errors):
    """The smallest tree within so many standard errors, of `ALLOWED`, of the fewest cross-validated
    errors.
    """
    full, folds = trees.full, trees.folds
    if not trees.cache:
        known, charges = charged(full), np.zeros((len(ALLOWED), len(full)))
        trees.cache["critical"], trees.cache["charges"] = known.critical, charges
        judged = folds.tested.reshape(-1, trees.n_folds).sum(axis=1).astype(float)
        cross_validated_charges(
            known, charged(folds), judged, trees.n_folds, np.array(ALLOWED), charges
        )
    charge = trees.cache["charges"][ALLOWED.index(standard_errors)]
    return full.marked(trees.cache["critical"] <= np.repeat(charge, np.diff(full.start)))
