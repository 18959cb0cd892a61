"""Eliminations of one shard: a record per fold, and the paths."""

from pinetum.workflow.jobs import job_log


def main(folds, paths, *, shard, settings, seed):
    from pinetum.elimination.study.records import FOLD_COLUMNS, PATH_COLUMNS, eliminate_folds
    from pinetum.workflow.jobs import write_records

    part, shards = map(int, shard.split("-of-"))
    records, steps = eliminate_folds(settings, seed, part - 1, shards)
    write_records(records, folds, columns=FOLD_COLUMNS)
    write_records(steps, paths, columns=PATH_COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.folds,
            snakemake.output.paths,
            shard=snakemake.wildcards.scatteritem,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
