# The separators study: single decisions, exact minima, alternatives, feature paths, trees, speed; then tables and figures.


rule separate_folds:
    """the paper's experiment: single decisions by ten-fold cross-validation, and the stand-ins once"""
    input:
        kernels=compiled("induction"),
        data=encoded(config["separators"]["datasets"].values()),
        standins=encoded(config["separators"]["standins"].values()),
        split=encoded(entry["source"] for entry in config["separators"]["split"].values()),
    output:
        folds="results/separators/folds.csv",
        standins="results/separators/standins.csv",
    log:
        "results/logs/separators/separate_folds.log",
    benchmark:
        "results/benchmarks/separators/separate_folds.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        options=only(
            config["separators"],
            "datasets",
            "standins",
            "split",
            "standin_folds",
            "repeats",
            "folds_run",
            *SOLVING,
        ),
        seed=config["seed"],
        code=code_of("separators/separate_folds.py"),
    script:
        "../src/scripts/separators/separate_folds.py"


rule prove_minima:
    """the least number of features, proven, beside the heuristic's, on the same folds"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        records="results/separators/exact.csv",
    log:
        "results/logs/separators/prove_minima.log",
    benchmark:
        "results/benchmarks/separators/prove_minima.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(60),
    params:
        options=only(config["separators"], "datasets", "exact", "folds_run", *SOLVING),
        seed=config["seed"],
        code=code_of("separators/prove_minima.py"),
    script:
        "../src/scripts/separators/prove_minima.py"


rule compare_alternatives:
    """what each choice that the paper leaves open changes"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        records="results/separators/alternatives.csv",
    log:
        "results/logs/separators/compare_alternatives.log",
    benchmark:
        "results/benchmarks/separators/compare_alternatives.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        options=only(config["separators"], "datasets", "alternative_repeats", "folds_run", *SOLVING),
        seed=config["seed"],
        code=code_of("separators/compare_alternatives.py"),
    script:
        "../src/scripts/separators/compare_alternatives.py"


rule trace_features:
    """error against number of features, with rivals, and the planes with two and three features"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        path="results/separators/path.csv",
        planes="results/separators/planes.csv",
        points="results/separators/points.csv",
    log:
        "results/logs/separators/trace_features.log",
    benchmark:
        "results/benchmarks/separators/trace_features.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        options=only(config["separators"], "datasets", "path", "folds_run", *SOLVING),
        seed=config["seed"],
        code=code_of("separators/trace_features.py"),
    script:
        "../src/scripts/separators/trace_features.py"


rule grow_plane_trees:
    """trees of planes, limited and grown out, also for several classes"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
        several=encoded(config["separators"]["trees"]["several_classes"].values()),
    output:
        records="results/separators/trees.csv",
    log:
        "results/logs/separators/grow_plane_trees.log",
    benchmark:
        "results/benchmarks/separators/grow_plane_trees.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        options=only(config["separators"], "datasets", "trees", "folds_run", *SOLVING),
        seed=config["seed"],
        code=code_of("separators/grow_plane_trees.py"),
    script:
        "../src/scripts/separators/grow_plane_trees.py"


rule time_solvers:
    """the four-set study through several solvers, in one run"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        records="results/separators/speed.csv",
    log:
        "results/logs/separators/time_solvers.log",
    benchmark:
        "results/benchmarks/separators/time_solvers.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(30),
    params:
        options=only(config["separators"], "datasets", "speed", "folds", "folds_run"),
        seed=config["seed"],
        code=code_of("separators/time_solvers.py"),
    script:
        "../src/scripts/separators/time_solvers.py"


rule summarise_separators:
    """reproduced numbers and tables of the separators study"""
    input:
        folds="results/separators/folds.csv",
        standins="results/separators/standins.csv",
        exact="results/separators/exact.csv",
        alternatives="results/separators/alternatives.csv",
        path="results/separators/path.csv",
        trees="results/separators/trees.csv",
        speed="results/separators/speed.csv",
        published=source_file("config/published/separators.csv"),
    output:
        reproduced="results/separators/reproduced.csv",
        readings="results/separators/readings.csv",
        readings_overview=shown("results/tables/separators/readings_overview.csv"),
        single_decisions=shown("results/tables/separators/single_decisions.csv"),
        standins=shown("results/tables/separators/standins.csv"),
        exact_minimum=shown("results/tables/separators/exact_minimum.csv"),
        alternatives=shown("results/tables/separators/alternatives.csv"),
        c45_readings=shown("results/tables/separators/c45_readings.csv"),
        rivals=shown("results/tables/separators/rivals.csv"),
        trees=shown("results/tables/separators/trees.csv"),
        speed=shown("results/tables/separators/speed.csv"),
    log:
        "results/logs/separators/summarise_separators.log",
    benchmark:
        "results/benchmarks/separators/summarise_separators.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("separators/summarise_separators.py"),
    script:
        "../src/scripts/separators/summarise_separators.py"


rule draw_separators:
    """figures of the separators study"""
    input:
        path="results/separators/path.csv",
        folds="results/separators/folds.csv",
        planes="results/separators/planes.csv",
        points="results/separators/points.csv",
        speed="results/separators/speed.csv",
        exact_minimum="results/tables/separators/exact_minimum.csv",
    output:
        error_by_features=shown("results/figures/separators/error_by_features.png"),
        separating_line=shown("results/figures/separators/separating_line.png"),
        separating_plane=shown("results/figures/separators/separating_plane.png"),
        exact_minimum=shown("results/figures/separators/exact_minimum.png"),
        solver_times=shown("results/figures/separators/solver_times.png"),
        vector=vector_forms(*figures_of("separators")),
    log:
        "results/logs/separators/draw_separators.log",
    benchmark:
        "results/benchmarks/separators/draw_separators.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("separators/draw_separators.py"),
    script:
        "../src/scripts/separators/draw_separators.py"


rule separate_own:
    """a user's own table: cross-validated error and features of every method, and the planes in the original units"""
    input:
        kernels=compiled("induction"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/separators.csv"),
        figure=shown_own("results/own/{table}/separators.png"),
    log:
        "results/logs/separators/separate_own/{table}.log",
    benchmark:
        "results/benchmarks/separators/separate_own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("separators"),
        runtime=minutes(60),
    params:
        options=settings_own("separators"),
        solving=only(config["separators"], *SOLVING),
        seed=config["seed"],
        code=code_of("separators/separate_own.py"),
    script:
        "../src/scripts/separators/separate_own.py"
