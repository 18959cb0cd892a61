# Other libraries beside this one: an environment per group of packages that fit together, then one job per question.
# They are timed: on a machine with other work give this target fewer cores than it has.


rule make_peer_environment:
    """the environment of a group of rivals: conda's (`--sdm conda`), else one of its pins; a failure is a record"""
    input:
        requirements=source_file("benchmarks/envs/{group}.txt"),
    output:
        record="results/peers/environments/{group}.json",
        folder=directory(".snakemake/peers/{group}"),
    log:
        "results/logs/peers/environments/{group}.log",
    benchmark:
        "results/benchmarks/peers/environments/{group}.tsv"
    wildcard_constraints:
        group="|".join(GROUPS),
    localrule: True
    conda:
        "../envs/{group}.yaml"
    threads: 1
    resources:
        mem_mb=memory(2000),
        runtime=minutes(60),
    params:
        code=pinetum.sources.script_digest(PACKAGE_OF_BENCHMARKS / "peers/environments.py"),
        python=sys.executable,  # ours, for conda's has nothing of ours
    shell:
        "{params.python:q} -m pinetum_benchmarks.peers.environments"
        " {wildcards.group} {input.requirements:q} {output.folder:q} {output.record:q} > {log:q} 2>&1"


rule measure_peers:
    """one question asked of all contestants: the same tables, in turns, on one thread each"""
    input:
        kernels=lambda wildcards: compiled(*QUESTIONS[wildcards.question].stands_on),
        environments=lambda wildcards: [
            f"results/peers/environments/{group}.json" for group in groups_of(wildcards.question)
        ],
        data=lambda wildcards: encoded(
            MEASURED["peers"]["questions"][wildcards.question]["datasets"]
        ),
        catalogue=source_file("config/catalogue.yaml"),
    output:
        records="results/peers/{question}.csv",
    log:
        "results/logs/peers/{question}.log",
    benchmark:
        "results/benchmarks/peers/{question}.tsv"
    wildcard_constraints:
        question="|".join(QUESTIONS),
    threads: 1
    resources:
        mem_mb=memory(MEASURED["peers"]["memory_mb"] + 2000),
        runtime=minutes(120),
    params:
        settings=lambda wildcards: only(
            MEASURED["peers"], "repeats", "memory_mb", "folds", "inner_folds", "leave_out"
        )
        | MEASURED["peers"]["questions"][wildcards.question],
        views=lambda wildcards: views_of(
            MEASURED["peers"]["questions"][wildcards.question]["datasets"]
        ),
        seed=config["seed"],
        code=code_of_part("peers"),
    script:
        "../scripts/peers/measure_peers.py"


rule summarise_peers:
    """every rival beside ours: ratio of times, differences of errors or sizes, tests and effect sizes, where it gave up"""
    input:
        records=expand("results/peers/{question}.csv", question=MEASURED["peers"]["asked"]),
    output:
        summary="results/peers/summary.csv",
        forms="results/peers/forms.csv",
        friedman="results/peers/friedman.csv",
        limits="results/peers/limits.csv",
    log:
        "results/logs/peers/summarise.log",
    benchmark:
        "results/benchmarks/peers/summarise.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of_part("peers"),
    script:
        "../scripts/peers/summarise_peers.py"


rule draw_peers:
    """a picture per question and one of all of them"""
    input:
        records=expand("results/peers/{question}.csv", question=MEASURED["peers"]["asked"]),
        summary="results/peers/summary.csv",
    output:
        questions=expand(
            "results/figures/peers/{question}.png", question=MEASURED["peers"]["asked"]
        ),
        overview="results/figures/peers/overview.png",
        vector=vector_forms(
            *expand("results/figures/peers/{question}.png", question=MEASURED["peers"]["asked"]),
            "results/figures/peers/overview.png",
        ),
    log:
        "results/logs/peers/draw.log",
    benchmark:
        "results/benchmarks/peers/draw.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        code=code_of_part("peers"),
    script:
        "../scripts/peers/draw_peers.py"


rule write_peers_page:
    """the page on rivals, made of the tables: where each is ahead of us and where not"""
    input:
        summary="results/peers/summary.csv",
        forms="results/peers/forms.csv",
        friedman="results/peers/friedman.csv",
        limits="results/peers/limits.csv",
        questions=expand(
            "results/figures/peers/{question}.png", question=MEASURED["peers"]["asked"]
        ),
        overview="results/figures/peers/overview.png",
    output:
        page="results/peers/index.md",
    log:
        "results/logs/peers/write_page.log",
    benchmark:
        "results/benchmarks/peers/write_page.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        settings=MEASURED["peers"],
        code=code_of_part("peers"),
    script:
        "../scripts/peers/write_peers_page.py"


rule update_peers_page:
    """the page put among the notes, its figures into the documentation"""
    input:
        page="results/peers/index.md",
        figures=expand(
            "results/figures/peers/{name}.png",
            name=["overview", *MEASURED["peers"]["asked"]],
        ),
    output:
        touch("results/peers/page_updated"),
    log:
        "results/logs/peers/update_page.log",
    benchmark:
        "results/benchmarks/peers/update_page.tsv"
    localrule: True
    threads: 1
    resources:
        mem_mb=memory(1000),
        runtime=minutes(10),
    params:
        page=HERE / "notes/peers.md",
        folder=HERE / "docs/figures",
    script:
        "../scripts/peers/update_peers_page.py"


rule peers:
    """other libraries beside this one, measured on this machine"""
    input:
        "results/peers/index.md",
    localrule: True
