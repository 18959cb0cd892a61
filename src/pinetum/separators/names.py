"""The methods, in the order of every table."""

from typing import NamedTuple


class Method(NamedTuple):
    minimizes: bool  # Algorithm 4.2 takes features away from the plane of the LP
    light: bool  # the LP is (10), which also keeps sum |w| small, else (4)
    about: str


METHODS = {
    "RLP": Method(
        False, False, "robust linear program (4): least average distance of what is misclassified"
    ),
    "FM_RLP": Method(True, False, "as few features as the error of (4) allows"),
    "RLP-P": Method(False, True, "perturbed robust linear program (10): small weights too"),
    "FM_RLP-P": Method(True, True, "as few features as the error of (10) allows"),
}
MINIMIZED = {  # minimization -> the method that it starts from
    name: next(
        whole
        for whole, other in METHODS.items()
        if not other.minimizes and other.light == method.light
    )
    for name, method in METHODS.items()
    if method.minimizes
}
LIMITED = "limited (9)"


def method_of(name) -> Method:
    if name not in METHODS:
        raise ValueError(f"method = {name!r}: allowed are {', '.join(METHODS)}")
    return METHODS[name]


PRINTED = "Release 8"  # the reading of C4.5 that stands in its column
