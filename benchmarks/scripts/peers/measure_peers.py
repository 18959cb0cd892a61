"""One question asked of all contestants."""

from pinetum.workflow.jobs import job_log, write_records


def main(question, environments, records, *, settings, seed):
    from pinetum_benchmarks.peers.environments import read_environments
    from pinetum_benchmarks.peers.measure import COLUMNS, measure

    rows = list(measure(question, settings, read_environments(environments), seed))
    write_records(rows, records, COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.wildcards.question,
            snakemake.input.environments,
            snakemake.output.records,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
