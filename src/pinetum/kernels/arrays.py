"""Small services on arrays: numba takes seconds to translate numpy's own sorting and joining for
every study.
"""

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from pinetum.jit import kernel


@intrinsic
def pointer(typing, address, array):
    """The address of an array's cells, which must lie one after the other, as a pointer."""

    def convert(context, builder, signature, arguments):
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    if getattr(array, "layout", "") == "C":
        return types.voidptr(address, array), convert


@kernel(twin=lambda array: array)  # the interpreter counts no references that cost anything
def borrow(array):
    """The same memory without a count of references, for as long as the caller holds the array.

    A kernel of many small calls spends half of its time with counting references of its arrays, and
    a quarter of that with arrays that have none.
    """
    return numba.carray(pointer(array.ctypes.data, array), array.shape, array.dtype)


@kernel
def falling_order(values):
    """Positions by falling value, equal ones as they come.

    By insertion: there are as many values as features.
    """
    order = np.empty(len(values), np.int64)
    for i in range(len(values)):
        at = i
        while at > 0 and values[order[at - 1]] < values[i]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = i
    return order


@kernel
def sort_values(values, count):
    """Sort the first `count` values in place, by insertion over falling distances (Shell, 1959)."""
    distance = 1
    while 3 * distance < count:
        distance = 3 * distance + 1
    while distance > 0:
        for i in range(distance, count):
            value = values[i]
            at = i
            while at >= distance and values[at - distance] > value:
                values[at] = values[at - distance]
                at -= distance
            values[at] = value
        distance //= 3


@kernel
def greatest(values):
    """The greatest of one or more values."""
    most = values[0]
    for value in values:
        most = max(most, value)
    return most


@kernel
def rising_values(values):
    """The finite values in rising order, each once.

    By insertion: the work grows with the number of different ones.
    """
    rising = np.empty(len(values), values.dtype)
    count = 0
    for value in values:
        if not np.isfinite(value):
            continue
        at = count
        while at > 0 and rising[at - 1] > value:
            at -= 1
        if at > 0 and rising[at - 1] == value:
            continue
        for i in range(count, at, -1):
            rising[i] = rising[i - 1]
        rising[at] = value
        count += 1
    return rising[:count]


@kernel
def longer(values, room):
    """A copy with room for more; what is added is not set."""
    copy = np.empty(room, values.dtype)
    for i in range(len(values)):
        copy[i] = values[i]
    return copy


@kernel
def longer_rows(values, room):
    """The same for rows."""
    copy = np.empty((room, values.shape[1]), values.dtype)
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            copy[i, j] = values[i, j]
    return copy
