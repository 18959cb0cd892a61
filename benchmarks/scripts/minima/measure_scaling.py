"""Time, memory and subtables of the exact algorithm against rows and attributes."""

from pinetum.workflow.jobs import job_log


def main(records, *, seed, grid, limits):
    from pinetum.greedy_dp.optimum import Limits
    from pinetum.workflow.jobs import write_records
    from pinetum_benchmarks.minima import scaling as scaling_study

    write_records(scaling_study.run(seed, limits=Limits(**limits), **grid), records)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.records,
            seed=snakemake.params.seed,
            grid=snakemake.params.grid,
            limits=snakemake.params.limits,
        )
