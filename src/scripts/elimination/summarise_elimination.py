"""Numbers beside the published ones, tables and curves, from the records."""

from pinetum.workflow.jobs import job_log


def main(records, files, published, settings):
    from pinetum.elimination.study import summary
    from pinetum.elimination.study.rows import rows_of
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import read_records, write_records

    settings = {**settings, "datasets": rows_of(settings["datasets"])}
    folds, optimal = read_records(records.folds), read_records(records.optimal)
    write_records(
        summary.reproduced(folds, optimal, settings, read_published(published)), files.reproduced
    )
    write_records(summary.curves(folds, optimal, settings), files.curves)
    write_records(summary.ways(folds, settings), files.ways)
    write_records(summary.selection(folds, settings), files.selection)
    write_records(summary.optima(optimal, settings), files.optima)
    write_records(summary.large(read_records(records.large)), files.large)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input,
            snakemake.output,
            snakemake.input.published[0],
            snakemake.params.settings,
        )
