"""Figures of the room, from its CSV files."""

from arboretum.jobs import job_log


def main(differences, scaling, figures):
    from arboretum.greedy_dp import figures as draw
    from arboretum.jobs import read_records
    from arboretum.report import style

    style.write_vector_forms(figures.vector)
    summary = read_records(differences)
    summary = summary[summary["group"].astype(str) == "all"]
    draw.mean_difference(summary, figures.mean)
    draw.distribution(summary, figures.distribution)
    draw.scaling(read_records(scaling), figures.scaling)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.differences, snakemake.input.scaling, snakemake.output)
