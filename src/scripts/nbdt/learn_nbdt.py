"""Errors of the data alone, of Naive Bayes alone and of trees between them on growing parts of
every data set.
"""

from pinetum.workflow.jobs import job_log, write_records


def main(records, *, settings, seed, catalogue):
    from pinetum.nbdt.study import curves

    write_records(
        curves.run(settings["datasets"], settings, seed, None, catalogue), records, curves.COLUMNS
    )


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.learning,
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
            catalogue=snakemake.input.catalogue,
        )
