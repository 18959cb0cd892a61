"""The records of the real decision tables as tables for reading."""

from pinetum.workflow.jobs import job_log


def main(tables, gaps, differences, overview, costs, wide, ranks):
    from pinetum.greedy_dp.study.layout import (
        cost_table,
        gap_table,
        overview_table,
        rank_table,
        read_tables,
    )
    from pinetum.workflow.jobs import read_records, write_records

    write_records(overview_table(read_tables(tables)), overview)
    write_records(cost_table(read_tables(tables), read_records(gaps)), costs)
    write_records(gap_table(read_records(gaps)), wide)
    write_records(rank_table(read_records(gaps), read_records(differences)), ranks)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.input.tables,
            snakemake.input.gaps,
            snakemake.input.differences,
            snakemake.output.overview,
            snakemake.output.costs,
            snakemake.output.wide,
            snakemake.output.ranks,
        )
