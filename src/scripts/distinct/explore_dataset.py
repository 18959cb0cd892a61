from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.measure import explore_dataset

    run(explore_dataset)
