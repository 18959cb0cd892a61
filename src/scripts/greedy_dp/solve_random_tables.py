"""Minima and greedy costs of one shard of the random tables."""

from pinetum.workflow.jobs import job_log


def main(records, clock, *, item, seed, shape, tables):
    from pinetum.greedy_dp.study.random_tables import run
    from pinetum.workflow.jobs import write_records

    shard, shards = map(int, item.split("-of-"))
    start, stop = tables * (shard - 1) // shards, tables * shard // shards
    frame, seconds = run(seed, start, stop, **shape)
    write_records(frame, records)
    write_records(
        [{"tables": stop - start} | {f"seconds_{what}": spent for what, spent in seconds.items()}],
        clock,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            snakemake.output.clock,
            item=snakemake.wildcards.scatteritem,
            seed=snakemake.params.seed,
            shape=snakemake.params.shape,
            tables=snakemake.params.tables,
        )
