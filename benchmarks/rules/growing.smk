# The growers: a tree for every data set and preset, and their speed.


rule grow_trees:
    """a tree per data set and method, with its cross-validated error"""
    input:
        kernels=compiled("induction"),
        data=encoded(MEASURED["growing"]["datasets"]),
    output:
        records="results/growing/trees.csv",
        drawn="results/growing/drawn.json",
    log:
        "results/logs/growing/grow_trees.log",
    benchmark:
        "results/benchmarks/growing/grow_trees.tsv"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=MEASURED["growing"]["datasets"],
        methods=MEASURED["growing"]["methods"],
        folds=MEASURED["growing"]["folds"],
        drawn=MEASURED["growing"]["drawn"],
        views=views_of(MEASURED["growing"]["datasets"]),
        code=code_of_part("growing"),
    script:
        "../scripts/growing/grow_trees.py"


rule measure_growing:
    """the grower beside scikit-learn in one run, and its growth with the number of cases"""
    input:
        kernels=compiled("induction"),
        data=encoded(MEASURED["growing"]["speed"]),
    output:
        speed="results/growing/speed.csv",
        scaling="results/growing/scaling.csv",
    log:
        "results/logs/growing/measure_growing.log",
    benchmark:
        "results/benchmarks/growing/measure_growing.tsv"
    threads: 1
    resources:
        mem_mb=memory(3000),
        runtime=minutes(30),
    params:
        seed=config["seed"],
        datasets=MEASURED["growing"]["speed"] + MEASURED["growing"]["speed_generated"],
        repeats=MEASURED["growing"]["speed_repeats"],
        rows=MEASURED["growing"]["scaling_rows"],
        features=MEASURED["growing"]["scaling_features"],
        widths=MEASURED["growing"]["scaling_widths"],
        code=code_of_part("growing"),
    script:
        "../scripts/growing/measure_growing.py"


rule draw_growing:
    """tables and figures of the growers, from their records"""
    input:
        trees=rules.grow_trees.output.records,
        drawn=rules.grow_trees.output.drawn,
        speed=rules.measure_growing.output.speed,
        scaling=rules.measure_growing.output.scaling,
    output:
        trees_table="results/tables/growing/trees.csv",
        speed_table="results/tables/growing/speed.csv",
        size_and_error="results/figures/growing/size_and_error.png",
        speed="results/figures/growing/speed.png",
        scaling="results/figures/growing/scaling.png",
        drawings="results/figures/growing/drawings.png",
        vector=vector_forms(
            *expand(
                "results/figures/growing/{name}.png",
                name=["size_and_error", "speed", "scaling", "drawings"],
            )
        ),
    log:
        "results/logs/growing/draw_growing.log",
    benchmark:
        "results/benchmarks/growing/draw_growing.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        drawn_method="c45 pruned",
        code=code_of_part("growing"),
    script:
        "../scripts/growing/draw_growing.py"


rule growing:
    """size, error and speed of the growers that all studies share"""
    input:
        rules.draw_growing.output,
    localrule: True
