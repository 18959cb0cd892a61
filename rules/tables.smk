# Tables of one's own: what was read, every method on the same folds, models to use, one page that answers.


rule compare_own:
    """a user's own table: the column report, every method's held-out error on the same folds, models to use"""
    input:
        data="results/data/{table}.npz",
        kernels=compiled("induction", "distinct", "elimination", "greedy_dp"),
    output:
        compared=shown_own("results/own/{table}/methods.csv"),
        needed="results/own/{table}/needed.csv",
        columns=shown_own("results/own/{table}/columns.csv"),
        warnings="results/own/{table}/warnings.txt",
        predictions="results/own/{table}/predictions.csv",
        models=directory("results/own/{table}/models"),
    log:
        "results/logs/tables/compare_own/{table}.log",
    benchmark:
        "results/benchmarks/tables/compare_own/{table}.tsv"
    wildcard_constraints:
        table="|".join(TABLES) or "no-table",
    resources:
        mem_mb=memory_own("methods"),
        runtime=minutes(60),
    params:
        table=lambda wildcards: wildcards.table,
        settings=settings_own("methods"),
        seed=config["seed"],
        code=code_of("own.compare"),
    script:
        "../src/scripts/tables/compare_own.py"


rule write_own_page:
    """the page of a user's own table, and one row per method and study"""
    input:
        compared="results/own/{table}/methods.csv",
        needed="results/own/{table}/needed.csv",
        predictions="results/own/{table}/predictions.csv",
        columns="results/own/{table}/columns.csv",
        warnings="results/own/{table}/warnings.txt",
        models="results/own/{table}/models",
        studies=[f"results/own/{{table}}/{study}.csv" for study in OWN_STUDIES],
    output:
        summary=shown_own("results/own/{table}/summary.csv"),
        page=shown_own("results/own/{table}/index.html"),
    log:
        "results/logs/tables/write_own_page/{table}.log",
    benchmark:
        "results/benchmarks/tables/write_own_page/{table}.tsv"
    wildcard_constraints:
        table="|".join(TABLES) or "no-table",
    localrule: True
    params:
        table=lambda wildcards: wildcards.table,
        options=lambda wildcards: reading_options(TABLES[wildcards.table]),
        configuration=changed_own,
        code=code_of("own.page"),
    script:
        "../src/scripts/tables/write_own_page.py"
