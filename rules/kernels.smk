# The first rule of all: compile every kernel of a room once per machine, so that its jobs find machine code.


rule compile_kernels:
    input:
        lambda wildcards: compiled(*STANDS_ON.get(wildcards.room, ())),
    output:
        record="results/kernels/{room}.json",
    log:
        "results/logs/kernels/{room}.log",
    benchmark:
        "results/benchmarks/kernels/{room}.tsv"
    priority: 1  # much waits for it
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(15),
    params:
        digest=lambda wildcards: source_digest(wildcards.room),
    script:
        "../src/scripts/compile_kernels.py"
