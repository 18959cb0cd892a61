"""The page on rivals, made of the tables."""

from pinetum.workflow.jobs import job_log


def main(page, summary, forms, friedman, limits, *, settings):
    from pinetum.workflow.jobs import read_records
    from pinetum_benchmarks.peers.page import write_page

    tables = [read_records(path) for path in (summary, forms, friedman, limits)]
    write_page(page, *tables, settings)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.page,
            snakemake.input.summary,
            snakemake.input.forms,
            snakemake.input.friedman,
            snakemake.input.limits,
            settings=snakemake.params.settings,
        )
