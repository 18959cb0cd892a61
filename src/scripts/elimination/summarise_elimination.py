"""Numbers beside the published ones, tables and curves, from the records."""

from pinetum.workflow.jobs import job_log


def main(records, files, published, settings):
    import pandas as pd

    from pinetum.elimination.study import selections as study
    from pinetum.elimination.study import summary
    from pinetum.elimination.study.rows import rows_of
    from pinetum.report.comparison import read_published
    from pinetum.workflow.jobs import read_records, write_records

    settings = {**settings, "datasets": rows_of(settings["datasets"])}
    folds, optimal = read_records(records.folds), read_records(records.optimal)
    write_records(summary.reproduced(folds, optimal, settings, read_published(published)), files.reproduced)
    write_records(summary.curves(folds, optimal, settings), files.curves)
    write_records(summary.ways(folds, settings), files.ways)
    write_records(summary.selection(folds, settings), files.selection)
    write_records(summary.optima(optimal, settings), files.optima)
    write_records(summary.rival(read_records(records.rival)), files.rival)
    write_records(summary.large(read_records(records.large)), files.large)
    frames = [frame for frame in map(read_records, records.selections) if len(frame)]
    selections = pd.concat(frames, ignore_index=True) if frames else read_records(records.selections[0])
    selections = study.in_order(selections, settings["oversearching"]["datasets"])
    table = study.by_dataset(selections)
    write_records(selections, files.oversearching_records)
    write_records(table, files.oversearching_datasets)
    write_records(study.by_method(table), files.oversearching)
    write_records(study.verdict(table), files.oversearching_verdict)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input, snakemake.output, snakemake.input.published[0], snakemake.params.settings)
