"""The one decorator for compiled code.

Kernels take arrays and numbers, return arrays and status codes, check nothing and raise nothing.
They never call themselves (a cached self-recursive function aborts when it is read back).
"""

import sys
from pathlib import Path

import numba

from pinetum.kernel_cache import cache_folder, check_cache, kept_source
from pinetum.tiers import Tiered, copy_of


def kernel(function=None, *, inline=False, nogil=False, twin=None, pauses=False):
    """Compile a function without the interpreter, once that pays (see `tiers`).

    `inline` is for small helpers that few places call, and for steps that one kernel alone calls:
    machine code is made anew at every level of calls, of all that lies below. `nogil` lets threads
    run it side by side. `twin` is a Python function for what the interpreter cannot run. A kernel
    that `pauses` takes arrays too large to be copied, and returns to its caller now and then.
    """
    if function is None:
        return lambda wrapped: kernel(wrapped, inline=inline, nogil=nogil, twin=twin, pauses=pauses)
    if numba.config.DISABLE_JIT:
        return twin or function
    # The Python error model costs a branch per division, up to 10x in hot loops.
    options = {"error_model": "numpy", "inline": "always" if inline else "never", "nogil": nogil}
    if not check_cache():
        compiled = numba.njit(**options)(function)
        return compiled if inline else Tiered(function, compiled, None, twin, pauses)
    file = Path(sys.modules[function.__module__].__file__)
    folder = cache_folder(file)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        located = copy_of(function, function.__globals__, kept_source(file))
        compiled = numba.njit(cache=True, **options)(located)
    finally:
        numba.config.CACHE_DIR = before
    return compiled if inline else Tiered(function, compiled, folder, twin, pauses)
