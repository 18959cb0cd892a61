"""Verdict counts and figures of the last full run, put into the README between its markers."""

from pinetum.workflow.jobs import job_log


def main(counts, cost, figures, *, readme, folder, contents):
    from pinetum.report.readme import update

    update(readme, counts=counts, cost=cost, figures=figures, folder=folder, contents=contents)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.counts,
            snakemake.input.cost,
            snakemake.input.figures,
            readme=snakemake.params.readme,
            folder=snakemake.params.folder,
            contents=snakemake.params.contents,
        )
