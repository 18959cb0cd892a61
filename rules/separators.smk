# Separators: single decisions, exact minima, alternatives, feature paths and trees of planes are measured.


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
    params:
        **settings(
            "separators", "datasets", "standins", "split", "standin_folds", "repeats", *SOLVING
        ),
    script:
        "../src/scripts/separators/separate_folds.py"


rule prove_minima:
    """the least number of features, proven, beside the heuristic's, on the same folds"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
    output:
        exact="results/separators/exact.csv",
    log:
        "results/logs/separators/prove_minima.log",
    benchmark:
        "results/benchmarks/separators/prove_minima.tsv"
    resources:
        runtime=minutes(60),
    params:
        **settings("separators", "datasets", "exact", *SOLVING),
    script:
        "../src/scripts/separators/prove_minima.py"


rule compare_alternatives:
    """what each choice that the paper leaves open changes"""
    input:
        kernels=compiled("induction"),
        data=encoded(config["separators"]["datasets"].values()),
    output:
        alternatives="results/separators/alternatives.csv",
    log:
        "results/logs/separators/compare_alternatives.log",
    benchmark:
        "results/benchmarks/separators/compare_alternatives.tsv"
    params:
        **settings("separators", "datasets", "alternative_repeats", *SOLVING, part="readings"),
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
    params:
        **settings("separators", "datasets", "path", *SOLVING),
    script:
        "../src/scripts/separators/trace_features.py"


rule grow_plane_trees:
    """trees of planes, limited and grown out, also for several classes"""
    input:
        data=encoded(config["separators"]["datasets"].values()),
        several=encoded(config["separators"]["trees"]["several_classes"].values()),
    output:
        trees="results/separators/trees.csv",
    log:
        "results/logs/separators/grow_plane_trees.log",
    benchmark:
        "results/benchmarks/separators/grow_plane_trees.tsv"
    params:
        **settings("separators", "datasets", "trees", *SOLVING),
    script:
        "../src/scripts/separators/grow_plane_trees.py"
