"""Pictures of the program search: the curves of what it found, and how it got there."""

from pinetum.workflow.jobs import job_log


def main(found, history, made):
    import pandas as pd

    from pinetum.pruning.evolution.found import read_found
    from pinetum.pruning.study.found_figures import plot_curves, plot_progress
    from pinetum.report import style

    style.write_vector_forms(made.vector)
    plot_curves([read_found(path) for path in found], made.curve)
    plot_progress(pd.read_csv(history), made.progress)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input.found, snakemake.input.history, snakemake.output)
