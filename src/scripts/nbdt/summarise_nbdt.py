"""Mean errors, tests and the statements of the paper, from the records."""

from pinetum.workflow.jobs import job_log, read_records, write_records


def main(inputs, outputs, *, settings):
    from pinetum.nbdt.methods import method_names, weight_names
    from pinetum.nbdt.study import errors, learning, readings, summary
    from pinetum.report.comparison import read_published
    from pinetum.report.readings import overview

    folds, speed, datasets = (
        read_records(path) for path in (inputs.folds, inputs.speed, inputs.datasets)
    )
    curves = read_records(inputs.learning)
    published = read_published(inputs.published)
    methods = method_names(settings)
    averages = errors.average_records(folds, methods)
    everything = list(dict.fromkeys([*methods, *weight_names(settings)]))
    write_records(errors.accuracy_records(folds, everything), outputs.accuracy)
    write_records(averages, outputs.averages)
    write_records(errors.test_records(folds, methods, settings["folds"]), outputs.tests)
    write_records(learning.mean_records(curves), outputs.learning_means, learning.MEAN_COLUMNS)
    write_records(learning.helps_table(curves, settings["learning"]["depth"]), outputs.learning)
    write_records(summary.missing_sets(averages, published), outputs.missing_sets)

    def reproduce(records):
        return summary.reproduced(datasets, records, speed, methods, settings["folds"], published)

    write_records(reproduce(folds), outputs.reproduced)
    judged = readings.judged(reproduce, folds, published)
    write_records(judged, outputs.readings)
    write_records(overview(judged), outputs.readings_overview)
    write_records(summary.error_table(folds, methods), outputs.errors)
    write_records(summary.speed_table(speed), outputs.speed)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, settings=snakemake.params.settings)
