"""Compile the kernels of one study before its jobs need them."""

import importlib
import json
import os
import threading
import time

from pinetum.workflow.jobs import tell

SHORT = 3.0  # seconds after which machine code is not just read


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
    says = f"compiles the kernels of {study}: some {seconds} s of a core, once on this machine"
    late = threading.Timer(SHORT, tell, [says])
    late.start()
    importlib.import_module(".".join(("pinetum", study, "warm"))).warm_up()
    late.cancel()
    took = f"{time.process_time() - begun:.1f} CPU seconds of about {seconds}"
    print(f"{study}: {took}, machine code for {PROCESSOR} in {cache_root()}")
    record = {"study": study, "kernels": digest, "numba": numba.__version__}
    return {"record": json.dumps(record) + "\n"}
