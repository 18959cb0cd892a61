"""One fold of each table of thousands of features."""

from pinetum.workflow.jobs import job_log


def main(records, *, settings, seed):
    from pinetum.elimination.study.records import LARGE_COLUMNS, eliminate_large
    from pinetum.workflow.jobs import write_records

    write_records(
        [eliminate_large(name, settings, seed) for name in settings["large"]],
        records,
        columns=LARGE_COLUMNS,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records, settings=snakemake.params.settings, seed=snakemake.params.seed
        )
