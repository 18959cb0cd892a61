# All and only the distinct trees: enumeration, bounded search, shards.


DISTINCT = config["distinct"]
EXPLORED = list(
    dict.fromkeys(
        [
            *(dataset for dataset, ms in DISTINCT["enumeration"]["min_cases"].items() if ms),
            *DISTINCT["optimum"]["datasets"],
            *DISTINCT["rashomon"]["datasets"],
        ]
    )
)


rule explore_dataset:
    """one data set: enumerations over m, the optimal subset, the near-optimal trees"""
    input:
        data=lambda wildcards: encoded([wildcards.dataset]),
        kernels=compiled("distinct"),
    output:
        enumeration="results/distinct/explored/{dataset}/enumeration.csv",
        sizes="results/distinct/explored/{dataset}/sizes.csv",
        optimum="results/distinct/explored/{dataset}/optimum.csv",
        rashomon="results/distinct/explored/{dataset}/rashomon.csv",
    log:
        "results/logs/distinct/explore_dataset/{dataset}.log",
    benchmark:
        "results/benchmarks/distinct/explore_dataset/{dataset}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=lambda wildcards, attempt: minutes_for(exploring(wildcards.dataset))(
            wildcards, attempt
        ),
    params:
        seed=config["seed"],
        options=lambda wildcards: exploration_of(wildcards.dataset),
        views=lambda wildcards: views_of([wildcards.dataset]),
        code=code_of("distinct/explore_dataset.py"),
    script:
        "../src/scripts/distinct/explore_dataset.py"


rule compare_orders:
    """figure 3: the selection orders, the ways of building, and exhaustive search"""
    input:
        data=encoded([DISTINCT["orders"]["dataset"]]),
        kernels=compiled("distinct"),
    output:
        orders="results/distinct/orders.csv",
        sizes="results/distinct/order_sizes.csv",
        exhaustive="results/distinct/exhaustive.csv",
    log:
        "results/logs/distinct/compare_orders.log",
    benchmark:
        "results/benchmarks/distinct/compare_orders.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=minutes_for(
            (3 * len(DISTINCT["orders"]["min_cases"]) + len(DISTINCT["orders"]["slow_min_cases"]))
            * DISTINCT["orders"]["work"]
        ),
    params:
        seed=config["seed"],
        options=DISTINCT["orders"],
        criterion=DISTINCT["criterion"],
        cache_mb=DISTINCT["cache_mb"],
        code=code_of("distinct/compare_orders.py"),
    script:
        "../src/scripts/distinct/compare_orders.py"


rule compare_search_errors:
    """figure 4, right: search errors of the top tree, of SBE and of the optimal subset"""
    input:
        data=encoded([DISTINCT["search_errors"]["dataset"]]),
        kernels=compiled("distinct"),
    output:
        records=temp("results/distinct/search_errors/{scatteritem}.csv"),
    log:
        "results/logs/distinct/compare_search_errors/{scatteritem}.log",
    benchmark:
        "results/benchmarks/distinct/compare_search_errors/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=minutes_for(
            len(DISTINCT["search_errors"]["min_cases"])
            * DISTINCT["search_errors"]["splits"]
            * DISTINCT["search_errors"]["work"]
            / len(gather.search_errors("{scatteritem}"))
        ),
    params:
        seed=config["seed"],
        options=DISTINCT["search_errors"],
        criterion=DISTINCT["criterion"],
        fraction=DISTINCT["fraction"],
        cache_mb=DISTINCT["cache_mb"],
        code=code_of("distinct/compare_search_errors.py"),
    script:
        "../src/scripts/distinct/compare_search_errors.py"


rule plan_shards:
    """split an enumeration into shards of about the same size"""
    input:
        data=encoded([DISTINCT["shards"]["dataset"]]),
        kernels=compiled("distinct"),
    output:
        plan=temp("results/distinct/shards/plan.json"),
    log:
        "results/logs/distinct/plan_shards.log",
    benchmark:
        "results/benchmarks/distinct/plan_shards.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + DISTINCT["cache_mb"]),
        runtime=minutes(20),
    params:
        seed=config["seed"],
        options=DISTINCT["shards"],
        shards=len(gather.distinct("{scatteritem}")),
        criterion=DISTINCT["criterion"],
        cache_mb=DISTINCT["cache_mb"],
        code=code_of("distinct/plan_shards.py"),
    script:
        "../src/scripts/distinct/plan_shards.py"


rule enumerate_shard:
    """enumerate one shard; what is done is kept in a checkpoint, so a killed job goes on where it was"""
    input:
        data=encoded([DISTINCT["shards"]["dataset"]]),
        plan="results/distinct/shards/plan.json",
        kernels=compiled("distinct"),
    output:
        part=temp("results/distinct/shards/{scatteritem}.json"),
    log:
        "results/logs/distinct/enumerate_shard/{scatteritem}.log",
    benchmark:
        "results/benchmarks/distinct/enumerate_shard/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + DISTINCT["cache_mb"]),
        runtime=minutes_for(DISTINCT["shards"]["work"]),
    params:
        options=DISTINCT["shards"],
        criterion=DISTINCT["criterion"],
        cache_mb=DISTINCT["cache_mb"],
        checkpoint="distinct/checkpoints/{scatteritem}.json",
        code=code_of("distinct/enumerate_shard.py"),
    script:
        "../src/scripts/distinct/enumerate_shard.py"


rule summarise_distinct:
    """all records of the study, the tables, and our side of the paper's statements"""
    input:
        enumeration=expand("results/distinct/explored/{dataset}/enumeration.csv", dataset=EXPLORED),
        sizes=expand("results/distinct/explored/{dataset}/sizes.csv", dataset=EXPLORED),
        optimum=expand("results/distinct/explored/{dataset}/optimum.csv", dataset=EXPLORED),
        rashomon=expand("results/distinct/explored/{dataset}/rashomon.csv", dataset=EXPLORED),
        orders="results/distinct/orders.csv",
        exhaustive="results/distinct/exhaustive.csv",
        search_errors=gather.search_errors("results/distinct/search_errors/{scatteritem}.csv"),
        plan="results/distinct/shards/plan.json",
        parts=gather.distinct("results/distinct/shards/{scatteritem}.json"),
        published=source_file("config/published/distinct.csv"),
    output:
        enumeration="results/distinct/enumeration.csv",
        sizes="results/distinct/sizes.csv",
        optimum="results/distinct/optimum.csv",
        rashomon="results/distinct/rashomon.csv",
        search_errors="results/distinct/search_errors.csv",
        sharding="results/distinct/sharding.csv",
        reproduced="results/distinct/reproduced.csv",
        smallest_m=shown("results/tables/distinct/smallest_m.csv"),
        optimum_table=shown("results/tables/distinct/optimum.csv"),
    log:
        "results/logs/distinct/summarise_distinct.log",
    benchmark:
        "results/benchmarks/distinct/summarise_distinct.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        options=DISTINCT["shards"],
        code=code_of("distinct/summarise_distinct.py"),
    script:
        "../src/scripts/distinct/summarise_distinct.py"


rule draw_distinct:
    """the figures of the study, from its records alone"""
    input:
        enumeration="results/distinct/enumeration.csv",
        orders="results/distinct/orders.csv",
        sizes="results/distinct/order_sizes.csv",
        exhaustive="results/distinct/exhaustive.csv",
        search_errors="results/distinct/search_errors.csv",
        rashomon="results/distinct/rashomon.csv",
    output:
        figure_3=shown("results/figures/distinct/figure_3.png"),
        figure_4=shown("results/figures/distinct/figure_4.png"),
        seconds=shown("results/figures/distinct/seconds_by_trees.png"),
        rashomon=shown("results/figures/distinct/rashomon.png"),
        vector=vector_forms(*figures_of("distinct")),
    log:
        "results/logs/distinct/draw_distinct.log",
    benchmark:
        "results/benchmarks/distinct/draw_distinct.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("distinct/draw_distinct.py"),
    script:
        "../src/scripts/distinct/draw_distinct.py"


rule plan_own_shards:
    """a user's own table: its enumeration split into shards of about the same size"""
    input:
        data="results/data/{table}.npz",
        kernels=compiled("distinct"),
    output:
        plan=temp("results/own/{table}/shards/plan.json"),
    log:
        "results/logs/distinct/plan_own_shards/{table}.log",
    benchmark:
        "results/benchmarks/distinct/plan_own_shards/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("distinct"),
        code=code_of("distinct/plan_own_shards.py"),
    script:
        "../src/scripts/distinct/plan_own_shards.py"


rule enumerate_own_shard:
    """a user's own table: one shard of its enumeration and of the search for the best subset"""
    input:
        data="results/data/{table}.npz",
        plan="results/own/{table}/shards/plan.json",
        kernels=compiled("distinct"),
    output:
        part=temp("results/own/{table}/shards/{shard}.json"),
    log:
        "results/logs/distinct/enumerate_own_shard/{table}/{shard}.log",
    benchmark:
        "results/benchmarks/distinct/enumerate_own_shard/{table}/{shard}.tsv"
    wildcard_constraints:
        shard=r"\d+",
    threads: 1
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("distinct"),
        code=code_of("distinct/enumerate_own_shard.py"),
    script:
        "../src/scripts/distinct/enumerate_own_shard.py"


rule list_own_shard:
    """a user's own table: the near-optimal trees of one shard"""
    input:
        data="results/data/{table}.npz",
        plan="results/own/{table}/shards/plan.json",
        parts=own_shards("{shard}.json"),
        kernels=compiled("distinct"),
    output:
        near=temp("results/own/{table}/shards/near-{shard}.json"),
    log:
        "results/logs/distinct/list_own_shard/{table}/{shard}.log",
    benchmark:
        "results/benchmarks/distinct/list_own_shard/{table}/{shard}.tsv"
    wildcard_constraints:
        shard=r"\d+",
    threads: 1
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("distinct"),
        code=code_of("distinct/list_own_shard.py"),
    script:
        "../src/scripts/distinct/list_own_shard.py"


rule enumerate_own:
    """a user's own table: number of distinct trees, the best subsets, what near-optimal trees use"""
    input:
        data="results/data/{table}.npz",
        kernels=compiled("distinct"),
        plan=own_shards("plan.json"),
        parts=own_shards("{shard}.json"),
        listed=own_shards("near-{shard}.json"),
    output:
        records=shown_own("results/own/{table}/distinct.csv"),
        best=shown_own("results/own/{table}/distinct_best.csv"),
        features=shown_own("results/own/{table}/distinct_features.csv"),
        figure=shown_own("results/own/{table}/distinct.png"),
    log:
        "results/logs/distinct/enumerate_own/{table}.log",
    benchmark:
        "results/benchmarks/distinct/enumerate_own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("distinct"),
        code=code_of("distinct/enumerate_own.py"),
    script:
        "../src/scripts/distinct/enumerate_own.py"
