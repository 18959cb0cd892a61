# Pruning: every pruner on generated data sets and on real ones, readings of the paper, and the search for new pruners.


rule prune_networks:
    """one shard of the generated data sets: its part of the repetitions, under every pruner"""
    input:
        kernels=compiled("pruning"),
    output:
        synthetic=temp("results/pruning/synthetic/{scatteritem}.csv"),
        synthetic_speed=temp("results/pruning/synthetic_speed/{scatteritem}.csv"),
    log:
        "results/logs/pruning/prune_networks/{scatteritem}.log",
    benchmark:
        "results/benchmarks/pruning/prune_networks/{scatteritem}.tsv"
    params:
        **settings("pruning", "repetitions"),
        shard=lambda wildcards: wildcards.scatteritem,
    script:
        "../src/scripts/pruning/prune_networks.py"


rule prune_tables:
    """repeated ten-fold cross-validation of every pruner on the real data sets"""
    input:
        kernels=compiled("pruning"),
        data=encoded(config["pruning"]["datasets"]),
    output:
        uci_folds="results/pruning/uci_folds.csv",
        uci_speed="results/pruning/uci_speed.csv",
    log:
        "results/logs/pruning/prune_tables.log",
    benchmark:
        "results/benchmarks/pruning/prune_tables.tsv"
    resources:
        mem_mb=memory(1500),
    params:
        **settings("pruning", "datasets", "cv_repeats"),
    script:
        "../src/scripts/pruning/prune_tables.py"


rule compare_readings:
    """what each choice that the paper leaves open changes, and how far each charge of SYNTH+ leaves the tables"""
    input:
        kernels=compiled("pruning"),
        data=encoded(config["pruning"]["datasets"]),
        published=source_file("config/published/pruning.csv"),
    output:
        alternatives="results/pruning/alternatives.csv",
        charges="results/pruning/charges.csv",
    log:
        "results/logs/pruning/compare_readings.log",
    benchmark:
        "results/benchmarks/pruning/compare_readings.tsv"
    resources:
        mem_mb=memory(2000),
    params:
        **settings(
            "pruning", "datasets", "reading_repetitions", "reading_cv_repeats", part="readings"
        ),
    script:
        "../src/scripts/pruning/compare_readings.py"


# ---------------------------------------------------------------- automatic programming: islands search, their best migrate through files


rule evolve_island:
    """one epoch of one island of the program search; goes on from its checkpoint"""
    input:
        kernels=compiled("pruning"),
        previous=earlier_epochs,
        table=evolution_table,
    output:
        state="results/pruning/evolution/{run}/island-{island}/epoch-{epoch}.json",
    log:
        "results/logs/pruning/evolve_island/{run}/island-{island}/epoch-{epoch}.log",
    benchmark:
        "results/benchmarks/pruning/evolve_island/{run}/island-{island}/epoch-{epoch}.tsv"
    resources:
        mem_mb=memory(2000),
        runtime=minutes(60),
    params:
        **only(EVOLUTION, "candidates", "stages", "validation", "broods", "check"),
        **settings("pruning", part="program_search"),
        run=lambda wildcards: EVOLUTION["runs"][wildcards.run],
        island=lambda wildcards: wildcards.island,
        epoch=lambda wildcards: wildcards.epoch,
        checkpoint="pruning/evolution/{run}/checkpoints/island-{island}-epoch-{epoch}",
    script:
        "../src/scripts/pruning/evolve_island.py"


rule choose_program:
    """the program a search ends with, chosen on data sets that the search never saw"""
    input:
        kernels=compiled("pruning"),
        states=last_epochs,
        table=evolution_table,
    output:
        found="results/pruning/found/{run}.json",
        python="results/pruning/found/{run}.py",
        history="results/pruning/found/{run}_history.csv",
        ancestry="results/pruning/found/{run}_ancestry.csv",
    log:
        "results/logs/pruning/choose_program/{run}.log",
    benchmark:
        "results/benchmarks/pruning/choose_program/{run}.tsv"
    resources:
        mem_mb=memory(4000),
    params:
        **only(EVOLUTION, "selection", "test"),
        **settings("pruning", part="program_search"),
        name=lambda wildcards: wildcards.run,
        run=lambda wildcards: EVOLUTION["runs"][wildcards.run],
    script:
        "../src/scripts/pruning/choose_program.py"


rule measure_possible:
    """what every pruner gains, beside the best possible pruning of the same trees"""
    input:
        kernels=compiled("pruning"),
        found=expand("results/pruning/found/{run}.json", run=EVOLUTION["runs"]),
        data=encoded(config["pruning"]["datasets"]),
    output:
        possible="results/pruning/possible.csv",
    log:
        "results/logs/pruning/measure_possible.log",
    benchmark:
        "results/benchmarks/pruning/measure_possible.tsv"
    resources:
        mem_mb=memory(1500),
    params:
        **settings(
            "pruning", "datasets", "reading_repetitions", "reading_cv_repeats", part="possible"
        ),
    script:
        "../src/scripts/pruning/measure_possible.py"


rule judge_found:
    """what the found functions are worth: ranks on fresh data, and the real data sets with them as columns"""
    input:
        kernels=compiled("pruning"),
        found=expand("results/pruning/found/{run}.json", run=EVOLUTION["runs"]),
        history=expand("results/pruning/found/{run}_history.csv", run=EVOLUTION["runs"]),
        ancestry=expand("results/pruning/found/{run}_ancestry.csv", run=EVOLUTION["runs"]),
        data=encoded(config["pruning"]["datasets"]),
    output:
        found_ranks="results/pruning/found_ranks.csv",
        found_cells="results/pruning/found_cells.csv",
        found_folds="results/pruning/found_folds.csv",
        found_curves="results/pruning/found_curves.csv",
        found_history="results/pruning/found_history.csv",
        found_ancestry="results/pruning/found_ancestry.csv",
    log:
        "results/logs/pruning/judge_found.log",
    benchmark:
        "results/benchmarks/pruning/judge_found.tsv"
    resources:
        mem_mb=memory(4000),
    params:
        **only(EVOLUTION, "test", "cv_repeats"),
        **settings("pruning", "datasets", part="found_functions"),
    script:
        "../src/scripts/pruning/judge_found.py"
