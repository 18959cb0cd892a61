"""The report page and the register of deviations."""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(comparison, availability, agreement, page, deviations, *, contents, seed, names):
    from pinetum.report.page import write_deviations, write_page

    write_page(
        page,
        comparison=comparison,
        contents=contents,
        availability=availability,
        agreement=agreement,
        results=results_folder(),
        seed=seed,
        names=names,
    )
    write_deviations(contents, deviations)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.comparison,
            snakemake.input.availability,
            [snakemake.input[name] for name in ("numbers", "z", "readings", "z_table")],
            snakemake.output.page,
            snakemake.output.deviations,
            contents=snakemake.params.contents,
            seed=snakemake.params.seed,
            names=snakemake.params.names,
        )
