# The first rule of all: compile every kernel of a study once per machine, so that its jobs find machine code.


rule compile_kernels:
    """compile the kernels of one study, once per machine and edit, and say where the machine code is kept"""
    input:
        lambda wildcards: compiled(*PARTS[wildcards.study].stands_on),
    output:
        record="results/kernels/{study}.json",
    log:
        "results/logs/kernels/{study}.log",
    benchmark:
        "results/benchmarks/kernels/{study}.tsv"
    priority: 1  # much waits for it
    resources:
        mem_mb=memory(2000),
    params:
        study=lambda wildcards: wildcards.study,
        digest=lambda wildcards: kernels_of(wildcards.study),
        seconds=lambda wildcards: PARTS[wildcards.study].compiles,
        optimise=lambda wildcards: PARTS[wildcards.study].optimise,
    script:
        "../src/scripts/workflow/compile_kernels.py"
