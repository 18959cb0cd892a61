from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.sharding import join_shards

    run(join_shards)
