# Automatic programming: islands search, their best migrate through files, one program per run is chosen and judged.


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
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(60),
    params:
        root=config["seed"],
        run=lambda wildcards: EVOLUTION["runs"][wildcards.run],
        options=only(EVOLUTION, *EVOLVING),
        checkpoint="pruning/evolution/{run}/checkpoints/island-{island}-epoch-{epoch}",
        code=code_of("pruning/evolve_island.py"),
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
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=minutes(30),
    params:
        root=config["seed"],
        run=lambda wildcards: EVOLUTION["runs"][wildcards.run],
        options=only(EVOLUTION, *CHOOSING),
        code=code_of("pruning/choose_program.py"),
    script:
        "../src/scripts/pruning/choose_program.py"


rule judge_found:
    """what the found functions are worth: ranks on fresh data, and the real data sets with them as columns"""
    input:
        kernels=compiled("pruning"),
        found=expand("results/pruning/found/{run}.json", run=EVOLUTION["runs"]),
        history=expand("results/pruning/found/{run}_history.csv", run=EVOLUTION["runs"]),
        ancestry=expand("results/pruning/found/{run}_ancestry.csv", run=EVOLUTION["runs"]),
        data=encoded(config["pruning"]["datasets"]),
        published=source_file("config/published/pruning.csv"),
    output:
        ranks=shown("results/tables/pruning/found.csv"),
        real=shown("results/tables/pruning/found_uci.csv"),
        versions=shown("results/tables/pruning/synth_versions.csv"),
        history="results/pruning/found_history.csv",
        ancestry="results/pruning/found_ancestry.csv",
    log:
        "results/logs/pruning/judge_found.log",
    benchmark:
        "results/benchmarks/pruning/judge_found.tsv"
    threads: 1
    resources:
        mem_mb=memory(4000),
        runtime=minutes(30),
    params:
        root=config["seed"],
        test=EVOLUTION["test"],
        reading=config["pruning"]["reading"],
        repeats=EVOLUTION["cv_repeats"],
        datasets=config["pruning"]["datasets"],
        views=views_of(config["pruning"]["datasets"]),
        code=code_of("pruning/judge_found.py"),
    script:
        "../src/scripts/pruning/judge_found.py"


rule draw_found:
    """pictures of the program search: the curves of what it found, and how it got there"""
    input:
        found=expand("results/pruning/found/{run}.json", run=EVOLUTION["runs"]),
        history="results/pruning/found_history.csv",
    output:
        curve=shown("results/figures/pruning/found_curve.png"),
        progress=shown("results/figures/pruning/found_progress.png"),
        vector=vector_forms(*(figure for figure in figures_of("pruning") if "found_" in figure)),
    log:
        "results/logs/pruning/draw_found.log",
    benchmark:
        "results/benchmarks/pruning/draw_found.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("pruning/draw_found.py"),
    script:
        "../src/scripts/pruning/draw_found.py"
