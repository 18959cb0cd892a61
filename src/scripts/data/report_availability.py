from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.workflow.serving import report_availability

    run(report_availability)
