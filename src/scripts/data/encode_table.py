from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.workflow.serving import encode_table

    run(encode_table)
