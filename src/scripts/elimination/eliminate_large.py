from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.elimination.replication.measure import eliminate_large

    run(eliminate_large)
