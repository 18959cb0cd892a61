from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.workflow.serving import fetch_dataset

    run(fetch_dataset)
