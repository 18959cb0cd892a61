from pinetum.workflow.job import job

with job(snakemake) as run:
    from pinetum.workflow.compiling import compile_kernels

    run(compile_kernels)
