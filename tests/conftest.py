"""Tests run compiled kernels; those of small work that starts at once ask for it themselves."""

import os

os.environ.setdefault("PINETUM_JIT", "always")
