"""Compile the kernels of one study, once per machine and edit, and say where the machine code is
kept.
"""

from pinetum.workflow.jobs import job_log


def main(record, *, study, digest, optimise):
    import importlib
    import json
    import os
    import time

    os.environ.setdefault("NUMBA_OPT", str(optimise))  # read when numba is imported
    import numba

    from pinetum.files import whole_file
    from pinetum.jit import cache_root

    begun = time.process_time()
    importlib.import_module(f"pinetum.{study}.warm").warm_up()
    print(f"{study}: {time.process_time() - begun:.1f} CPU seconds, machine code in {cache_root()}")
    with whole_file(record) as file:
        json.dump({"study": study, "kernels": digest, "numba": numba.__version__}, file)
        file.write("\n")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.record,
            study=snakemake.wildcards.study,
            digest=snakemake.params.digest,
            optimise=snakemake.params.optimise,
        )
