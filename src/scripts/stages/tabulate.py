from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.stages import tabulate

    run(tabulate)
