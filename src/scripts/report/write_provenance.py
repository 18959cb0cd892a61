from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.provenance import write_provenance

    run(write_provenance)
