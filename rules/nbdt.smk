# Rules of the study nbdt: fixed-depth trees that are optimal under Naive Bayes.


rule cross_validate_nbdt:
    """every method on every fold of every data set"""
    input:
        kernels=compiled("nbdt", "induction"),
        data=encoded(config["nbdt"]["datasets"]),
        catalogue=source_file("config/catalogue.yaml"),
    output:
        folds="results/nbdt/folds.csv",
    log:
        "results/logs/nbdt/cross_validate.log",
    benchmark:
        "results/benchmarks/nbdt/cross_validate.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(20),
    params:
        settings=only(config["nbdt"], "datasets", *FITTING),
        seed=config["seed"],
        code=code_of("nbdt/cross_validate_nbdt.py"),
    script:
        "../src/scripts/nbdt/cross_validate_nbdt.py"


rule learn_nbdt:
    """errors of the data alone, of Naive Bayes alone and of trees between them on growing parts of every data set"""
    input:
        kernels=compiled("nbdt"),
        data=encoded(config["nbdt"]["datasets"]),
        catalogue=source_file("config/catalogue.yaml"),
    output:
        learning="results/nbdt/learning.csv",
    log:
        "results/logs/nbdt/learn.log",
    benchmark:
        "results/benchmarks/nbdt/learn.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(20),
    params:
        settings=only(config["nbdt"], "datasets", "alpha", "blend", "learning"),
        seed=config["seed"],
        code=code_of("nbdt/learn_nbdt.py"),
    script:
        "../src/scripts/nbdt/learn_nbdt.py"


rule measure_nbdt:
    """CPU seconds of the algorithms: per data set, by number of features, and at depths beyond the paper's"""
    input:
        kernels=compiled("nbdt", "induction"),
        data=encoded(config["nbdt"]["datasets"] + config["nbdt"]["speed_only"]),
        catalogue=source_file("config/catalogue.yaml"),
    output:
        speed="results/nbdt/speed.csv",
    log:
        "results/logs/nbdt/measure_speed.log",
    benchmark:
        "results/benchmarks/nbdt/measure_speed.tsv"
    threads: 1
    resources:
        mem_mb=memory(1500),
        runtime=minutes(20),
    params:
        settings=only(config["nbdt"], "datasets", "speed_only", "alpha", "speed"),
        seed=config["seed"],
        code=code_of("nbdt/measure_nbdt.py"),
    script:
        "../src/scripts/nbdt/measure_nbdt.py"


rule describe_nbdt:
    """shapes of the data sets, expected accuracy per depth on the whole files, and the example of figure 2"""
    input:
        kernels=compiled("nbdt"),
        data=encoded(config["nbdt"]["datasets"] + config["nbdt"]["speed_only"]),
        catalogue=source_file("config/catalogue.yaml"),
    output:
        datasets="results/nbdt/datasets.csv",
        expected="results/nbdt/expected.csv",
        example="results/nbdt/example.csv",
    log:
        "results/logs/nbdt/describe_data.log",
    benchmark:
        "results/benchmarks/nbdt/describe_data.tsv"
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        settings=only(config["nbdt"], "datasets", "speed_only", "alpha", "depths"),
        code=code_of("nbdt/describe_nbdt.py"),
    script:
        "../src/scripts/nbdt/describe_nbdt.py"


rule summarise_nbdt:
    """mean errors, tests and the statements of the paper, from the records"""
    input:
        folds="results/nbdt/folds.csv",
        speed="results/nbdt/speed.csv",
        datasets="results/nbdt/datasets.csv",
        learning="results/nbdt/learning.csv",
        published=source_file("config/published/nbdt.csv"),
    output:
        reproduced="results/nbdt/reproduced.csv",
        readings="results/nbdt/readings.csv",
        readings_overview=shown("results/tables/nbdt/readings_overview.csv"),
        accuracy="results/nbdt/accuracy.csv",
        averages="results/nbdt/averages.csv",
        tests="results/nbdt/tests.csv",
        learning_means="results/nbdt/learning_means.csv",
        learning=shown("results/tables/nbdt/learning.csv"),
        errors=shown("results/tables/nbdt/errors.csv"),
        missing_sets=shown("results/tables/nbdt/missing_sets.csv"),
        speed=shown("results/tables/nbdt/speed.csv"),
    log:
        "results/logs/nbdt/summarise.log",
    benchmark:
        "results/benchmarks/nbdt/summarise.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        settings=only(
            config["nbdt"],
            "folds",
            "depths",
            "greedy_depths",
            "optimal_depths",
            "blend",
            "learning",
        ),
        code=code_of("nbdt/summarise_nbdt.py"),
    script:
        "../src/scripts/nbdt/summarise_nbdt.py"


rule draw_nbdt:
    """figures 2, 4, 5 and 6 of the paper, and when Naive Bayes helps"""
    input:
        example="results/nbdt/example.csv",
        accuracy="results/nbdt/accuracy.csv",
        speed="results/nbdt/speed.csv",
        learning_means="results/nbdt/learning_means.csv",
        learning="results/tables/nbdt/learning.csv",
    output:
        **{
            name: shown(f"results/figures/nbdt/{name}.png")
            for name in ("figure_2", "figure_4", "figure_5", "figure_6", "when_naive_bayes_helps")
        },
        vector=vector_forms(*figures_of("nbdt")),
    log:
        "results/logs/nbdt/draw.log",
    benchmark:
        "results/benchmarks/nbdt/draw.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("nbdt/draw_nbdt.py"),
    script:
        "../src/scripts/nbdt/draw_nbdt.py"


rule solve_own_nbdt:
    """the best tree under Naive Bayes for one of the user's own tables"""
    input:
        kernels=compiled("nbdt", "induction"),
        data="results/data/{table}.npz",
    output:
        records=shown_own("results/own/{table}/nbdt.csv"),
        leaves=shown_own("results/own/{table}/nbdt_leaves.csv"),
        text="results/own/{table}/nbdt_tree.txt",
        figure=shown_own("results/own/{table}/nbdt_tree.png"),
    log:
        "results/logs/nbdt/own/{table}.log",
    benchmark:
        "results/benchmarks/nbdt/own/{table}.tsv"
    threads: 1
    resources:
        mem_mb=memory_own("nbdt"),
        runtime=minutes(60),
    params:
        settings=settings_own("nbdt"),
        seed=config["seed"],
        code=code_of("nbdt/solve_own_nbdt.py"),
    script:
        "../src/scripts/nbdt/solve_own_nbdt.py"
