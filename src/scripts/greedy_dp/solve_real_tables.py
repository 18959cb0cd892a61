from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.greedy_dp.replication.measure import solve_real_tables

    run(solve_real_tables)
