"""Complete searches of one shard: the best subset of each fold, or the best found in time."""

from pinetum.workflow.jobs import job_log


def main(records, *, shard, settings, seed):
    from pinetum.elimination.study.records import OPTIMAL_COLUMNS, search_optima
    from pinetum.workflow.jobs import write_records

    part, shards = map(int, shard.split("-of-"))
    write_records(search_optima(settings, seed, part - 1, shards), records, columns=OPTIMAL_COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            shard=snakemake.wildcards.scatteritem,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
