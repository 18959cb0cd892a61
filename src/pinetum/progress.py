"""How far a long loop or search has come, and whether it shall end before its time.

A search of unknown length has no total to count towards, which is what progress bars of libraries
want; what there is to say is the best so far, what is proved, and the share of a limit that is
used. Hence a line of our own.
"""

import shutil
import signal
import sys
import threading
import time
from contextlib import contextmanager
from contextvars import ContextVar

from pinetum.visible import behind, one_line

QUIET = 10.0  # seconds between two lines in a log
LIVELY = 0.2  # and between two states of the line on a terminal
CELLS = 20  # of a bar


class Progress:
    """A line in the log now and then: done, rate, remaining."""

    def __init__(self, total, what, every=QUIET, already=0):
        self.total, self.what, self.every, self.already = total, what, every, already
        self.begun = self.told = time.monotonic()
        self.done = already

    def step(self, by=1):
        self.done += by
        now = time.monotonic()
        if now - self.told >= self.every or self.done >= self.total:
            self.told = now
            rate = (self.done - self.already) / max(now - self.begun, 1e-9)
            left = (self.total - self.done) / max(rate, 1e-9)
            print(
                f"{self.done:,} of {self.total:,} {self.what}, {rate:,.3g} a second, {left:,.0f} s"
                " remaining",
                file=sys.stderr,
                flush=True,
            )


class Watch:
    """Tells the standard error how a long call stands, and remembers that Ctrl-C was pressed."""

    def __init__(self, what, verbose):
        self.what, self.verbose, self.stopped = what, verbose, False
        self.terminal = bool(verbose) and sys.stderr.isatty()
        self.begun = self.told = time.monotonic()
        self.drawn = False

    def look(self, tell, share=None) -> bool:
        """Whether the call shall end; `tell()` says how it stands, `share` how much of its limit is
        used.
        """
        now = time.monotonic()
        if self.verbose and now - self.told >= (LIVELY if self.terminal else QUIET):
            self.told = now
            text = one_line(f"{self.what}: {tell()}, {now - self.begun:,.0f} s")
            if share is not None:
                full = min(CELLS, int(CELLS * share))
                text = f"[{'#' * full}{'.' * (CELLS - full)}] {text}"
            if self.terminal:
                width = shutil.get_terminal_size().columns - 1
                line = "\r" + text[:width].ljust(width)
                print(line, end="", file=behind(sys.stderr), flush=True)
                self.drawn = True
            else:
                print(text, file=sys.stderr, flush=True)
        return self.stopped

    def interrupt(self, _signal, _frame):
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True
        print(
            "\nends with the best known so far; Ctrl-C again to abort", file=sys.stderr, flush=True
        )

    def close(self):
        if self.drawn:
            print(file=sys.stderr)


WATCH: ContextVar[Watch | None] = ContextVar("pinetum_watch", default=None)


@contextmanager
def watched(what, verbose=0):
    """Watch over a long call: it is told how it stands (`verbose`), and the first Ctrl-C ends it
    with what it knows.

    A call within a watched call is watched by the same. Python's own handling of Ctrl-C comes back
    afterwards; where another handler is set, and in other threads, Ctrl-C is left alone.
    """
    if WATCH.get() is not None:
        yield WATCH.get()
        return
    watch = Watch(what, verbose)
    token = WATCH.set(watch)
    main = threading.current_thread() is threading.main_thread()
    ours = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if ours:
        signal.signal(signal.SIGINT, watch.interrupt)
    try:
        yield watch
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        WATCH.reset(token)
        watch.close()


def look(tell, share=None) -> bool:
    """What a long loop calls now and then: true when it shall end."""
    watch = WATCH.get()
    return watch is not None and watch.look(tell, share)


def is_watched() -> bool:
    """Whether the call may be ended by Ctrl-C, so that its loops should look now and then."""
    return WATCH.get() is not None


def is_stopped() -> bool:
    """Whether Ctrl-C was pressed in the call that is watched."""
    watch = WATCH.get()
    return watch is not None and watch.stopped
