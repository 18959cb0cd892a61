from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.readings import compare_alternatives

    run(compare_alternatives)
