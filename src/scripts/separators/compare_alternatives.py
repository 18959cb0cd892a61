"""What each choice that the paper leaves open changes."""

from pinetum.workflow.jobs import job_log


def main(records, options, seed):
    from pinetum.separators.study.readings import reading_records
    from pinetum.separators.study.records import settings_of
    from pinetum.workflow.jobs import write_records

    write_records(
        reading_records(
            options["datasets"],
            repeats=options["alternative_repeats"],
            folds=options["folds"],
            use=options["folds_run"],
            seed=seed,
            settings=settings_of(options),
        ),
        records,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.output.records, snakemake.params.options, snakemake.params.seed)
