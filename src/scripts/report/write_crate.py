from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.crate import write_crate

    run(write_crate)
