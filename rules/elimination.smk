# Backward elimination: eliminations and complete searches beside them (scattered), large tables, readings.
# The number of shards changes nothing but the time: --set-scatter eliminations=32


rule eliminate_features:
    """eliminations of one shard: a record per fold, and the paths"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["datasets"]),
    output:
        folds=temp("results/elimination/folds/{scatteritem}.csv"),
        paths=temp("results/elimination/paths/{scatteritem}.csv"),
    log:
        "results/logs/elimination/eliminate_features/{scatteritem}.log",
    benchmark:
        "results/benchmarks/elimination/eliminate_features/{scatteritem}.tsv"
    resources:
        mem_mb=memory(2000 + config["elimination"]["cache_mb"]),
        runtime=minutes(60),
    params:
        **settings("elimination", "datasets", "black_box", "curve", "repeats", "folds", "cache_mb"),
        shard=lambda wildcards: wildcards.scatteritem,
    script:
        "../src/scripts/elimination/eliminate_features.py"


rule search_optima:
    """complete searches of one shard: the best subset of each fold, or the best found in time"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["datasets"]),
    output:
        optimal=temp("results/elimination/optimal/{scatteritem}.csv"),
    log:
        "results/logs/elimination/search_optima/{scatteritem}.log",
    benchmark:
        "results/benchmarks/elimination/search_optima/{scatteritem}.tsv"
    resources:
        mem_mb=memory(2000 + 2 * config["elimination"]["cache_mb"]),
        runtime=minutes_for(searching() / len(gather.optima("{scatteritem}"))),
    params:
        **settings(
            "elimination", "datasets", "optimal", "curve", "folds", "cache_mb", part="optima"
        ),
        shard=lambda wildcards: wildcards.scatteritem,
    script:
        "../src/scripts/elimination/search_optima.py"


rule eliminate_large:
    """one fold of each table of thousands of features"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["large"]),
    output:
        large="results/elimination/large.csv",
    log:
        "results/logs/elimination/eliminate_large.log",
    benchmark:
        "results/benchmarks/elimination/eliminate_large.tsv"
    resources:
        mem_mb=memory(7500),
        runtime=minutes(60),
    params:
        **settings("elimination", "large", "folds", "cache_mb"),
    script:
        "../src/scripts/elimination/eliminate_large.py"


rule compare_elimination_readings:
    """the errors of Table 1 with one reading of the paper changed at a time"""
    input:
        kernels=compiled("elimination"),
        data=encoded(reading_datasets()),
    output:
        reading_folds="results/elimination/reading_folds.csv",
    log:
        "results/logs/elimination/compare_elimination_readings.log",
    benchmark:
        "results/benchmarks/elimination/compare_elimination_readings.tsv"
    resources:
        mem_mb=memory(2000 + config["elimination"]["cache_mb"]),
        runtime=minutes(60),
    params:
        **settings("elimination", "readings", "folds", "cache_mb", part="readings"),
    script:
        "../src/scripts/elimination/compare_elimination_readings.py"
