"""The picture of every published number against ours, and the distribution of their z."""

from pinetum.workflow.jobs import job_log


def main(comparison, readings, made):
    from pathlib import Path

    from pinetum.report import agreement, figures, style
    from pinetum.report.page import read
    from pinetum.report.readings import overview, read_readings
    from pinetum.workflow.jobs import write_records

    rows = read(comparison)
    style.write_vector_forms(made.vector)
    figures.draw_numbers(rows, made.numbers)
    figures.draw_z(rows, made.z)
    figures.draw_readings(
        {Path(path).parent.name: overview(read_readings(path)) for path in readings}, made.readings
    )
    write_records(agreement.z_table(rows), made.table)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.comparison, snakemake.input.readings, snakemake.output)
