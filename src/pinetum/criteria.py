"""What a split may be judged by: the one list that options, schemas, tables and tests read.

The arithmetic of a criterion is in `induction.kernels.quality`, by which every grower and the
enumeration judge. No compiled code is loaded here: checks of the configuration read the list.
"""

from typing import NamedTuple

from pinetum.constants import GAIN, GAIN_RATIO, GINI


class Criterion(NamedTuple):
    """One entry of `CRITERIA`."""

    code: int  # how kernels know it
    label: str  # in tables and figures
    about: str
    in_bits: bool = (
        True  # whether a gain counts bits, which C4.5's penalty for continuous features does
    )
    # whether the gain is divided by the split information; only then is an average asked for
    is_ratio: bool = False


CRITERIA = {
    "gain": Criterion(
        GAIN, "information gain", "entropy of the classes, before less after the split"
    ),
    "gain_ratio": Criterion(
        GAIN_RATIO, "gain ratio", "information gain per bit of the split itself", is_ratio=True
    ),
    "gini": Criterion(
        GINI, "Gini gain", "Gini impurity of the classes, before less after", in_bits=False
    ),
}


def find_criterion(name: str) -> Criterion:
    """The entry of this name; the error of an unknown one names those there are."""
    if not isinstance(name, str) or name not in CRITERIA:
        raise ValueError(f"criterion {name!r}: expected one of {', '.join(CRITERIA)}")
    return CRITERIA[name]
