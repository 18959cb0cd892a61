from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.own.compare import compare_own

    run(compare_own)
