# The sixteen greedy heuristics against exact minima.


scattergather:
    greedy_dp=4,


rule solve_random_tables:
    output:
        records=temp("results/greedy_dp/shards/{scatteritem}.csv"),
        clock=temp("results/greedy_dp/shards/{scatteritem}_seconds.csv"),
    log:
        "results/logs/greedy_dp/solve_random_tables/{scatteritem}.log",
    benchmark:
        "results/benchmarks/greedy_dp/solve_random_tables/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(20),
    params:
        seed=config["seed"],
        shape=config["greedy_dp"]["random"]["shape"],
        tables=config["greedy_dp"]["random"]["groups"] * config["greedy_dp"]["random"]["tables_per_group"],
        code=code_of("greedy_dp"),
    script:
        "../src/scripts/greedy_dp_random.py"


rule summarise_greedy_dp:
    input:
        shards=gather.greedy_dp("results/greedy_dp/shards/{scatteritem}.csv"),
        clocks=gather.greedy_dp("results/greedy_dp/shards/{scatteritem}_seconds.csv"),
        published="config/published/greedy_dp.csv",
    output:
        records="results/greedy_dp/random_tables.csv",
        clock="results/greedy_dp/random_seconds.csv",
        summary="results/greedy_dp/relative_differences.csv",
        reproduced="results/greedy_dp/reproduced.csv",
    log:
        "results/logs/greedy_dp/summarise_greedy_dp.log",
    benchmark:
        "results/benchmarks/greedy_dp/summarise_greedy_dp.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(20),
    params:
        groups=config["greedy_dp"]["random"]["groups"],
        shape=config["greedy_dp"]["random"]["shape"],
        code=code_of("greedy_dp"),
    script:
        "../src/scripts/greedy_dp_summary.py"
