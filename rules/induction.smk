# Rules of the study induction: a tree for every data set and preset, and the grower's speed.


rule grow_trees:
    """a tree per data set and method, with its cross-validated error"""
    input:
        kernels=compiled("induction"),
        data=encoded(config["induction"]["datasets"]),
    output:
        records="results/induction/trees.csv",
        drawn="results/induction/drawn.json",
    log:
        "results/logs/induction/grow_trees.log",
    benchmark:
        "results/benchmarks/induction/grow_trees.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=config["induction"]["datasets"],
        methods=config["induction"]["methods"],
        folds=config["induction"]["folds"],
        drawn=config["induction"]["drawn"],
        views=views_of(config["induction"]["datasets"]),
        code=code_of("induction/grow_trees.py"),
    script:
        "../src/scripts/induction/grow_trees.py"


rule measure_induction:
    """the grower beside scikit-learn in one run, and its growth with the number of cases"""
    input:
        kernels=compiled("induction"),
        data=encoded(config["induction"]["speed"]),
    output:
        speed="results/induction/speed.csv",
        scaling="results/induction/scaling.csv",
    log:
        "results/logs/induction/measure_induction.log",
    benchmark:
        "results/benchmarks/induction/measure_induction.tsv"
    threads: 1
    resources:
        mem_mb=memory(3000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=config["induction"]["speed"] + config["induction"]["speed_generated"],
        repeats=config["induction"]["speed_repeats"],
        rows=config["induction"]["scaling_rows"],
        features=config["induction"]["scaling_features"],
        widths=config["induction"]["scaling_widths"],
        code=code_of("induction/measure_induction.py"),
    script:
        "../src/scripts/induction/measure_induction.py"


rule draw_induction:
    """tables and figures of the induction study, from its records"""
    input:
        trees=rules.grow_trees.output.records,
        drawn=rules.grow_trees.output.drawn,
        speed=rules.measure_induction.output.speed,
        scaling=rules.measure_induction.output.scaling,
    output:
        trees_table=shown("results/tables/induction/trees.csv"),
        speed_table=shown("results/tables/induction/speed.csv"),
        size_and_error=shown("results/figures/induction/size_and_error.png"),
        speed=shown("results/figures/induction/speed.png"),
        scaling=shown("results/figures/induction/scaling.png"),
        drawings=shown("results/figures/induction/drawings.png"),
        vector=vector_forms(*figures_of("induction")),
    log:
        "results/logs/induction/draw_induction.log",
    benchmark:
        "results/benchmarks/induction/draw_induction.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        drawn_method="c45 pruned",
        code=code_of("induction/draw_induction.py"),
    script:
        "../src/scripts/induction/draw_induction.py"


rule grow_own:
    """a user's own table: every method's tree, its error, and the pruned tree as text and drawing"""
    input:
        kernels=compiled("induction"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/induction.csv"),
        text="results/own/{table}/tree.txt",
        drawing=shown_own("results/own/{table}/tree.png"),
    log:
        "results/logs/induction/grow_own/{table}.log",
    benchmark:
        "results/benchmarks/induction/grow_own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("induction"),
        runtime=minutes(60),
    params:
        seed=config["seed"],
        settings=settings_own("induction"),
        code=code_of("induction/grow_own.py"),
    script:
        "../src/scripts/induction/grow_own.py"
