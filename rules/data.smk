# Data sets: fetch, check, encode. A source that fails leaves a marker with the reason in the place of the table, so
# the studies run on what there is; `snakemake --cores 1 -R fetch_dataset` tries again.


rule fetch_dataset:
    """serve one data set from the first source that can: the encoded table, and a line on where it came from"""
    output:
        dataset="results/data/{dataset}.npz",
        record="results/data/sources/{dataset}.csv",
    log:
        "results/logs/data/fetch_dataset/{dataset}.log",
    benchmark:
        "results/benchmarks/data/fetch_dataset/{dataset}.tsv"
    wildcard_constraints:
        dataset="|".join(CATALOGUE["datasets"]),
    localrule: True
    resources:
        mem_mb=lambda wildcards, attempt: attempt * size_of(wildcards.dataset),
    params:
        name=lambda wildcards: wildcards.dataset,
        entry=lambda wildcards: CATALOGUE["datasets"][wildcards.dataset],
        archives=lambda wildcards: archives_of(wildcards.dataset),
        downloads="data/downloads",
        require_all=config["require_all"],
        code=code_of("workflow.serving"),
    script:
        "../src/scripts/data/fetch_dataset.py"


rule encode_table:
    """encode one of the user's own tables"""
    input:
        table=lambda wildcards: local(TABLES[wildcards.table]["path"]),
    output:
        dataset="results/data/{table}.npz",
        record="results/data/sources/{table}.csv",
    log:
        "results/logs/data/encode_table/{table}.log",
    benchmark:
        "results/benchmarks/data/encode_table/{table}.tsv"
    wildcard_constraints:
        table="|".join(TABLES) or "no-table",
    resources:
        mem_mb=lambda wildcards, input, attempt: int(attempt * (1000 + 20 * input.size_mb)),
    params:
        name=lambda wildcards: wildcards.table,
        options=lambda wildcards: reading_options(TABLES[wildcards.table]),
        code=code_of("workflow.serving"),
    script:
        "../src/scripts/data/encode_table.py"


rule report_availability:
    """one line per data set of the catalogue: which source served it, or why none did"""
    input:
        records=sources_of([*used_datasets(), *TABLES]),
    output:
        table="results/data/availability.csv",
    log:
        "results/logs/data/report_availability.log",
    benchmark:
        "results/benchmarks/data/report_availability.tsv"
    localrule: True
    params:
        catalogue=[*CATALOGUE["datasets"], *TABLES],
        code=code_of("workflow.serving"),
    script:
        "../src/scripts/data/report_availability.py"
