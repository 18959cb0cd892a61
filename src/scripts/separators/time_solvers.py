"""The four-set study through several solvers, in one run."""

from pinetum.workflow.jobs import job_log


def main(records, options, seed):
    from pinetum.separators.study.speed import speed
    from pinetum.workflow.jobs import write_records

    write_records(
        speed(
            options["datasets"],
            ways=options["speed"]["ways"],
            repeats=options["speed"]["repeats"],
            folds=options["folds"],
            use=options["folds_run"],
            seed=seed,
        ),
        records,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.output.records, snakemake.params.options, snakemake.params.seed)
