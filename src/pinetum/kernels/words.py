"""64-bit words as sets: counting and finding bits with one machine instruction each, and a hash."""

import numpy as np
from numba import types
from numba.extending import intrinsic

from pinetum.jit import kernel


@intrinsic
def count_ones(typing, word):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def count_trailing_zeros(typing, word):
    def generate(context, builder, signature, arguments):
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@kernel(twin=lambda word: int(word).bit_count())
def ones(word):
    """How many bits are set, int64."""
    return count_ones(word)


@kernel(twin=lambda word: (int(word) & -int(word)).bit_length() - 1)
def lowest(word):
    """Position of the lowest bit that is set, of a word that is not zero."""
    return count_trailing_zeros(word)


ONE = np.uint64(1)
ZERO = np.uint64(0)


@kernel
def mixed(word):
    """A well spread 64-bit hash (the finaliser of splitmix64)."""
    word ^= word >> np.uint64(30)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    word ^= word >> np.uint64(27)
    word *= np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))
