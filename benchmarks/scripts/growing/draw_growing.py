"""Tables and figures of the growers, from its records."""

from pinetum.workflow.jobs import job_log


def main(files, made, *, drawn_method):
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records, write_records
    from pinetum_benchmarks.growing import figures
    from pinetum_benchmarks.growing.tables import speed_table, trees_table

    trees, speed = read_records(files.trees), read_records(files.speed)
    write_records(trees_table(trees), made.trees_table)
    write_records(speed_table(speed), made.speed_table)
    style.write_vector_forms(made.vector)
    figures.size_and_error(trees, made.size_and_error)
    figures.speed(speed, made.speed)
    figures.scaling(read_records(files.scaling), made.scaling)
    figures.drawings(files.drawn, drawn_method, made.drawings)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, drawn_method=snakemake.params.drawn_method)
