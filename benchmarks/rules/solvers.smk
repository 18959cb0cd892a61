# The linear programs of the study `separators` through several solvers.


rule time_solvers:
    """the four public data sets of the study through several solvers, in one run"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        records="results/solvers/seconds.csv",
        table="results/tables/solvers/seconds.csv",
        figure="results/figures/solvers/seconds.png",
        vector=vector_forms("results/figures/solvers/seconds.png"),
    log:
        "results/logs/solvers/time_solvers.log",
    benchmark:
        "results/benchmarks/solvers/time_solvers.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        **only(config["separators"], "datasets", "folds"),
        **MEASURED["solvers"],
        seed=config["seed"],
        code=code_of_part("solvers"),
    script:
        "../scripts/solvers/time_solvers.py"


rule solvers:
    """our linear programs through several solvers, by themselves"""
    input:
        rules.time_solvers.output,
    localrule: True
