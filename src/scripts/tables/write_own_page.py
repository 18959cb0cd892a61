"""The page of one of the user's own tables."""

from pinetum.workflow.jobs import job_log


def main(inputs, page, *, name):
    from pathlib import Path

    from pinetum.own.page import write_page

    write_page(name, inputs.summary, inputs.columns, inputs.warnings, Path(inputs.models).parent, page)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output.page, name=snakemake.wildcards.table)
