from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.solvers import time_solvers

    run(time_solvers)
