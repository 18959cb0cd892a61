from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.nbdt.replication.measure import describe_nbdt

    run(describe_nbdt)
