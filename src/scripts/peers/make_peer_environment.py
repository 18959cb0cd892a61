"""The environment of one group of rivals."""

from pinetum.workflow.jobs import job_log


def main(group, requirements, folder, record):
    from pinetum.peers.environments import make_environment

    make_environment(group, requirements, folder, record)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.group,
            snakemake.input.requirements,
            snakemake.output.folder,
            snakemake.output.record,
        )
