"""Tables as this study needs them: discrete features, no missing cells."""

import numpy as np

from pinetum.constants import MISSING
from pinetum.data import Dataset
from pinetum.data.discretise import discretised
from pinetum.data.views import apply_view


class Unsuitable(ValueError):
    """The method cannot take this table; the message says why."""


def discrete(dataset: Dataset, continuous="mdl", cases=None, intervals=None) -> Dataset:
    """Missing cells of discrete features become a value `?`.

    Numbers are cut by class entropy, or refused.

    Cuts are found on the training `cases` (all if None), at most so many `intervals` a feature.
    """
    numbers = np.flatnonzero(dataset.continuous)
    if len(numbers) and continuous == "refuse":
        names = ", ".join(dataset.feature_names[i] for i in numbers[:5])
        raise Unsuitable(
            f"{len(numbers)} continuous features ({names}); allow `continuous: mdl` to cut them"
        )
    if len(numbers):
        dataset = discretised(dataset, cases, intervals)
    if (dataset.codes == MISSING).any():
        dataset = apply_view(
            dataset.name, dataset, {"of": dataset.name, "missing": "value", "domains": "base"}
        )
    if dataset.n_features == 0 or dataset.n_cases == 0:
        raise Unsuitable("no features or no cases")
    return dataset
