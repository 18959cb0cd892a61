from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.measure import compare_orders

    run(compare_orders)
