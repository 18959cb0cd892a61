# Backward elimination: eliminations and complete searches (scattered), large tables, then tables and figures.
# The number of shards changes nothing but the time: --set-scatter eliminations=32


rule eliminate_features:
    """eliminations of one shard: a record per fold, and the paths"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["datasets"]),
    output:
        folds=temp("results/elimination/shards/{scatteritem}_folds.csv"),
        paths=temp("results/elimination/shards/{scatteritem}_paths.csv"),
    log:
        "results/logs/elimination/eliminate_features/{scatteritem}.log",
    benchmark:
        "results/benchmarks/elimination/eliminate_features/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000 + config["elimination"]["cache_mb"]),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=only(
            config["elimination"], "datasets", "black_box", "curve", "repeats", *ELIMINATING
        ),
        views=views_of(config["elimination"]["datasets"]),
        code=code_of("elimination/eliminate_features.py"),
    script:
        "../src/scripts/elimination/eliminate_features.py"


rule search_optima:
    """complete searches of one shard: the best subset of each fold, or the best found in time"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["datasets"]),
    output:
        records=temp("results/elimination/shards/{scatteritem}_optimal.csv"),
    log:
        "results/logs/elimination/search_optima/{scatteritem}.log",
    benchmark:
        "results/benchmarks/elimination/search_optima/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000 + 2 * config["elimination"]["cache_mb"]),
        runtime=minutes_for(searching() / len(gather.optima("{scatteritem}"))),
    params:
        seed=config["seed"],
        settings=only(
            config["elimination"], "datasets", "optimal", "curve", "repeats", *ELIMINATING
        ),
        views=views_of(config["elimination"]["datasets"]),
        code=code_of("elimination/search_optima.py"),
    script:
        "../src/scripts/elimination/search_optima.py"


rule gather_eliminations:
    """the shards' records as one file each, in the order of the rows, whatever the number of shards"""
    input:
        folds=gather.eliminations("results/elimination/shards/{scatteritem}_folds.csv"),
        paths=gather.eliminations("results/elimination/shards/{scatteritem}_paths.csv"),
        optimal=gather.optima("results/elimination/shards/{scatteritem}_optimal.csv"),
    output:
        folds="results/elimination/folds.csv",
        paths="results/elimination/paths.csv",
        optimal="results/elimination/optimal.csv",
    log:
        "results/logs/elimination/gather_eliminations.log",
    benchmark:
        "results/benchmarks/elimination/gather_eliminations.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=minutes(10),
    params:
        datasets=config["elimination"]["datasets"],
        code=code_of("elimination/gather_eliminations.py"),
    script:
        "../src/scripts/elimination/gather_eliminations.py"


rule eliminate_large:
    """one fold of each table of thousands of features"""
    input:
        kernels=compiled("elimination"),
        data=encoded(config["elimination"]["large"]),
    output:
        records="results/elimination/large.csv",
    log:
        "results/logs/elimination/eliminate_large.log",
    benchmark:
        "results/benchmarks/elimination/eliminate_large.tsv"
    threads: 1
    resources:
        mem_mb=memory(7500),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=only(config["elimination"], "large", *ELIMINATING),
        code=code_of("elimination/eliminate_large.py"),
    script:
        "../src/scripts/elimination/eliminate_large.py"


rule summarise_elimination:
    """numbers beside the published ones, tables and curves, from the records"""
    input:
        folds="results/elimination/folds.csv",
        optimal="results/elimination/optimal.csv",
        large="results/elimination/large.csv",
        published=published_files("elimination"),
    output:
        reproduced="results/elimination/reproduced.csv",
        curves="results/elimination/curves.csv",
        ways=shown("results/tables/elimination/ways.csv"),
        selection=shown("results/tables/elimination/selection.csv"),
        optima=shown("results/tables/elimination/optima.csv"),
        large=shown("results/tables/elimination/large.csv"),
    log:
        "results/logs/elimination/summarise_elimination.log",
    benchmark:
        "results/benchmarks/elimination/summarise_elimination.tsv"
    threads: 1
    resources:
        mem_mb=memory(500),
        runtime=minutes(10),
    params:
        settings=only(
            config["elimination"],
            "datasets",
            "optimal",
            "curve",
            "repeats",
            "min_cases",
            "folds",
            "building",
        ),
        code=code_of("elimination/summarise_elimination.py"),
    script:
        "../src/scripts/elimination/summarise_elimination.py"


rule compare_elimination_readings:
    """the errors of Table 1 with one reading of the paper changed at a time"""
    input:
        kernels=compiled("elimination"),
        data=encoded(reading_datasets()),
        published=published_files("elimination"),
    output:
        records="results/elimination/reading_folds.csv",
        readings="results/elimination/readings.csv",
        overview=shown("results/tables/elimination/readings_overview.csv"),
        held_out=shown("results/tables/elimination/readings_held_out.csv"),
    log:
        "results/logs/elimination/compare_elimination_readings.log",
    benchmark:
        "results/benchmarks/elimination/compare_elimination_readings.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000 + config["elimination"]["cache_mb"]),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=only(config["elimination"], "readings", *ELIMINATING),
        views=views_of(reading_datasets()),
        code=code_of("elimination/compare_elimination_readings.py"),
    script:
        "../src/scripts/elimination/compare_elimination_readings.py"


rule draw_elimination:
    """figure 5, the speed-up by features, the paths of the eliminations"""
    input:
        curves="results/elimination/curves.csv",
        ways="results/tables/elimination/ways.csv",
        large="results/elimination/large.csv",
        paths="results/elimination/paths.csv",
    output:
        curves=shown("results/figures/elimination/figure5.png"),
        speed=shown("results/figures/elimination/speed_up.png"),
        paths=shown("results/figures/elimination/paths.png"),
        vector=vector_forms(*figures_of("elimination")),
    log:
        "results/logs/elimination/draw_elimination.log",
    benchmark:
        "results/benchmarks/elimination/draw_elimination.tsv"
    threads: 1
    resources:
        mem_mb=memory(700),
        runtime=minutes(10),
    params:
        m=config["elimination"]["min_cases"],
        code=code_of("elimination/draw_elimination.py"),
    script:
        "../src/scripts/elimination/draw_elimination.py"


rule eliminate_own:
    """backward elimination on a user's own table"""
    input:
        kernels=compiled("elimination"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/elimination.csv"),
        path=shown_own("results/own/{table}/elimination_path.csv"),
        figure=shown_own("results/own/{table}/elimination.png"),
    log:
        "results/logs/elimination/eliminate_own/{table}.log",
    benchmark:
        "results/benchmarks/elimination/eliminate_own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("elimination"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("elimination"),
        code=code_of("elimination/eliminate_own.py"),
    script:
        "../src/scripts/elimination/eliminate_own.py"
