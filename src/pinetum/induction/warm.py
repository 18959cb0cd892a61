"""Compile every kernel of the growers."""

from pinetum.data.sample import sample
from pinetum.induction.grower import Grower
from pinetum.induction.options import c45, yadt
from pinetum.induction.pruning import error_based


def warm_up():
    for missing in (False, True):
        data = sample(missing=missing)
        for options in (yadt(2), yadt(2, "gini"), c45(2)):
            tree = Grower(data, options).grow()
            tree.predict_proba(data)
        error_based(tree, data).tree.predict_proba(data)
