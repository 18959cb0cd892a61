"""Growing decision trees: the fast core that the studies stand on."""

from pinetum.induction.grower import Grower, table_of
from pinetum.induction.options import PRESETS, Options, c45, yadt
from pinetum.induction.pruning import error_based

__all__ = ["PRESETS", "Grower", "Options", "TreeClassifier", "c45", "error_based", "table_of", "yadt"]


def __getattr__(name):
    """TreeClassifier comes when asked for: scikit-learn takes a second to import."""
    if name == "TreeClassifier":
        from pinetum.induction.estimators import TreeClassifier

        return TreeClassifier
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
