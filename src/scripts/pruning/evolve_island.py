from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.program_search import evolve_island

    run(evolve_island)
