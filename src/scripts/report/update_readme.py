"""Verdict counts and figures of the last full run, put into the README between its markers."""

from pinetum.workflow.jobs import job_log


def main(source, *, readme, verdicts, folder):
    from pinetum.report.readme import update

    update(
        readme,
        comparison=source.comparison,
        verdicts=verdicts,
        counts=source.counts,
        cost=source.cost,
        availability=source.availability,
        synth=source.synth,
        figures=source.figures,
        numbers=source.numbers,
        folder=folder,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            readme=snakemake.params.readme,
            verdicts=snakemake.params.verdicts,
            folder=snakemake.params.folder,
        )
