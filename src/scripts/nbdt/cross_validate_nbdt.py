"""Every method on every fold of every data set."""

from pinetum.workflow.jobs import job_log, write_records


def main(records, *, names, settings, seed, catalogue):
    from pinetum.nbdt.study import records as study

    write_records(study.run(names, settings, seed, None, catalogue), records, study.COLUMNS)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.folds,
            names=snakemake.params.settings["datasets"],
            settings=snakemake.params.settings,
            seed=snakemake.params.seed,
            catalogue=snakemake.input.catalogue,
        )
