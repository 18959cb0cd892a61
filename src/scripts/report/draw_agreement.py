from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.report.figures import draw_agreement

    run(draw_agreement)
