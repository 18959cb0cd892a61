from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.nbdt.replication.speed import measure_nbdt

    run(measure_nbdt)
