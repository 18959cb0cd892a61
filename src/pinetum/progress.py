"""How far a long loop has come, in the log."""

import sys
import time


class Progress:
    """A line in the log now and then: done, rate, remaining."""

    def __init__(self, total, what, every=10.0, already=0):
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
                f"{self.done:,} of {self.total:,} {self.what}, {rate:,.3g} a second, {left:,.0f} s remaining",
                file=sys.stderr,
                flush=True,
            )
