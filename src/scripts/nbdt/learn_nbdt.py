from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.nbdt.replication.measure import learn_nbdt

    run(learn_nbdt)
