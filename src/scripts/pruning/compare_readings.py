from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.readings import compare_readings

    run(compare_readings)
