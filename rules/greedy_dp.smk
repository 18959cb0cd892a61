# The sixteen greedy heuristics against exact minima.


rule solve_random_tables:
    """minima and greedy costs of one shard of the random tables"""
    input:
        kernels=compiled("greedy_dp"),
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
        tables=config["greedy_dp"]["random"]["groups"]
        * config["greedy_dp"]["random"]["tables_per_group"],
        code=code_of("greedy_dp/solve_random_tables.py"),
    script:
        "../src/scripts/greedy_dp/solve_random_tables.py"


rule summarise_greedy_dp:
    """the shards of the random tables together: all records, their summary, and our side of Tables 1-5"""
    input:
        shards=gather.greedy_dp("results/greedy_dp/shards/{scatteritem}.csv"),
        clocks=gather.greedy_dp("results/greedy_dp/shards/{scatteritem}_seconds.csv"),
        published=source_file("config/published/greedy_dp.csv"),
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
        code=code_of("greedy_dp/summarise_greedy_dp.py"),
    script:
        "../src/scripts/greedy_dp/summarise_greedy_dp.py"


rule solve_real_tables:
    """exact minima, or proven intervals, and every heuristic's gap on decision tables of the catalogue"""
    input:
        kernels=compiled("greedy_dp"),
        data=encoded(config["greedy_dp"]["real"]["datasets"]),
    output:
        tables="results/greedy_dp/real_tables.csv",
        gaps="results/greedy_dp/real_gaps.csv",
        sequential="results/greedy_dp/sequential.csv",
        pareto="results/greedy_dp/pareto.csv",
        trees="results/greedy_dp/optimal_trees.jsonl",
    log:
        "results/logs/greedy_dp/solve_real_tables.log",
    benchmark:
        "results/benchmarks/greedy_dp/solve_real_tables.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 3 * int(config["greedy_dp"]["limits"]["memory_mb"])),
        runtime=minutes(60),
    params:
        datasets=config["greedy_dp"]["real"]["datasets"],
        inconsistent=config["greedy_dp"]["real"]["inconsistent"],
        missing=config["greedy_dp"]["real"]["missing"],
        analyse=config["greedy_dp"]["real"]["analyse"],
        limits=config["greedy_dp"]["limits"],
        views=views_of(config["greedy_dp"]["real"]["datasets"]),
        code=code_of("greedy_dp/solve_real_tables.py"),
    script:
        "../src/scripts/greedy_dp/solve_real_tables.py"


rule tabulate_real_tables:
    """the records of the real decision tables as tables for reading"""
    input:
        tables="results/greedy_dp/real_tables.csv",
        gaps="results/greedy_dp/real_gaps.csv",
        differences="results/greedy_dp/relative_differences.csv",
    output:
        overview=shown("results/tables/greedy_dp/real_tables.csv"),
        costs=shown("results/tables/greedy_dp/real_costs.csv"),
        wide=shown("results/tables/greedy_dp/real_gaps.csv"),
        ranks=shown("results/tables/greedy_dp/heuristic_ranks.csv"),
    log:
        "results/logs/greedy_dp/tabulate_real_tables.log",
    benchmark:
        "results/benchmarks/greedy_dp/tabulate_real_tables.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=minutes(10),
    params:
        code=code_of("greedy_dp/tabulate_real_tables.py"),
    script:
        "../src/scripts/greedy_dp/tabulate_real_tables.py"


rule draw_greedy_dp:
    """figures of the study, from its CSV files"""
    input:
        differences="results/greedy_dp/relative_differences.csv",
        trees="results/greedy_dp/optimal_trees.jsonl",
    output:
        mean=shown("results/figures/greedy_dp/mean_difference.png"),
        distribution=shown("results/figures/greedy_dp/distribution.png"),
        trees=shown("results/figures/greedy_dp/optimal_trees.png"),
        vector=vector_forms(*figures_of("greedy_dp")),
    log:
        "results/logs/greedy_dp/draw_greedy_dp.log",
    benchmark:
        "results/benchmarks/greedy_dp/draw_greedy_dp.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        drawn=config["greedy_dp"]["real"]["drawn"],
        code=code_of("greedy_dp/draw_greedy_dp.py"),
    script:
        "../src/scripts/greedy_dp/draw_greedy_dp.py"


rule solve_own_greedy_dp:
    """a user's own decision table: every heuristic against the exact minima, and an optimal tree per cost"""
    input:
        kernels=compiled("greedy_dp"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/greedy_dp.csv"),
        trees="results/own/{table}/greedy_dp_trees.jsonl",
    log:
        "results/logs/greedy_dp/solve_own_greedy_dp/{table}.log",
    benchmark:
        "results/benchmarks/greedy_dp/solve_own_greedy_dp/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("greedy_dp"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("greedy_dp"),
        code=code_of("greedy_dp/solve_own_greedy_dp.py"),
    script:
        "../src/scripts/greedy_dp/solve_own_greedy_dp.py"
