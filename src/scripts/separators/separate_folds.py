"""The paper's experiment: single decisions by ten-fold cross-validation, and the stand-ins once."""

from pinetum.workflow.jobs import job_log


def main(folds, standins, options, seed):
    from pinetum.separators.study.records import settings_of, single_decisions, split_decision
    from pinetum.workflow.jobs import write_records

    settings = settings_of(options)
    common = {"folds": options["folds"], "seed": seed, "settings": settings, "univariate": True}
    records = single_decisions(
        options["datasets"], repeats=options["repeats"], use=options["folds_run"], **common
    )
    write_records(records, folds)
    records = single_decisions(
        options["standins"], repeats=1, use=options["standin_folds"], **common
    )
    for name, entry in options["split"].items():
        records += split_decision(
            name, entry["source"], entry["training_cases"], settings, seed, univariate=True
        )
    write_records(records, standins)


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(
            snakemake.output.folds,
            snakemake.output.standins,
            snakemake.params.options,
            snakemake.params.seed,
        )
