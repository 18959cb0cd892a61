from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.elimination.replication.optima import search_optima

    run(search_optima)
