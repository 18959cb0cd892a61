from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.comparison import compare_numbers

    run(compare_numbers)
