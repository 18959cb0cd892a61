"""CPU seconds to compile the kernels of every study from nothing, as the rule `compile_kernels`
does.

    python benchmarks/programs/compile_kernels.py [STUDY...]

All studies share one new cache, as in a run; each has a process of its own.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from pinetum.workflow.studies import STUDIES

ROOT = Path(__file__).resolve().parents[2]
JOB = """
import sys
from pinetum.workflow.compiling import compile_kernels
compile_kernels(sys.argv[1], digest="", seconds=0, optimise=int(sys.argv[2]))
"""


def main(studies):
    total = 0.0
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {
            "PINETUM_KERNEL_CACHE": f"{folder}/kernels",
            "PYTHONPATH": str(ROOT / "src"),
        }
        for study in studies:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-c", JOB, study, str(STUDIES[study].optimise)]
            subprocess.run(
                command,
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            total += seconds
            print(f"{study:12}{seconds:7.1f}", flush=True)
    print(f"{'together':12}{total:7.1f}")


if __name__ == "__main__":
    main(sys.argv[1:] or [name for name, study in STUDIES.items() if study.compiles])
