from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.possible import measure_possible

    run(measure_possible)
