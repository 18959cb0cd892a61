"""Backward elimination on a user's own table."""

from pinetum.workflow.jobs import job_log


def main(data, records, path, figure, *, settings, seed):
    from pinetum.elimination.study.figures import draw_own
    from pinetum.elimination.study.own import COLUMNS, PATH_COLUMNS, own_records
    from pinetum.report import style
    from pinetum.workflow.jobs import read_records, write_records

    rows, sizes = own_records(data, settings, seed)
    write_records(rows, records, columns=COLUMNS)
    write_records(sizes, path, columns=PATH_COLUMNS)
    with style.guarded(figure):
        draw_own(read_records(path), rows[0]["note"], figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.path,
            snakemake.output.figure,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
        )
