from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.nbdt.replication.measure import cross_validate_nbdt

    run(cross_validate_nbdt)
