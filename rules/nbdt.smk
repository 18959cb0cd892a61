# Rules of the study nbdt: fixed-depth trees that are optimal under Naive Bayes.


rule cross_validate_nbdt:
    """every method on every fold of every data set"""
    input:
        kernels=compiled("nbdt", "induction"),
        data=encoded(config["nbdt"]["datasets"]),
    output:
        folds="results/nbdt/folds.csv",
    log:
        "results/logs/nbdt/cross_validate_nbdt.log",
    benchmark:
        "results/benchmarks/nbdt/cross_validate_nbdt.tsv"
    params:
        **settings("nbdt", "datasets", *FITTING),
    script:
        "../src/scripts/nbdt/cross_validate_nbdt.py"


rule learn_nbdt:
    """errors of the data alone, of Naive Bayes alone and of trees between them on growing parts of every data set"""
    input:
        kernels=compiled("nbdt"),
        data=encoded(config["nbdt"]["datasets"]),
    output:
        learning="results/nbdt/learning.csv",
    log:
        "results/logs/nbdt/learn_nbdt.log",
    benchmark:
        "results/benchmarks/nbdt/learn_nbdt.tsv"
    params:
        **settings("nbdt", "datasets", "alpha", "blend", "learning"),
    script:
        "../src/scripts/nbdt/learn_nbdt.py"


rule measure_nbdt:
    """CPU seconds of the algorithms: per data set, by number of features, and at depths beyond the paper's"""
    input:
        kernels=compiled("nbdt", "induction"),
        data=encoded(config["nbdt"]["datasets"] + config["nbdt"]["speed_only"]),
    output:
        speed="results/nbdt/speed.csv",
    log:
        "results/logs/nbdt/measure_nbdt.log",
    benchmark:
        "results/benchmarks/nbdt/measure_nbdt.tsv"
    resources:
        mem_mb=memory(1500),
    params:
        **settings("nbdt", "datasets", "speed_only", "alpha", "speed", part="speed"),
    script:
        "../src/scripts/nbdt/measure_nbdt.py"


rule describe_nbdt:
    """shapes of the data sets, expected accuracy per depth on the whole files, and the example of figure 2"""
    input:
        kernels=compiled("nbdt"),
        data=encoded(config["nbdt"]["datasets"] + config["nbdt"]["speed_only"]),
    output:
        datasets="results/nbdt/datasets.csv",
        expected="results/nbdt/expected.csv",
        example="results/nbdt/example.csv",
    log:
        "results/logs/nbdt/describe_nbdt.log",
    benchmark:
        "results/benchmarks/nbdt/describe_nbdt.tsv"
    params:
        **settings("nbdt", "datasets", "speed_only", "alpha", "depths"),
    script:
        "../src/scripts/nbdt/describe_nbdt.py"
