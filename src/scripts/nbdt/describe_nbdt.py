"""Shapes of the data sets, expected accuracy per depth on the whole files, and the example of
figure 2.
"""

from pinetum.workflow.jobs import job_log, write_records


def main(datasets, expected, example, *, settings, catalogue):
    from pinetum.nbdt.study import description
    from pinetum.nbdt.study.example import list_records

    names = [*settings["datasets"], *settings["speed_only"]]
    shapes, values = description.run(names, settings, None, catalogue)
    write_records(shapes, datasets, description.SHAPE_COLUMNS)
    write_records(values, expected, description.EXPECTED_COLUMNS)
    write_records(list_records(), example, ["kind", "feature", "x", "x_end", "rank", "accuracy"])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.datasets,
            snakemake.output.expected,
            snakemake.output.example,
            settings=snakemake.params.settings,
            catalogue=snakemake.input.catalogue,
        )
