"""Reproduced numbers and tables of the separators study."""

from pinetum.workflow.jobs import job_log


def main(inputs, outputs):
    from pinetum.report.comparison import read_published
    from pinetum.report.readings import overview
    from pinetum.separators.study import summary
    from pinetum.workflow.jobs import read_records, write_records

    names = ("folds", "standins", "exact", "alternatives", "path", "trees", "speed")
    tables = {name: read_records(inputs[name]) for name in names}
    published = read_published(inputs["published"])
    folds, standins = tables["folds"], tables["standins"]
    write_records(
        summary.reproduced(folds, standins, tables["exact"], published), outputs["reproduced"]
    )
    write_records(summary.single_table(folds, tables["exact"]), outputs["single_decisions"])
    write_records(summary.single_table(standins, tables["exact"]), outputs["standins"])
    write_records(summary.exact_table(tables["exact"]), outputs["exact_minimum"])
    write_records(summary.alternatives_table(tables["alternatives"]), outputs["alternatives"])
    judged = summary.judged_readings(tables["alternatives"], published)
    write_records(judged, outputs["readings"])
    write_records(overview(judged), outputs["readings_overview"])
    write_records(
        summary.readings_table(tables["alternatives"], published), outputs["c45_readings"]
    )
    write_records(summary.rivals_table(tables["path"], folds), outputs["rivals"])
    write_records(summary.trees_table(tables["trees"], folds), outputs["trees"])
    write_records(summary.speed_table(tables["speed"], standins), outputs["speed"])


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(dict(snakemake.input.items()), dict(snakemake.output.items()))
