from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.program_search import choose_program

    run(choose_program)
