"""Small work starts at once: kernels are interpreted until compiling them would have been cheaper.

A kernel has a purse, a share of the seconds that compiling it takes. While there is something in
it, a call runs the kernel's own source in the interpreter, and that of all it calls. Kernels touch
nothing but their arguments; so a call whose purse is empty half-way is taken back (its arrays get
their old contents) and given to the compiled kernel. What was spent is kept beside the machine
code, so no program pays twice; where machine code is there, nothing is interpreted. The answers are
the same bytes.
"""

import contextlib
import dis
import functools
import logging
import os
import threading
import time
from pathlib import Path
from types import CodeType, FunctionType

import llvmlite.binding
import numba
import numpy as np
from numba.extending import typeof_impl

from pinetum.kernel_cache import cache_root, forget

SECONDS_A_BYTE = 4e-4  # of compiling, for a byte of the bytecode that a kernel can reach
SHARE = 0.25  # of compiling, that a kernel may be interpreted for
TOLD = 2.0  # seconds: what takes longer to compile is announced
KEPT = 0.1  # seconds of interpreting between two notes on disk
LARGEST = 64_000_000  # bytes of arguments that are worth copying
LOOK = 20_000  # rounds of loops between two looks at the clock
MADE = "made"
# Machine code is made for one kind of processor.
PROCESSOR = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
WAYS = ("auto", "always", "never")

log = logging.getLogger("pinetum")


def way() -> str:
    """What $PINETUM_JIT asks for: to compile when it pays, always, or never."""
    chosen = os.environ.get("PINETUM_JIT") or "auto"
    if chosen not in WAYS:
        raise ValueError(f"PINETUM_JIT is {chosen!r}; it may be {', '.join(WAYS)}")
    return chosen


def compile_at_once() -> None:
    """Interpret nothing from now on, in child processes neither: for work that is long or timed."""
    os.environ["PINETUM_JIT"] = "always"


class PurseEmptyError(Exception):
    """A call has taken as long as its kernel may be interpreted."""


class Clock(threading.local):
    """When a thread's interpreted call has to end, and the rounds that may go by without a look."""

    ends, rounds = float("inf"), 0

    def look(self):
        self.rounds = LOOK
        if time.thread_time() > self.ends:
            raise PurseEmptyError


CLOCK = Clock()


def watched_range(*bounds):
    """The interpreted kernels' `range`, which looks at the clock now and then."""
    rounds = range(*bounds)
    CLOCK.rounds -= len(rounds) + 1
    if CLOCK.rounds < 0:
        CLOCK.look()
    return rounds if len(rounds) <= LOOK else in_pieces(rounds)


def in_pieces(rounds):
    for begin in range(0, len(rounds), LOOK):
        CLOCK.look()
        yield from rounds[begin : begin + LOOK]


def copy_of(function, names, file=None):
    """The function over other global names, or as if it stood in another file."""
    code = function.__code__ if file is None else function.__code__.replace(co_filename=str(file))
    made = FunctionType(code, names, function.__name__, function.__defaults__)
    return functools.update_wrapper(made, function)


def used_names(code: CodeType) -> set[str]:
    """Global names, and not those of attributes."""
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    own = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    return own.union(*map(used_names, inner))


def callees(function) -> dict:
    """The kernels that a function names; numpy's function may have its own name, as in `np.exp`."""
    names = used_names(function.__code__) & function.__globals__.keys()
    found = {name: function.__globals__[name] for name in sorted(names)}
    kernels = {name: value for name, value in found.items() if hasattr(value, "py_func")}
    return {name: value for name, value in kernels.items() if value.py_func is not function}


@functools.cache
def interpreted(function):
    """The function over callees that are interpreted too."""
    names = dict(function.__globals__, range=watched_range)
    for name, callee in callees(function).items():
        names[name] = getattr(callee, "twin", None) or interpreted(callee.py_func)
    return copy_of(function, names)


@functools.cache
def reach(function) -> frozenset:
    """The function and all whose source becomes part of its machine code."""
    return frozenset({function}.union(*(reach(c.py_func) for c in callees(function).values())))


def arrays_in(arguments):
    for value in arguments:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays_in(value)


def unboxed(value):
    """What a compiled kernel would return: Python's numbers."""
    if isinstance(value, np.generic) and not isinstance(value, np.void):
        return value.item()
    if isinstance(value, tuple):
        parts = map(unboxed, value)
        return type(value)._make(parts) if hasattr(value, "_fields") else tuple(parts)
    return value


class Tiered:
    """A kernel that is interpreted until compiling it would have been cheaper.

    `folder` is where its machine code is kept, if anywhere.
    """

    def __init__(self, function, compiled, folder=None, twin=None, pauses=False):
        functools.update_wrapper(self, function)
        self.py_func, self.compiled, self.twin, self.pauses = function, compiled, twin, pauses
        self.record = folder and folder / f"{function.__name__}-{PROCESSOR}.txt"
        self.is_compiled = False
        self.purse, self.unkept = None, 0.0  # seconds: left (None before the first call), not noted

    def __call__(self, *arguments, **named):
        if self.is_compiled:
            return self.compiled(*arguments, **named)
        if self.is_interpreted((*arguments, *named.values())):
            with contextlib.suppress(PurseEmptyError):
                return self.interpret(arguments, named)
        return self.compile(arguments, named)

    def __reduce__(self):
        return self.__qualname__

    def is_interpreted(self, arguments=()) -> bool:
        """Whether a call will be interpreted."""
        chosen = way()
        if self.is_compiled or chosen == "always":
            return False
        if chosen == "never":
            return True
        if self.purse is None:
            spent = self.spent()
            self.purse = 0.0 if spent == MADE else SHARE * self.seconds() - spent
        small = self.pauses or sum(array.nbytes for array in arrays_in(arguments)) <= LARGEST
        return small and self.purse > 0

    def seconds(self) -> float:
        """What compiling takes, roughly."""
        return SECONDS_A_BYTE * sum(len(part.__code__.co_code) for part in reach(self.py_func))

    def interpret(self, arguments, named):
        """Run the source; take everything back when the purse is empty or the call is broken off.

        A kernel that pauses is left to end.
        """
        begun = time.thread_time()
        before = []
        if not self.pauses:
            arrays = arrays_in((*arguments, *named.values()))
            before = [(array, array.copy()) for array in arrays if array.flags.writeable]
        is_bounded = not self.pauses and way() == "auto"
        outer, CLOCK.ends = CLOCK.ends, begun + self.purse if is_bounded else float("inf")
        try:
            with np.errstate(all="ignore"):
                return unboxed((self.twin or interpreted(self.py_func))(*arguments, **named))
        except BaseException:
            for array, contents in before:
                array[...] = contents
            raise
        finally:
            CLOCK.ends = outer
            self.spend(time.thread_time() - begun)

    def compile(self, arguments, named):
        """The first call of the compiled kernel."""
        is_made, seconds = self.spent() == MADE, self.seconds()
        if not is_made and seconds > TOLD:
            kept = f"kept in {cache_root()}" if self.record else "for this process alone"
            name = f"{self.__module__}.{self.__name__}"
            log.warning("compiling %s: about %.0f s, once, %s", name, seconds, kept)
        try:
            answer = self.compiled(*arguments, **named)
        except (AttributeError, ImportError):  # what is kept names a class that has moved
            forget({Path(part.__code__.co_filename) for part in reach(self.py_func)})
            answer = self.compiled(*arguments, **named)
        if not is_made:
            self.note(MADE)
        self.is_compiled = True
        return answer

    def spend(self, seconds):
        if self.purse is not None:
            self.purse -= seconds
            self.unkept += seconds
        if self.unkept > KEPT:
            self.note(f"{self.unkept:.3g}")
            self.unkept = 0.0

    def note(self, text):
        if self.record:
            with contextlib.suppress(OSError), open(self.record, "a", encoding="utf-8") as notes:
                notes.write(f"{text}\n")

    def spent(self) -> float | str:
        """Seconds that the kernel was interpreted for in any process, or that it was compiled."""
        try:
            notes = self.record.read_text(encoding="utf-8").split()
            return MADE if MADE in notes else sum(map(float, notes))
        except (AttributeError, OSError, ValueError):
            return 0.0


def is_interpreted(kernel) -> bool:
    """Whether the next call of a kernel will run in the interpreter."""
    return kernel.is_interpreted() if isinstance(kernel, Tiered) else True


@typeof_impl.register(Tiered)
def type_as_compiled(kernel, context):
    """Within a kernel the name stands for the compiled kernel."""
    return typeof_impl(kernel.compiled, context)
