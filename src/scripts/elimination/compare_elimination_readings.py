"""The errors of Table 1 with one reading of the paper changed at a time, and which reading each
half would choose.
"""

from pinetum.workflow.jobs import job_log


def main(published, records, made, *, settings, seed):
    import pandas as pd

    from pinetum.elimination.study import readings
    from pinetum.elimination.study.records import FOLD_COLUMNS
    from pinetum.report.comparison import read_published
    from pinetum.report.readings import held_out, overview
    from pinetum.workflow.jobs import write_records

    rows = pd.DataFrame(readings.reading_records(settings, seed), columns=["rules", *FOLD_COLUMNS])
    write_records(rows, records)
    judged = readings.judged(rows, read_published(published))
    write_records(judged, made.readings)
    write_records(overview(judged), made.overview)
    write_records(held_out(judged, "row"), made.held_out)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.published[0],
            snakemake.output.records,
            snakemake.output,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
