from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.explore import enumerate_own_shard

    run(enumerate_own_shard)
