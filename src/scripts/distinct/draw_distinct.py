"""The figures of the study, from its records alone."""

from pinetum.workflow.jobs import job_log


def main(source, target):
    from pinetum.distinct.study import figures
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records

    style.write_vector_forms(target.vector)
    enumeration, orders = read_records(source.enumeration), read_records(source.orders)
    exhaustive, sizes = read_records(source.exhaustive), read_records(source.sizes)
    search_errors = read_records(source.search_errors)
    style.save(figures.figure_3(orders, sizes, exhaustive), target.figure_3)
    style.save(figures.figure_4(enumeration, search_errors), target.figure_4)
    style.save(figures.seconds_by_trees(enumeration), target.seconds)
    style.save(figures.rashomon(read_records(source.rashomon)), target.rashomon)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output)
