"""Enumerate one shard; what is done is kept in a checkpoint, so a killed job goes on where it
was.
"""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(plan, part, *, item, options, criterion, cache_mb, checkpoint):
    import json
    from pathlib import Path

    from pinetum.distinct.engine import Engine
    from pinetum.distinct.study.records import loaded, warm
    from pinetum.distinct.study.shards import run_shard
    from pinetum.files import whole_file
    from pinetum.induction import yadt

    planned = json.loads(Path(plan).read_text())
    data, _ = loaded(options["dataset"], [options["min_cases"]])
    result = None
    if data is not None and planned is not None:
        warm(data)
        engine = Engine(data, yadt(options["min_cases"], criterion), cache_mb=cache_mb)
        shard = int(item.split("-of-")[0]) - 1
        work = options["work"] * 1_000_000 // len(planned["shards"])
        result = run_shard(engine, planned, shard, work=work, checkpoint=checkpoint)
    with whole_file(part) as file:
        json.dump(result, file)
    Path(checkpoint).unlink(missing_ok=True)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.plan,
            snakemake.output.part,
            item=snakemake.wildcards.scatteritem,
            options=snakemake.params.options,
            criterion=snakemake.params.criterion,
            cache_mb=snakemake.params.cache_mb,
            checkpoint=results_folder()
            / snakemake.params.checkpoint.format(scatteritem=snakemake.wildcards.scatteritem),
        )
