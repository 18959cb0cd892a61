"""Figure 4, right: search errors of the top tree, of SBE and of the optimal subset."""

from pinetum.workflow.jobs import job_log


def main(records, *, item, seed, options, criterion, fraction, cache_mb):
    from pinetum.distinct.study import records as study
    from pinetum.workflow.jobs import write_records

    shard, shards = map(int, item.split("-of-"))
    data, rows = study.loaded(options["dataset"], options["min_cases"] if shard == 1 else [])
    if data is not None:
        study.warm(data)
        rows = study.search_over_m(
            data,
            options["min_cases"],
            options["splits"],
            work=options["work"],
            criterion=criterion,
            fraction=fraction,
            cache_mb=cache_mb,
            seed=seed,
            shard=shard - 1,
            shards=shards,
        )
    write_records(rows, records, columns=study.OPTIMUM)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            item=snakemake.wildcards.scatteritem,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
            criterion=snakemake.params.criterion,
            fraction=snakemake.params.fraction,
            cache_mb=snakemake.params.cache_mb,
        )
