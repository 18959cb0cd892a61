"""Row sets as 64-bit words: counting and finding bits with one machine instruction each."""

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from pinetum.jit import kernel

if numba.config.DISABLE_JIT:  # the interpreter has no LLVM: the same answers, slowly

    def _ones(word):
        return int(word).bit_count()

    def _lowest(word):
        return (int(word) & -int(word)).bit_length() - 1

else:

    @intrinsic
    def _ones(typing, word):
        def generate(context, builder, signature, arguments):
            return builder.ctpop(arguments[0])

        return types.int64(types.uint64), generate

    @intrinsic
    def _lowest(typing, word):
        def generate(context, builder, signature, arguments):
            from llvmlite import ir

            return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), generate


@kernel
def ones(word):
    """Number of rows in a word of a row set."""
    return _ones(word)


@kernel
def lowest(word):
    """Position of the lowest row of a word that is not empty."""
    return _lowest(word)


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
