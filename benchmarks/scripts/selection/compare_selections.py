"""Selection of features inside an outer cross-validation, one shard: what searching more subsets
does to the error.
"""

from pinetum.workflow.jobs import job_log


def main(records, *, shard, settings, seed):
    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.selection.oversearching import COLUMNS, oversearching_records

    part, shards = map(int, shard.split("-of-"))
    write_records(oversearching_records(settings, seed, part - 1, shards), records, columns=COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            shard=snakemake.wildcards.scatteritem,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
