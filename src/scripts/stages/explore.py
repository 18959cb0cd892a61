from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.own.explore import explore

    run(explore)
