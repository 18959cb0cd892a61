"""Backward elimination on a user's own table."""

from pinetum.workflow.jobs import job_log


def main(data, records, figure, *, settings, seed):
    from pinetum.elimination.study.figures import draw_own
    from pinetum.elimination.study.own import COLUMNS, own_records
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records, write_records

    write_records(own_records(data, settings, seed), records, columns=COLUMNS)
    with style.guarded(figure):
        draw_own(read_records(records), figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.figure,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
