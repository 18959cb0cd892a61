from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.greedy_dp.replication.random_tables import solve_random_tables

    run(solve_random_tables)
