"""One shard of the generated data sets: every repetition whose number belongs to it, under every
pruner.
"""

from pinetum.workflow.jobs import job_log


def main(records, speed, *, shard, shards, seed, repetitions, reading, charge, beyond, m_estimate):
    from pinetum.pruning.readings import Reading
    from pinetum.pruning.study.records import network_records
    from pinetum.workflow.jobs import write_records

    reading = Reading.of(reading, charge=charge, m_estimate=m_estimate)
    network_records(
        seed, range(1), reading, beyond, purpose="warm-up"
    )  # compiles, outside the clock
    mine = range(shard, repetitions, shards)
    frame, paper_seconds, beyond_seconds = network_records(seed, mine, reading, beyond)
    write_records(frame, records)
    write_records(
        [
            {
                "data_sets": len(frame),
                "paper_seconds": paper_seconds,
                "beyond_seconds": beyond_seconds,
            }
        ],
        speed,
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        shard, shards = map(int, snakemake.wildcards.scatteritem.split("-of-"))
        main(
            snakemake.output.records,
            snakemake.output.speed,
            shard=shard - 1,
            shards=shards,
            seed=snakemake.params.seed,
            repetitions=snakemake.params.repetitions,
            reading=snakemake.params.reading,
            charge=snakemake.params.charges["generated"],
            beyond=snakemake.params.beyond,
            m_estimate=snakemake.params.m_estimate,
        )
