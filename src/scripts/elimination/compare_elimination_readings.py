from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.elimination.replication.readings import compare_elimination_readings

    run(compare_elimination_readings)
