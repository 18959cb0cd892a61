from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum_benchmarks.solvers.timing import time_solvers

    run(time_solvers)
