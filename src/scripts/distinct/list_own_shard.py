from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.explore import list_own_shard

    run(list_own_shard)
