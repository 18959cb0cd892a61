"""What a parameter may be: one place says it for estimators, functions and command line, and
refuses the rest by name.

A name means the same everywhere; where a class means something of its own, it says so in `_ranges`.
"""

from dataclasses import dataclass
from difflib import get_close_matches
from math import inf, isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

LARGEST = 1 << 62  # whole numbers that a kernel can hold, with room to add


@dataclass(frozen=True)
class Number:
    """A number from `least` to `most`; what else is taken must be said.

    above, below   without `least` itself, without `most` itself
    whole          an integer, not a float that happens to be whole
    endless        infinity is a value like others
    truth          True and False are 1 and 0
    also           None and words
    """

    least: Any = 0
    most: Any = inf
    above: bool = False
    below: bool = False
    whole: bool = False
    endless: bool = False
    truth: bool = False
    also: tuple = ()

    def takes(self, value: Any) -> bool:
        if value is None or isinstance(value, str):
            return value in self.also
        if isinstance(value, (bool, np.bool_)):
            return self.truth
        if not isinstance(value, Integral if self.whole else Real):
            return False
        if not (self.endless or isinstance(value, Integral) or isfinite(value)):
            return False
        low = value > self.least if self.above else value >= self.least
        return bool(low and (value < self.most if self.below else value <= self.most))

    def __str__(self) -> str:
        also = "".join(f"{choice!r} or " for choice in self.also)
        low = "" if self.least == -inf else f" {'above' if self.above else 'from'} {self.least:,}"
        high = (
            f" {'and below' if self.below else 'to'} {self.most:,}" if self.most < LARGEST else ""
        )
        return (
            f"{also}a {'whole ' * self.whole}number{low}{' to infinity' if self.endless else high}"
        )


@dataclass(frozen=True)
class Words:
    """One of some words."""

    known: tuple

    def takes(self, value) -> bool:
        return isinstance(value, str) and value in self.known

    def __str__(self) -> str:
        return f"one of {', '.join(map(repr, self.known))}"


@dataclass(frozen=True)
class Flag:
    """True or False; 1 and 0 mean the same."""

    def takes(self, value) -> bool:
        return isinstance(value, (bool, np.bool_)) or (
            isinstance(value, Integral) and value in (0, 1)
        )

    def __str__(self) -> str:
        return "True or False"


@dataclass(frozen=True)
class Jobs:
    """Processes as joblib counts them: -1 all cores, -2 all but one."""

    def takes(self, value) -> bool:
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        return value is None or (whole and value != 0 and abs(value) < 1 << 15)

    def __str__(self) -> str:
        return "None, or a whole number of processes (-1: all cores), not 0"


@dataclass(frozen=True)
class Seed:
    """What names random streams."""

    def takes(self, value) -> bool:
        drawn = isinstance(value, np.random.Generator | np.random.RandomState)
        return value is None or drawn or Number(0, whole=True).takes(value)

    def __str__(self) -> str:
        return "a whole number from 0, None, or a generator of numpy"


@dataclass(frozen=True)
class Anything:
    """What is looked at where it is used, since its range depends on the table."""

    def takes(self, value) -> bool:
        return True


LATER = Anything()
COUNT = Number(1, LARGEST, whole=True)
AMOUNT = Number(0)
FLAG = Flag()
RANGES: dict[str, Any] = {
    "building": Number(0, 1, above=True, below=True),
    "cache_mb": AMOUNT,
    "delta": Number(0, also=("one_standard_error",)),
    "drop_unused": FLAG,
    "exact": FLAG,
    "extra": AMOUNT,
    "feature_penalty": AMOUNT,
    "folds": Number(2, LARGEST, whole=True, also=(None,)),
    "keep": Number(0, LARGEST, whole=True),
    "leaf_penalty": AMOUNT,
    "max_depth": Number(0, whole=True, also=(None,)),
    "memory_mb": AMOUNT,
    "min_branch": AMOUNT,
    "min_cases": AMOUNT,
    "n_jobs": Jobs(),
    "outer_folds": Number(2, LARGEST, whole=True, also=(None,)),
    "random_state": Number(0, whole=True),
    "repeats": COUNT,
    "smallest": FLAG,
    "ties": FLAG,
    "time_limit": Number(0, endless=True, also=(None,)),
    "verbose": Number(0, truth=True),
    "width": COUNT,
    "work": Number(0, LARGEST, also=(None,)),
}


def places(given, count, name) -> list[int]:
    """Positions of some of `count` things as Python integers.

    One that is not there is refused, also a negative one.

    Examples
    --------
    >>> places((2, 0), 3, "features")
    [2, 0]
    >>> places([-1], 3, "features")
    Traceback (most recent call last):
    ValueError: features: -1 is none of 0 to 2
    """
    for place in given:
        whole = isinstance(place, Integral) and not isinstance(place, (bool, np.bool_))
        if not (whole and 0 <= place < count):
            raise ValueError(f"{name}: {place!r} is none of 0 to {count - 1}")
    return [int(place) for place in given]


def positions(given, count, name) -> np.ndarray:
    """The same of many at once, as int64; a mask of truth values is refused too.

    Examples
    --------
    >>> positions([True, False], 2, "cases")
    Traceback (most recent call last):
    ValueError: cases: expected whole numbers from 0 to 1, got bool
    """
    array = np.asarray(given)
    if not array.size:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}: expected whole numbers from 0 to {count - 1}, got {array.dtype}")
    low, high = array.min(), array.max()
    if low < 0 or high >= count:
        raise ValueError(f"{name}: {low if low < 0 else high} is none of 0 to {count - 1}")
    return array.astype(np.int64, copy=False)


def check(ranges=None, **given) -> None:
    """Refuse the first value that its parameter cannot have.

    Names that no range is known of are left alone.

    Examples
    --------
    >>> check(work=10, time_limit=None)
    >>> check(work=-1)
    Traceback (most recent call last):
    ValueError: work = -1: expected None or a number from 0
    """
    known = RANGES if ranges is None else {**RANGES, **ranges}
    for name, value in given.items():
        if name in known and not known[name].takes(value):
            near = (
                get_close_matches(value, getattr(known[name], "known", ()), 1)
                if isinstance(value, str)
                else []
            )
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{name} = {value!r}: expected {known[name]}{hint}")
