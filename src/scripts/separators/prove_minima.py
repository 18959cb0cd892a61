"""The least number of features, proven, beside the heuristic's, on the same folds."""

from pinetum.workflow.jobs import job_log


def main(records, options, seed):
    from pinetum.separators.study.records import exact_minima, settings_of
    from pinetum.workflow.jobs import write_records

    exact = options["exact"]
    write_records(
        exact_minima(
            options["datasets"],
            repeats=exact["repeats"],
            folds=options["folds"],
            use=options["folds_run"],
            seed=seed,
            settings=settings_of(options),
            method=exact["method"],
            effort=exact["effort"],
            time_limit=exact["time_limit"],
        ),
        records,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.output.records, snakemake.params.options, snakemake.params.seed)
