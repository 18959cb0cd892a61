from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.measure import trace_features

    run(trace_features)
