from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.explore import plan_own_shards

    run(plan_own_shards)
