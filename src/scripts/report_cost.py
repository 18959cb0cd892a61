"""Jobs, core-seconds and peak memory per room."""

from arboretum.jobs import job_log


def main(folder, cost):
    from arboretum.jobs import write_records
    from arboretum.report.cost import cost_table

    write_records(cost_table(folder), cost)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.params.folder, snakemake.output.cost)
