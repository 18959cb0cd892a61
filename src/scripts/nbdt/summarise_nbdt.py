"""Mean errors, tests and the statements of the paper, from the records."""

from pinetum.workflow.jobs import job_log, read_records, write_records


def main(inputs, outputs, *, settings):
    import pandas as pd

    from pinetum.nbdt.methods import method_names, weight_names
    from pinetum.nbdt.study import accuracy, summary

    folds, speed, datasets = (read_records(path) for path in (inputs.folds, inputs.speed, inputs.datasets))
    published = pd.read_csv(inputs.published, dtype=str, keep_default_na=False)
    methods = method_names(settings)
    averages = accuracy.average_records(folds, methods)
    everything = list(dict.fromkeys([*methods, *weight_names(settings)]))
    write_records(accuracy.accuracy_records(folds, everything), outputs.accuracy)
    write_records(averages, outputs.averages)
    write_records(accuracy.test_records(folds, methods, settings["folds"]), outputs.tests)
    write_records(summary.missing_sets(averages, published), outputs.missing_sets)
    statements = summary.reproduced(datasets, folds, speed, methods, settings["folds"], published)
    write_records(statements, outputs.reproduced)
    write_records(summary.error_table(folds, methods), outputs.errors)
    write_records(summary.speed_table(speed), outputs.speed)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, settings=snakemake.params.settings)
