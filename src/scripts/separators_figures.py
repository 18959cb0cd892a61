"""Figures of the separators study."""

from arboretum.jobs import job_log


def main(inputs, outputs):
    from arboretum.jobs import read_records
    from arboretum.separators import figures

    tables = {name: read_records(path) for name, path in inputs.items()}
    figures.error_by_features(tables["path"], tables["folds"], outputs["error_by_features"])
    figures.lines(tables["planes"], tables["points"], outputs["separating_line"])
    figures.solid(tables["planes"], tables["points"], outputs["separating_plane"])
    figures.minima(tables["exact_minimum"], outputs["exact_minimum"])
    figures.solver_times(tables["speed"], outputs["solver_times"])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(dict(snakemake.input.items()), dict(snakemake.output.items()))
