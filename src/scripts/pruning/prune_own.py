"""A user's own table: repeated cross-validated error and size under every pruner."""

from pinetum.workflow.jobs import job_log


def main(table, records, figure, *, seed, settings, reading, beyond, m_estimate):
    from pinetum.pruning.pruners import PAPER
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study.figures import own_table
    from pinetum.pruning.study.own import own_records
    from pinetum.report import style
    from pinetum.workflow.jobs import write_records

    rows = own_records(
        table, settings, seed, Reading.of(reading, m_estimate=m_estimate), [*PAPER, *beyond]
    )
    write_records(rows, records)
    with style.guarded(figure):
        own_table(rows, figure)


if __name__ == "__main__":
    with job_log(snakemake.log[0], snakemake.resources.mem_mb):
        main(
            snakemake.input.data,
            snakemake.output.records,
            snakemake.output.figure,
            seed=snakemake.params.seed,
            settings=snakemake.params.settings,
            reading=snakemake.params.reading,
            beyond=snakemake.params.beyond,
            m_estimate=snakemake.params.m_estimate,
        )
