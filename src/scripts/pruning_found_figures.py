"""Pictures of the program search: the curves of what it found, and how it got there."""

from arboretum.jobs import job_log


def main(found, history, made):
    import pandas as pd

    from arboretum.pruning.evolution.figures import plot_curves, plot_progress
    from arboretum.pruning.evolution.found import read_found
    from arboretum.report import style

    style.write_vector_forms(made.vector)
    plot_curves([read_found(path) for path in found], made.curve)
    plot_progress(pd.read_csv(history), made.progress)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.found, snakemake.input.history, snakemake.output)
