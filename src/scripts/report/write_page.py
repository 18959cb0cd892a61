"""The report page and the register of deviations."""

from pinetum.workflow.jobs import job_log


def main(comparison, contents, availability, cost, page, deviations, *, seed, names):
    from pathlib import Path

    from pinetum.report.page import write_deviations, write_page
    from pinetum.workflow.config import load_yaml

    listed = {Path(path).stem: load_yaml(path) for path in contents}
    write_page(
        page,
        comparison=comparison,
        contents=listed,
        availability=availability,
        cost=cost,
        results="results",
        seed=seed,
        names=names,
    )
    write_deviations(listed, deviations)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.comparison,
            snakemake.input.contents,
            snakemake.input.availability,
            snakemake.input.cost,
            snakemake.output.page,
            snakemake.output.deviations,
            seed=snakemake.params.seed,
            names=snakemake.params.names,
        )
