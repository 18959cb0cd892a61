"""Figure 3: the selection orders, the ways of building, and exhaustive search."""

from pinetum.workflow.jobs import job_log


def main(orders, sizes, exhaustive, *, seed, options, criterion, cache_mb):
    from pinetum.distinct.study import records as study
    from pinetum.workflow.jobs import provenance, write_records

    common = {"criterion": criterion, "cache_mb": cache_mb, "work": options["work"]}
    data, records = study.loaded(options["dataset"], options["min_cases"])
    by_size, whole = [], []
    if data is not None:
        study.warm(data)
        records, by_size = study.compare_orders(data, options["min_cases"], **common)
        slow, _ = study.compare_orders(
            data, options["slow_min_cases"], builds=("incremental", "scratch"), **common
        )
        records += slow
        for m in sorted(options["min_cases"], reverse=True):
            seconds = study.exhaustive_seconds(data, m, criterion=criterion, seed=seed)
            trees = 2**data.n_features
            whole.append(
                {
                    "dataset": data.name,
                    "m": m,
                    "trees": trees,
                    "seconds_estimated": seconds,
                    **provenance(),
                }
            )
    write_records(records, orders, columns=study.ENUMERATION)
    write_records(by_size, sizes, columns=study.SIZES)
    write_records(
        whole,
        exhaustive,
        columns=["dataset", "m", "trees", "seconds_estimated", "version", "commit"],
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.orders,
            snakemake.output.sizes,
            snakemake.output.exhaustive,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
            criterion=snakemake.params.criterion,
            cache_mb=snakemake.params.cache_mb,
        )
