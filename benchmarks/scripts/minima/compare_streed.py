"""Minima of random binary tables beside STreeD's, with the CPU seconds of both."""

from pinetum.workflow.jobs import job_log


def main(records, table, *, seed, grid):
    import pandas as pd

    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.minima import streed as rival_study
    from pinetum_benchmarks.minima.streed import streed_table

    found = rival_study.run(seed, **grid)
    write_records(found, records, rival_study.COLUMNS)
    write_records(streed_table(pd.DataFrame(found, columns=rival_study.COLUMNS)), table)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            snakemake.output.table,
            seed=snakemake.params.seed,
            grid=snakemake.params.grid,
        )
