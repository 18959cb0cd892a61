"""Trees of planes, limited and grown out, also for several classes."""

from pinetum.workflow.jobs import job_log


def main(records, options, seed):
    from pinetum.separators.study.records import settings_of
    from pinetum.separators.study.trees import trees
    from pinetum.workflow.jobs import write_records

    chosen = options["trees"]
    write_records(
        trees(
            {**options["datasets"], **chosen["several_classes"]},
            methods=chosen["methods"],
            kinds=chosen["kinds"],
            depths=chosen["depths"],
            min_cases=chosen["min_cases"],
            repeats=chosen["repeats"],
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
