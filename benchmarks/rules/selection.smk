# Selection of columns: scikit-learn's selector beside ours, and whether searching more subsets gives worse trees.


# Parts of the long searches; on the command line: --set-scatter selections=32
scattergather:
    selections=MEASURED["oversearching"]["shards"],


rule compare_rival:
    """scikit-learn's backward selector beside ours, on the same folds"""
    input:
        kernels=compiled("elimination"),
        data=encoded(MEASURED["selector"]["datasets"]),
    output:
        records="results/selection/rival.csv",
        table="results/tables/selection/rival.csv",
    log:
        "results/logs/selection/compare_rival.log",
    benchmark:
        "results/benchmarks/selection/compare_rival.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        settings=only(config["elimination"], "folds", "cache_mb") | {"rival": MEASURED["selector"]},
        code=code_of_part("selection"),
    script:
        "../scripts/selection/compare_rival.py"


rule compare_selections:
    """methods of selection inside an outer cross-validation, one shard"""
    input:
        kernels=compiled("elimination"),
        data=encoded(MEASURED["oversearching"]["datasets"]),
    output:
        records=temp("results/selection/shards/{scatteritem}_selections.csv"),
    log:
        "results/logs/selection/compare_selections/{scatteritem}.log",
    benchmark:
        "results/benchmarks/selection/compare_selections/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 3 * MEASURED["oversearching"]["cache_mb"]),
        runtime=minutes_for(selecting() / len(gather.selections("{scatteritem}"))),
    params:
        seed=config["seed"],
        settings=MEASURED["oversearching"],
        views=views_of(MEASURED["oversearching"]["datasets"]),
        code=code_of_part("selection"),
    script:
        "../scripts/selection/compare_selections.py"


rule summarise_selections:
    """methods of selection by rank and error, and whether searching more gives worse trees"""
    input:
        selections=gather.selections("results/selection/shards/{scatteritem}_selections.csv"),
    output:
        records="results/selection/oversearching.csv",
        methods="results/tables/selection/oversearching.csv",
        datasets="results/tables/selection/oversearching_datasets.csv",
        verdict="results/tables/selection/oversearching_verdict.csv",
        page="results/selection/oversearching.md",
        figure="results/figures/selection/oversearching.png",
        vector=vector_forms("results/figures/selection/oversearching.png"),
    log:
        "results/logs/selection/summarise_selections.log",
    benchmark:
        "results/benchmarks/selection/summarise_selections.tsv"
    threads: 1
    resources:
        mem_mb=memory(700),
        runtime=minutes(10),
    params:
        datasets=MEASURED["oversearching"]["datasets"],
        code=code_of_part("selection"),
    script:
        "../scripts/selection/summarise_selections.py"


rule oversearching:
    """whether searching more subsets of features gives worse trees, by itself"""
    input:
        rules.summarise_selections.output,
    localrule: True


rule selector:
    """scikit-learn's backward selector beside ours, by itself"""
    input:
        rules.compare_rival.output,
    localrule: True
