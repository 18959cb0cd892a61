"""CPU seconds of the algorithms: per data set, by number of features, and at depths beyond the
paper's.
"""

from pinetum.workflow.jobs import job_log, write_records


def main(records, *, settings, seed, catalogue):
    from pinetum.nbdt.study import speed

    write_records(speed.run(settings, None, catalogue, seed), records, speed.COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.speed,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
            catalogue=snakemake.input.catalogue,
        )
