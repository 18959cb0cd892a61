"""The page on rivals and its figures, put where they are kept."""

from pinetum.workflow.jobs import job_log


def main(made, figures, page, folder):
    from pinetum_benchmarks.peers.page import publish

    publish(made, figures, page, folder)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.page,
            snakemake.input.figures,
            snakemake.params.page,
            snakemake.params.folder,
        )
