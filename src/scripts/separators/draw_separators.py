"""Figures of the separators study."""

from pinetum.workflow.jobs import job_log


def main(inputs, made):
    from pinetum.report import style
    from pinetum.separators.study import figures
    from pinetum.workflow.jobs import read_records

    style.write_vector_forms(made.vector)
    tables = {name: read_records(path) for name, path in inputs.items()}
    figures.error_by_features(tables["path"], tables["folds"], made.error_by_features)
    figures.lines(tables["planes"], tables["points"], made.separating_line)
    figures.solid(tables["planes"], tables["points"], made.separating_plane)
    figures.minima(tables["exact_minimum"], made.exact_minimum)
    figures.solver_times(tables["speed"], made.solver_times)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output)
