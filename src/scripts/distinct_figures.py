"""The figures of the room, from its records alone."""

from arboretum.jobs import job_log


def main(source, target):
    from arboretum.distinct import figures
    from arboretum.jobs import read_records
    from arboretum.report import style

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
