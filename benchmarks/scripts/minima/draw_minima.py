"""Figures of exact minima against the size of random tables, from records."""

from pinetum.workflow.jobs import job_log


def main(scaling, frontier, figures):
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records
    from pinetum_benchmarks.minima import figures as draw

    style.write_vector_forms(figures.vector)
    draw.scaling(read_records(scaling), figures.scaling)
    draw.frontier(read_records(frontier), figures.frontier)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.scaling, snakemake.input.frontier, snakemake.output)
