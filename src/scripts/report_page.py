"""The report page and the register of deviations."""

from arboretum.jobs import job_log


def main(comparison, contents, availability, cost, page, deviations, *, seed, names):
    from pathlib import Path

    from arboretum.config import load_yaml
    from arboretum.report.page import write_deviations, write_page

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
