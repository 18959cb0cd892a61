"""The page on rivals, made of the tables."""

from pinetum.workflow.jobs import job_log


def main(page, summary, friedman, limits, *, settings):
    from pinetum.peers.page import write_page
    from pinetum.workflow.jobs import read_records

    write_page(page, read_records(summary), read_records(friedman), read_records(limits), settings)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.page,
            snakemake.input.summary,
            snakemake.input.friedman,
            snakemake.input.limits,
            settings=snakemake.params.settings,
        )
