# Tables of one's own: what was read, every method on the same folds, models to use, one page that answers.


rule compare_own:
    """a user's own table: the column report, every method's held-out error on the same folds, models to use"""
    input:
        table=lambda wildcards: local(TABLES[wildcards.table]["path"]),
    output:
        summary=shown_own("results/own/{table}/summary.csv"),
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
    threads: 1
    resources:
        mem_mb=lambda wildcards, input, attempt: int(attempt * (1500 + 20 * input.size_mb)),
        runtime=minutes(60),
    params:
        options=lambda wildcards: TABLES[wildcards.table],
        seed=config["seed"],
        code=code_of("tables/compare_own.py"),
    script:
        "../src/scripts/tables/compare_own.py"


rule write_own_page:
    """the page of a user's own table"""
    input:
        summary="results/own/{table}/summary.csv",
        columns="results/own/{table}/columns.csv",
        warnings="results/own/{table}/warnings.txt",
        models="results/own/{table}/models",
    output:
        page=shown_own("results/own/{table}/index.html"),
    log:
        "results/logs/tables/write_own_page/{table}.log",
    benchmark:
        "results/benchmarks/tables/write_own_page/{table}.tsv"
    wildcard_constraints:
        table="|".join(TABLES) or "no-table",
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of("tables/write_own_page.py"),
    script:
        "../src/scripts/tables/write_own_page.py"
