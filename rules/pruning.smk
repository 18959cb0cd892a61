# The pruning study: generated networks (scattered), real data sets, readings of the paper, then tables and figures.
# The number of shards changes nothing but the time: --set-scatter pruning_networks=32


rule prune_networks:
    """one shard of the generated data sets: every repetition whose number belongs to it, under every pruner"""
    input:
        kernels=compiled("pruning"),
    output:
        records=temp("results/pruning/networks/{scatteritem}.csv"),
        speed=temp("results/pruning/networks/{scatteritem}_speed.csv"),
    log:
        "results/logs/pruning/prune_networks/{scatteritem}.log",
    benchmark:
        "results/benchmarks/pruning/prune_networks/{scatteritem}.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        repetitions=config["pruning"]["repetitions"],
        reading=config["pruning"]["reading"],
        charges=config["pruning"]["held_out_charges"],
        beyond=config["pruning"]["beyond"],
        m_estimate=config["pruning"]["m_estimate"],
        code=code_of("pruning/prune_networks.py"),
    script:
        "../src/scripts/pruning/prune_networks.py"


rule rank_networks:
    """join the shards, rank the pruners five at a time, test"""
    input:
        records=gather.pruning_networks("results/pruning/networks/{scatteritem}.csv"),
        speed=gather.pruning_networks("results/pruning/networks/{scatteritem}_speed.csv"),
    output:
        records="results/pruning/synthetic.csv",
        speed="results/pruning/synthetic_speed.csv",
        ranks="results/pruning/ranks.csv",
        tests="results/pruning/tests.csv",
    log:
        "results/logs/pruning/rank_networks.log",
    benchmark:
        "results/benchmarks/pruning/rank_networks.tsv"
    threads: 1
    resources:
        mem_mb=memory(1500),
        runtime=minutes(10),
    params:
        beyond=config["pruning"]["beyond"],
        code=code_of("pruning/rank_networks.py"),
    script:
        "../src/scripts/pruning/rank_networks.py"


rule prune_tables:
    """repeated ten-fold cross-validation of every pruner on the real data sets"""
    input:
        kernels=compiled("pruning"),
        data=encoded(config["pruning"]["datasets"]),
    output:
        folds="results/pruning/uci_folds.csv",
        speed="results/pruning/uci_speed.csv",
    log:
        "results/logs/pruning/prune_tables.log",
    benchmark:
        "results/benchmarks/pruning/prune_tables.tsv"
    threads: 1
    resources:
        mem_mb=memory(1500),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=config["pruning"]["datasets"],
        repeats=config["pruning"]["cv_repeats"],
        reading=config["pruning"]["reading"],
        charges=config["pruning"]["held_out_charges"],
        beyond=config["pruning"]["beyond"],
        m_estimate=config["pruning"]["m_estimate"],
        views=views_of(config["pruning"]["datasets"]),
        code=code_of("pruning/prune_tables.py"),
    script:
        "../src/scripts/pruning/prune_tables.py"


rule compare_readings:
    """the tables again with one reading of the paper changed at a time"""
    input:
        kernels=compiled("pruning"),
        data=encoded(config["pruning"]["datasets"]),
        published=source_file("config/published/pruning.csv"),
        ranks="results/pruning/ranks.csv",
        real="results/pruning/uci.csv",
    output:
        cells="results/pruning/readings.csv",
        overview=shown("results/tables/pruning/readings.csv"),
        charges="results/pruning/charges.csv",
    log:
        "results/logs/pruning/compare_readings.log",
    benchmark:
        "results/benchmarks/pruning/compare_readings.tsv"
    threads: 1
    resources:
        mem_mb=memory(1500),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=config["pruning"]["datasets"],
        repetitions=config["pruning"]["reading_repetitions"],
        repeats=config["pruning"]["reading_cv_repeats"],
        reading=config["pruning"]["reading"],
        charges=config["pruning"]["held_out_charges"],
        alternatives=config["pruning"]["alternatives"],
        views=views_of(config["pruning"]["datasets"]),
        code=code_of("pruning/compare_readings.py"),
    script:
        "../src/scripts/pruning/compare_readings.py"


rule summarise_pruning:
    """the printed numbers' counterparts, and the study's own tables, from the records"""
    input:
        records="results/pruning/synthetic.csv",
        ranks="results/pruning/ranks.csv",
        tests="results/pruning/tests.csv",
        folds="results/pruning/uci_folds.csv",
        speeds=["results/pruning/synthetic_speed.csv", "results/pruning/uci_speed.csv"],
        published=source_file("config/published/pruning.csv"),
    output:
        reproduced="results/pruning/reproduced.csv",
        real="results/pruning/uci.csv",
        real_tests="results/pruning/uci_tests.csv",
        sizes="results/pruning/size_and_accuracy.csv",
        methods=shown("results/tables/pruning/pruners.csv"),
        errors=shown("results/tables/pruning/uci_errors.csv"),
        nodes=shown("results/tables/pruning/uci_nodes.csv"),
        tests=shown("results/tables/pruning/tests.csv"),
        speed=shown("results/tables/pruning/speed.csv"),
    log:
        "results/logs/pruning/summarise_pruning.log",
    benchmark:
        "results/benchmarks/pruning/summarise_pruning.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        beyond=config["pruning"]["beyond"],
        code=code_of("pruning/summarise_pruning.py"),
    script:
        "../src/scripts/pruning/summarise_pruning.py"


rule draw_pruning:
    """the study's figures, from its CSV files"""
    input:
        ranks="results/pruning/ranks.csv",
        tests="results/pruning/tests.csv",
        real="results/pruning/uci.csv",
        real_tests="results/pruning/uci_tests.csv",
        sizes="results/pruning/size_and_accuracy.csv",
        readings="results/tables/pruning/readings.csv",
    output:
        ranks=shown("results/figures/pruning/rank_by_removed.png"),
        sizes=shown("results/figures/pruning/size_and_accuracy.png"),
        critical=shown("results/figures/pruning/critical_difference.png"),
        readings=shown("results/figures/pruning/readings.png"),
        vector=vector_forms(*(figure for figure in figures_of("pruning") if "found_" not in figure)),
    log:
        "results/logs/pruning/draw_pruning.log",
    benchmark:
        "results/benchmarks/pruning/draw_pruning.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("pruning/draw_pruning.py"),
    script:
        "../src/scripts/pruning/draw_pruning.py"


rule prune_own:
    """a user's own table: repeated cross-validated error and size under every pruner"""
    input:
        kernels=compiled("pruning"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/pruning.csv"),
        figure=shown_own("results/own/{table}/pruning.png"),
    log:
        "results/logs/pruning/prune_own/{table}.log",
    benchmark:
        "results/benchmarks/pruning/prune_own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("pruning"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("pruning"),
        reading=config["pruning"]["reading"],
        beyond=config["pruning"]["beyond"],
        m_estimate=config["pruning"]["m_estimate"],
        code=code_of("pruning/prune_own.py"),
    script:
        "../src/scripts/pruning/prune_own.py"


include: "pruning_evolution.smk"
