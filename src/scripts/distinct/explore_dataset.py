"""One data set: enumerations over m, the optimal subset, the near-optimal trees."""

from pinetum.workflow.jobs import job_log


def main(enumeration, sizes, optimum, rashomon, *, dataset, seed, options):
    from pinetum.distinct.study import records as study
    from pinetum.workflow.jobs import write_records

    common = {"criterion": options["criterion"], "cache_mb": options["cache_mb"], "seed": seed}
    wrapper = common | {"fraction": options["fraction"]}
    runs, best, near = options["enumeration"], options["optimum"], options["rashomon"]
    data, counts = study.loaded(dataset, runs["min_cases"])
    found, by_size, members = study.loaded(dataset, best["min_cases"])[1], [], []
    if data is not None:
        study.warm(data)
        counts, by_size = study.enumerate_over_m(
            data, runs["min_cases"], work=runs["work"], probes=runs["probes"], **common
        )
        found = study.search_over_m(data, best["min_cases"], 1, work=best["work"], **wrapper)
        for m in near["min_cases"]:
            members += study.rashomon_records(data, m, near["extra"], work=near["work"], **wrapper)
    write_records(counts, enumeration, columns=study.ENUMERATION)
    write_records(by_size, sizes, columns=study.SIZES)
    write_records(found, optimum, columns=study.OPTIMUM)
    write_records(members, rashomon, columns=study.RASHOMON)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.enumeration,
            snakemake.output.sizes,
            snakemake.output.optimum,
            snakemake.output.rashomon,
            dataset=snakemake.wildcards.dataset,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
        )
