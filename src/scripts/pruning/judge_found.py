from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.found_functions import judge_found

    run(judge_found)
