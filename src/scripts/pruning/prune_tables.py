"""Repeated ten-fold cross-validation of every pruner on the real data sets."""

from pinetum.workflow.jobs import job_log


def main(folds, speed, *, seed, datasets, repeats, reading, charge, beyond, m_estimate):
    from pinetum.pruning.pruners import PAPER
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study.records import real_records
    from pinetum.workflow.jobs import write_records

    records, seconds = real_records(
        datasets,
        seed,
        repeats,
        Reading.of(reading, charge=charge, m_estimate=m_estimate),
        [*PAPER, *beyond],
    )
    write_records(records, folds)
    write_records(seconds, speed)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.folds,
            snakemake.output.speed,
            seed=snakemake.params.seed,
            datasets=snakemake.params.datasets,
            repeats=snakemake.params.repeats,
            reading=snakemake.params.reading,
            charge=snakemake.params.charges["real"],
            beyond=snakemake.params.beyond,
            m_estimate=snakemake.params.m_estimate,
        )
