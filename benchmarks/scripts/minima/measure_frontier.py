"""Up to which size branch and bound proves each cost with the work it may take."""

from pinetum.workflow.jobs import job_log


def main(records, *, seed, grid, memory_mb):
    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.minima import frontier as frontier_study

    write_records(frontier_study.run(seed, memory_mb=memory_mb, **grid), records)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            seed=snakemake.params.seed,
            grid=snakemake.params.grid,
            memory_mb=snakemake.params.memory_mb,
        )
