"""Growing decision trees: the fast core that the studies stand on."""

from pinetum.induction.cross_validation import cross_val_errors
from pinetum.induction.grower import Grower, table_of
from pinetum.induction.options import PRESETS, Options, c45, yadt
from pinetum.induction.pruning import error_based

__all__ = [
    "PRESETS",
    "Grower",
    "Options",
    "c45",
    "cross_val_errors",
    "error_based",
    "table_of",
    "yadt",
]
