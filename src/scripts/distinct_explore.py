"""One data set: enumerations over m, the optimal subset, the near-optimal trees."""

from arboretum.jobs import job_log


def main(enumeration, sizes, optimum, rashomon, *, dataset, seed, options):
    from arboretum.distinct import study
    from arboretum.jobs import write_records

    common = {"criterion": options["criterion"], "cache_mb": options["cache_mb"], "seed": seed}
    wrapper = common | {"fraction": options["fraction"]}
    ms = options["enumeration"]["m"].get(dataset, [])
    searched = options["optimum"]["m"] if dataset in options["optimum"]["datasets"] else []
    near = options["rashomon"]["m"] if dataset in options["rashomon"]["datasets"] else []
    data, counts = study.loaded(dataset, ms)
    found, by_size, members = study.loaded(dataset, searched)[1], [], []
    if data is not None:
        study.warm(data)
        part = options["enumeration"]
        work = part.get("work_of", {}).get(dataset, part["work"])
        counts, by_size = study.enumerate_over_m(data, ms, work=work, probes=part["probes"], **common)
        part = options["optimum"]
        found = study.search_over_m(data, searched, 1, work=part["work"], **wrapper)
        part = options["rashomon"]
        for m in near:
            members += study.rashomon_records(data, m, part["extra"], work=part["work"], **wrapper)
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
