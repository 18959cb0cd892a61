from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.separators.replication.measure import grow_plane_trees

    run(grow_plane_trees)
