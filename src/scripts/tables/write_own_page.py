from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.own.page import write_own_page

    run(write_own_page)
