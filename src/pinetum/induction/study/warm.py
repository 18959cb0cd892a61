"""Compile every kernel of the growers."""

from pinetum.data.sample import sample
from pinetum.induction.study.records import METHODS, grown


def warm_up():
    for missing in (False, True):
        data = sample(missing=missing)
        for method in METHODS:
            grown(data, method)[0].predict_proba(data)
