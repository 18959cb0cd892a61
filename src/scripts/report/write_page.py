from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.page import write_page

    run(write_page)
