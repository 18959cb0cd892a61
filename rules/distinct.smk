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
        kernels=compiled("distinct"),
        data=lambda wildcards: encoded([wildcards.dataset]),
    output:
        enumeration="results/distinct/enumeration/{dataset}.csv",
        sizes="results/distinct/sizes/{dataset}.csv",
        optimum="results/distinct/optimum/{dataset}.csv",
        rashomon="results/distinct/rashomon/{dataset}.csv",
    log:
        "results/logs/distinct/explore_dataset/{dataset}.log",
    benchmark:
        "results/benchmarks/distinct/explore_dataset/{dataset}.tsv"
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=lambda wildcards, attempt: minutes_for(exploring(wildcards.dataset))(
            wildcards, attempt
        ),
    params:
        dataset=lambda wildcards: wildcards.dataset,
        plan=lambda wildcards: exploration_of(wildcards.dataset),
        seed=config["seed"],
        code=lambda wildcards: basis("distinct", "measure", [wildcards.dataset]),
    script:
        "../src/scripts/distinct/explore_dataset.py"


rule gather_explored:
    """the records of all data sets, put together"""
    input:
        **{
            name: expand(f"results/distinct/{name}/{{dataset}}.csv", dataset=EXPLORED)
            for name in ("enumeration", "sizes", "optimum", "rashomon")
        },
    output:
        **{
            name: f"results/distinct/{name}.csv"
            for name in ("enumeration", "sizes", "optimum", "rashomon")
        },
    log:
        "results/logs/distinct/gather_explored.log",
    benchmark:
        "results/benchmarks/distinct/gather_explored.tsv"
    localrule: True
    script:
        "../src/scripts/stages/gather.py"


rule compare_orders:
    """figure 3: the selection orders, the ways of building, and exhaustive search"""
    input:
        kernels=compiled("distinct"),
        data=encoded([DISTINCT["orders"]["dataset"]]),
    output:
        orders="results/distinct/orders.csv",
        order_sizes="results/distinct/order_sizes.csv",
        exhaustive="results/distinct/exhaustive.csv",
    log:
        "results/logs/distinct/compare_orders.log",
    benchmark:
        "results/benchmarks/distinct/compare_orders.tsv"
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=minutes_for(
            (3 * len(DISTINCT["orders"]["min_cases"]) + len(DISTINCT["orders"]["slow_min_cases"]))
            * DISTINCT["orders"]["work"]
        ),
    params:
        **settings("distinct", "orders", "cache_mb"),
    script:
        "../src/scripts/distinct/compare_orders.py"


rule compare_search_errors:
    """figure 4, right: search errors of the top tree, of SBE and of the optimal subset"""
    input:
        kernels=compiled("distinct"),
        data=encoded([DISTINCT["search_errors"]["dataset"]]),
    output:
        search_errors=temp("results/distinct/search_errors/{scatteritem}.csv"),
    log:
        "results/logs/distinct/compare_search_errors/{scatteritem}.log",
    benchmark:
        "results/benchmarks/distinct/compare_search_errors/{scatteritem}.tsv"
    resources:
        mem_mb=memory(1000 + 2 * DISTINCT["cache_mb"]),
        runtime=minutes_for(
            len(DISTINCT["search_errors"]["min_cases"])
            * DISTINCT["search_errors"]["splits"]
            * DISTINCT["search_errors"]["work"]
            / len(gather.search_errors("{scatteritem}"))
        ),
    params:
        **settings("distinct", "search_errors", "cache_mb"),
        shard=lambda wildcards: wildcards.scatteritem,
    script:
        "../src/scripts/distinct/compare_search_errors.py"


# ---------------------------------------------------------------- one enumeration in shards


rule plan_shards:
    """split an enumeration into shards of about the same size"""
    input:
        kernels=compiled("distinct"),
        data=encoded([DISTINCT["shards"]["dataset"]]),
    output:
        plan=temp("results/distinct/shards/plan.json"),
    log:
        "results/logs/distinct/plan_shards.log",
    benchmark:
        "results/benchmarks/distinct/plan_shards.tsv"
    resources:
        mem_mb=memory(1000 + DISTINCT["cache_mb"]),
    params:
        **settings("distinct", "shards", "cache_mb", part="sharding"),
        parts=len(gather.distinct("{scatteritem}")),
    script:
        "../src/scripts/distinct/plan_shards.py"


rule enumerate_shard:
    """enumerate one shard; what is done is kept in a checkpoint, so a killed job goes on where it was"""
    input:
        kernels=compiled("distinct"),
        data=encoded([DISTINCT["shards"]["dataset"]]),
        plan="results/distinct/shards/plan.json",
    output:
        part=temp("results/distinct/shards/{scatteritem}.json"),
    log:
        "results/logs/distinct/enumerate_shard/{scatteritem}.log",
    benchmark:
        "results/benchmarks/distinct/enumerate_shard/{scatteritem}.tsv"
    resources:
        mem_mb=memory(1000 + DISTINCT["cache_mb"]),
        runtime=minutes_for(DISTINCT["shards"]["work"]),
    params:
        **settings("distinct", "shards", "cache_mb", part="sharding"),
        shard=lambda wildcards: wildcards.scatteritem,
        checkpoint="distinct/checkpoints/{scatteritem}.json",
    script:
        "../src/scripts/distinct/enumerate_shard.py"


rule join_shards:
    """the whole enumeration, and how evenly the work was spread over its shards"""
    input:
        plan="results/distinct/shards/plan.json",
        parts=gather.distinct("results/distinct/shards/{scatteritem}.json"),
    output:
        sharding="results/distinct/sharding.csv",
    log:
        "results/logs/distinct/join_shards.log",
    benchmark:
        "results/benchmarks/distinct/join_shards.tsv"
    params:
        **settings("distinct", "shards", part="sharding"),
    script:
        "../src/scripts/distinct/join_shards.py"


# ---------------------------------------------------------------- the search of a user's own table in shards; explore_distinct puts it together


rule plan_own_shards:
    """a user's own table: its enumeration split into shards of about the same size"""
    input:
        kernels=compiled("distinct"),
        data="results/data/{table}.npz",
    output:
        plan=temp("results/own/{table}/shards/plan.json"),
    log:
        "results/logs/distinct/plan_own_shards/{table}.log",
    benchmark:
        "results/benchmarks/distinct/plan_own_shards/{table}.tsv"
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        settings=settings_own("distinct"),
        seed=config["seed"],
        code=code_of("distinct.explore"),
    script:
        "../src/scripts/distinct/plan_own_shards.py"


rule enumerate_own_shard:
    """a user's own table: one shard of its enumeration and of the search for the best subset"""
    input:
        kernels=compiled("distinct"),
        data="results/data/{table}.npz",
        plan="results/own/{table}/shards/plan.json",
    output:
        part=temp("results/own/{table}/shards/{shard}.json"),
    log:
        "results/logs/distinct/enumerate_own_shard/{table}/{shard}.log",
    benchmark:
        "results/benchmarks/distinct/enumerate_own_shard/{table}/{shard}.tsv"
    wildcard_constraints:
        shard=r"\d+",
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        settings=settings_own("distinct"),
        shard=lambda wildcards: wildcards.shard,
        seed=config["seed"],
        code=code_of("distinct.explore"),
    script:
        "../src/scripts/distinct/enumerate_own_shard.py"


rule list_own_shard:
    """a user's own table: the near-optimal trees of one shard"""
    input:
        kernels=compiled("distinct"),
        data="results/data/{table}.npz",
        plan="results/own/{table}/shards/plan.json",
        parts=own_shards("distinct", "{shard}.json"),
    output:
        near=temp("results/own/{table}/shards/near-{shard}.json"),
    log:
        "results/logs/distinct/list_own_shard/{table}/{shard}.log",
    benchmark:
        "results/benchmarks/distinct/list_own_shard/{table}/{shard}.tsv"
    wildcard_constraints:
        shard=r"\d+",
    resources:
        mem_mb=memory_own("distinct"),
        runtime=minutes(60),
    params:
        settings=settings_own("distinct"),
        shard=lambda wildcards: wildcards.shard,
        seed=config["seed"],
        code=code_of("distinct.explore"),
    script:
        "../src/scripts/distinct/list_own_shard.py"
