"""Content of JSON files against a schema, before anything is built from it."""

from functools import cache
from json import dumps, loads

import numpy as np

from pinetum.data.errors import DataError, shown

CURE = "the file is damaged or was not written by Pinetum: write it again"


@cache
def _validator(text):
    import jsonschema

    return jsonschema.Draft202012Validator(loads(text))


def validated(content, schema: dict, file=None):
    """The content, or a `DataError` that says where it differs from the schema."""
    fault = next(_validator(dumps(schema)).iter_errors(content), None)
    if fault is not None:
        place = ".".join(map(str, fault.absolute_path)) or "the whole"
        raise DataError(f"{place}: {_said(fault)}", file=file, cure=CURE)
    return content


def _said(fault) -> str:
    rule, wanted = fault.validator, fault.validator_value
    if rule == "type":
        return f"{shown(fault.instance)} is not of type {wanted}"
    if rule == "required":
        return "misses " + ", ".join(key for key in wanted if key not in fault.instance)
    if rule == "additionalProperties":
        return (
            "unknown key "
            + ", ".join(sorted(set(fault.instance) - set(fault.schema["properties"])))[:200]
        )
    return f"{shown(fault.instance)} breaks the rule {rule} {shown(wanted)}"


def read_json(text: str, file=None):
    """Parsed JSON; what no writer of ours writes (NaN, doubled keys, bottomless nesting) is a
    `DataError`.
    """

    def refuse(word):
        raise ValueError(f"{word} is not JSON")

    def once(pairs):
        content = dict(pairs)
        if len(content) < len(pairs):
            raise ValueError("a key is given twice")
        return content

    try:
        return loads(text, parse_constant=refuse, object_pairs_hook=once)
    except (ValueError, RecursionError, TypeError) as error:
        raise DataError(f"not JSON ({str(error)[:200]})", file=file, cure=CURE) from None


def whole_numbers(values, name, low, high, *, count=None, file=None) -> np.ndarray:
    """A list of integers from `low` to `high` as an int32 array."""
    numbers = _array(values, name, file)
    if numbers.size and numbers.dtype.kind != "i":
        raise DataError(f"{name}: not whole numbers", file=file, cure=CURE)
    if numbers.ndim != 1 or (count is not None and len(numbers) != count):
        raise DataError(f"{name}: {len(numbers)} entries instead of {count}", file=file, cure=CURE)
    _within(numbers, name, low, high, file)
    return numbers.astype(np.int32)


def real_numbers(values, name, *, low=-np.inf, high=np.inf, shape=None, file=None) -> np.ndarray:
    """A (nested) list of finite numbers as a float64 array; `None` in a flat list is NaN."""
    absent = None
    if isinstance(values, list) and any(value is None for value in values):
        absent = np.array([value is None for value in values])
        values = [0.0 if value is None else value for value in values]
    numbers = _array(values, name, file)
    if numbers.size and numbers.dtype.kind not in "if":
        raise DataError(f"{name}: not numbers", file=file, cure=CURE)
    numbers = numbers.astype(np.float64)
    if shape is not None and numbers.shape != shape:
        raise DataError(f"{name}: shape {numbers.shape} instead of {shape}", file=file, cure=CURE)
    if not np.isfinite(numbers).all():
        raise DataError(f"{name}: a number that is not finite", file=file, cure=CURE)
    _within(numbers, name, low, high, file)
    if absent is not None:
        numbers[absent] = np.nan
    return numbers


def _array(values, name, file):
    try:
        return np.array(values)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise DataError(f"{name}: not a list of numbers", file=file, cure=CURE) from None


def _within(numbers, name, low, high, file):
    if numbers.size and (numbers.min() < low or numbers.max() > high):
        wrong = numbers[(numbers < low) | (numbers > high)][0]
        raise DataError(f"{name}: {wrong} is not from {low} to {high}", file=file, cure=CURE)


def check_tree(child_start, children, file=None) -> None:
    """Whether lists of children make one tree: every node but the root is the child of one earlier
    node.
    """
    nodes = len(child_start) - 1
    if child_start[0] != 0 or child_start[-1] != len(children) or (np.diff(child_start) < 0).any():
        raise DataError(
            "child_start: not the beginnings of the lists of children", file=file, cure=CURE
        )
    parents = np.repeat(np.arange(nodes), np.diff(child_start))
    if not np.array_equal(np.sort(children), np.arange(1, nodes)) or (children <= parents).any():
        raise DataError(
            "children: not one tree with parents before their children", file=file, cure=CURE
        )
