"""Jobs, core-seconds and peak memory per study."""

from pinetum.files import results_folder
from pinetum.workflow.jobs import job_log


def main(folder, cost):
    from pinetum.report.cost import cost_table
    from pinetum.workflow.jobs import write_records

    write_records(cost_table(folder), cost)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(results_folder() / snakemake.params.folder, snakemake.output.cost)
