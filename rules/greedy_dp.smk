# Sixteen greedy heuristics against exact minima: on the paper's random tables, and on decision tables of the catalogue.


rule solve_random_tables:
    """minima and greedy costs of one shard of the random tables"""
    input:
        kernels=compiled("greedy_dp"),
    output:
        random_tables=temp("results/greedy_dp/random_tables/{scatteritem}.csv"),
        random_seconds=temp("results/greedy_dp/random_seconds/{scatteritem}.csv"),
    log:
        "results/logs/greedy_dp/solve_random_tables/{scatteritem}.log",
    benchmark:
        "results/benchmarks/greedy_dp/solve_random_tables/{scatteritem}.tsv"
    params:
        **settings("greedy_dp", "tables_per_group", part="random_tables"),
        shard=lambda wildcards: wildcards.scatteritem,
    script:
        "../src/scripts/greedy_dp/solve_random_tables.py"


rule solve_real_tables:
    """exact minima, or proven intervals, and every heuristic's gap on decision tables of the catalogue"""
    input:
        kernels=compiled("greedy_dp"),
        data=encoded(config["greedy_dp"]["datasets"]),
    output:
        real_tables="results/greedy_dp/real_tables.csv",
        real_gaps="results/greedy_dp/real_gaps.csv",
        sequential="results/greedy_dp/sequential.csv",
        pareto="results/greedy_dp/pareto.csv",
        optimal_trees="results/greedy_dp/optimal_trees.csv",
    log:
        "results/logs/greedy_dp/solve_real_tables.log",
    benchmark:
        "results/benchmarks/greedy_dp/solve_real_tables.tsv"
    resources:
        mem_mb=memory(1000 + 3 * int(config["greedy_dp"]["limits"]["memory_mb"])),
        runtime=minutes(60),
    params:
        **settings("greedy_dp", "datasets", "limits"),
    script:
        "../src/scripts/greedy_dp/solve_real_tables.py"
