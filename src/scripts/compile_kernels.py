"""Fill the cache of machine code for one room and say where it is."""

from arboretum.jobs import job_log


def main(record, *, room):
    import gc
    import importlib
    import json
    import time

    import numba

    from arboretum.jobs import whole_file
    from arboretum.kernel import cache_folder
    from arboretum.kernel_sources import source_digest

    gc.disable()  # numba makes millions of objects and little garbage: looking for it takes a tenth of the time
    begun = time.process_time()
    importlib.import_module(f"arboretum.{room}.warm").warm_up()
    print(f"{room}: {time.process_time() - begun:.1f} CPU seconds, machine code in {cache_folder(room)}")
    with whole_file(record) as file:
        json.dump({"room": room, "sources": source_digest(room), "numba": numba.__version__}, file)
        file.write("\n")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.output.record, room=snakemake.wildcards.room)
