# Exact minima of random decision tables: how far they go, and STreeD beside them.


rule measure_scaling:
    """time, memory and subtables of the exact algorithm against rows and attributes"""
    input:
        kernels=compiled("greedy_dp"),
    output:
        records="results/minima/scaling.csv",
    log:
        "results/logs/minima/measure_scaling.log",
    benchmark:
        "results/benchmarks/minima/measure_scaling.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + 3 * int(config["greedy_dp"]["limits"]["memory_mb"])),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        grid=MEASURED["scaling"],
        limits=config["greedy_dp"]["limits"],
        code=code_of_part("minima"),
    script:
        "../scripts/minima/measure_scaling.py"


rule measure_frontier:
    """up to which size branch and bound proves each cost with the work it may take"""
    input:
        kernels=compiled("greedy_dp"),
    output:
        records="results/minima/frontier.csv",
    log:
        "results/logs/minima/measure_frontier.log",
    benchmark:
        "results/benchmarks/minima/measure_frontier.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000 + int(config["greedy_dp"]["limits"]["memory_mb"])),
        runtime=minutes_for(frontier_work()),
    params:
        seed=config["seed"],
        grid=MEASURED["frontier"],
        memory_mb=config["greedy_dp"]["limits"]["memory_mb"],
        code=code_of_part("minima"),
    script:
        "../scripts/minima/measure_frontier.py"


rule compare_streed:
    """minima of random binary tables beside those of pystreed, where it is installed"""
    input:
        kernels=compiled("greedy_dp"),
    output:
        records="results/minima/streed.csv",
        table="results/tables/minima/streed.csv",
    log:
        "results/logs/minima/compare_streed.log",
    benchmark:
        "results/benchmarks/minima/compare_streed.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        grid=MEASURED["streed"],
        code=code_of_part("minima"),
    script:
        "../scripts/minima/compare_streed.py"


rule draw_minima:
    """exact minima against the size of random tables, drawn from the records"""
    input:
        scaling="results/minima/scaling.csv",
        frontier="results/minima/frontier.csv",
    output:
        scaling="results/figures/minima/scaling.png",
        frontier="results/figures/minima/frontier.png",
        vector=vector_forms(
            "results/figures/minima/scaling.png", "results/figures/minima/frontier.png"
        ),
    log:
        "results/logs/minima/draw_minima.log",
    benchmark:
        "results/benchmarks/minima/draw_minima.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of_part("minima"),
    script:
        "../scripts/minima/draw_minima.py"


rule minima:
    """how far exact minima go on random tables, and STreeD beside them"""
    input:
        rules.draw_minima.output,
        rules.compare_streed.output,
    localrule: True
