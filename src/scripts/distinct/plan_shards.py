from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.sharding import plan_shards

    run(plan_shards)
