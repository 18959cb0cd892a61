from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.measure import separate_folds

    run(separate_folds)
