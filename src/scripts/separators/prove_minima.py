from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.measure import prove_minima

    run(prove_minima)
