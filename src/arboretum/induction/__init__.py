"""Growing decision trees: the fast core that the studies stand on."""

from arboretum.induction.grower import Grower, table_of
from arboretum.induction.options import PRESETS, Options, c45, yadt

__all__ = ["PRESETS", "Grower", "Options", "c45", "table_of", "yadt"]
