"""Figures of the study, from its CSV files."""

from pinetum.workflow.jobs import job_log


def main(differences, trees, figures, *, drawn):
    from pinetum.greedy_dp.study import figures as draw
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records

    style.write_vector_forms(figures.vector)
    summary = read_records(differences)
    summary = summary[summary["group"].astype(str) == "all"]
    draw.mean_difference(summary, figures.mean)
    draw.distribution(summary, figures.distribution)
    draw.optimal_trees(trees, drawn, figures.trees)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.differences,
            snakemake.input.trees,
            snakemake.output,
            drawn=snakemake.params.drawn,
        )
