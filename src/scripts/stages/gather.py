from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.workflow.job import gather

    run(gather)
