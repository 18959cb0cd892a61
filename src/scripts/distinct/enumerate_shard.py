from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.sharding import enumerate_shard

    run(enumerate_shard)
