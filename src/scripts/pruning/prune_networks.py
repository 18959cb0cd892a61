from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.pruning.replication.measure import prune_networks

    run(prune_networks)
