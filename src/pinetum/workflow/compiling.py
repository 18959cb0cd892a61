"""Compile the kernels of one study before its jobs need them."""

import importlib
import json
import os
import time


def compile_kernels(study, digest, seconds, optimise) -> dict:
    """Compile the kernels of one study, once per machine and edit, and say where the machine code
    is kept.
    """
    os.environ.setdefault("NUMBA_OPT", str(optimise))  # read when numba is imported
    os.environ["PINETUM_JIT"] = "always"
    import numba

    from pinetum.kernel_cache import cache_root
    from pinetum.tiers import PROCESSOR

    begun = time.process_time()
    importlib.import_module(".".join(("pinetum", study, "warm"))).warm_up()
    took = f"{time.process_time() - begun:.1f} CPU seconds of about {seconds}"
    print(f"{study}: {took}, machine code for {PROCESSOR} in {cache_root()}")
    record = {"study": study, "kernels": digest, "numba": numba.__version__}
    return {"record": json.dumps(record) + "\n"}
