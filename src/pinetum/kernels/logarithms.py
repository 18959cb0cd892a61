"""Tables of k log k, all that entropies of whole cases need.

The growers of `induction` add up whole numbers instead (`induction.kernels.quality`): their sums do
not depend on the order.
"""

import numpy as np


def n_log_n(largest, logarithm):
    """k log k for k = 0 .. largest, by this logarithm (np.log, np.log2)."""
    k = np.arange(largest + 1, dtype=float)
    return k * logarithm(np.maximum(k, 1.0))
