from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.own.trees import grow_own

    run(grow_own)
