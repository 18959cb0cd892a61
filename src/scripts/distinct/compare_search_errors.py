from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.distinct.replication.measure import compare_search_errors

    run(compare_search_errors)
