"""How values that belong together travel through kernels.

Arrays travel as a NamedTuple with a line per field, scalars that several steps share as a record.
An entry borrows its bundles once: a reference counted in every small step would cost more than it.
"""

import sys

import numpy as np

from pinetum.jit import kernel
from pinetum.kernels.arrays import borrow


def record_of(*names, kind=np.int64):
    """A row of named 64-bit numbers, which kernels read and write by name like elements of arrays.

    `np.record`: by name without the compiler, too.
    """
    return np.dtype((np.record, [(name, kind) for name in names]))


def borrower(kind):
    """The step `bundle = step(bundle)` that borrows all arrays of a NamedTuple, those of bundles in
    it too.

    It is written from the annotations; what is neither an array nor a bundle stays as it is.
    """
    module, names, fields = sys.modules[kind.__module__], {"borrow": borrow, "kind": kind}, []
    for name, hint in kind.__annotations__.items():
        if hint is np.ndarray:
            fields.append(f"borrow(bundle.{name})")
        elif hasattr(hint, "_fields"):
            names[f"borrow_{name}"] = borrower(hint)
            fields.append(f"borrow_{name}(bundle.{name})")
        else:
            fields.append(f"bundle.{name}")
    names["__name__"] = module.__name__  # the file whose folder keeps the machine code
    step = f"def step(bundle):\n    return kind({', '.join(fields)})\n"
    exec(compile(step, module.__file__, "exec"), names)
    return kernel(inline=True)(names["step"])
