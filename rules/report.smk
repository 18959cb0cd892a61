# What the numbers of all studies come to: comparison, pictures, page, provenance.


rule compare_numbers:
    """every published number beside ours, with its verdict"""
    input:
        compared=[file for study in STUDIES for file in compared_files(study)],
    output:
        comparison=report(
            "results/comparison.csv",
            caption=str(HERE / "config/contents/comparison.rst"),
            category="all",
            labels={"table": "all numbers"},
        ),
        counts="results/verdicts.csv",
    log:
        "results/logs/report/compare_numbers.log",
    benchmark:
        "results/benchmarks/report/compare_numbers.tsv"
    localrule: True
    params:
        code=code_of("report.comparison"),
    script:
        "../src/scripts/report/compare_numbers.py"


rule draw_agreement:
    """the picture of every published number against ours, and the distribution of their z"""
    input:
        comparison="results/comparison.csv",
        readings=[file for study in STUDIES for file in readings_files(study)],
    output:
        numbers="results/report/numbers.png",
        z="results/report/z.png",
        readings="results/report/readings.png",
        table="results/report/z.csv",
        vector=vector_forms(
            "results/report/numbers.png", "results/report/z.png", "results/report/readings.png"
        ),
    log:
        "results/logs/report/draw_agreement.log",
    benchmark:
        "results/benchmarks/report/draw_agreement.tsv"
    localrule: True
    params:
        code=code_of("report.figures"),
    script:
        "../src/scripts/report/draw_agreement.py"


rule write_page:
    """the report's front page, a page per paper, and the register of deviations"""
    input:
        products_of(*STUDIES),
        comparison="results/comparison.csv",
        availability="results/data/availability.csv",
        numbers="results/report/numbers.png",
        z="results/report/z.png",
        readings="results/report/readings.png",
        z_table="results/report/z.csv",
    output:
        **{name: f"results/report/{name}.html" for name in PAPERS},
        page="results/report/index.html",
        deviations="results/report/deviations.md",
    log:
        "results/logs/report/write_page.log",
    benchmark:
        "results/benchmarks/report/write_page.tsv"
    localrule: True
    params:
        seed=config["seed"],
        names=names_of(used_datasets()),
        contents=CONTENTS,
        papers=PAPERS,
        changed=changed_in(*STUDIES),
        code=code_of("report.page"),
    script:
        "../src/scripts/report/write_page.py"


rule write_provenance:
    """versions, commit, machine, seed, configuration, and where every data set came from with its checksum"""
    input:
        sources=sources_of([*used_datasets(), *TABLES]),
    output:
        provenance="results/provenance.json",
    log:
        "results/logs/report/write_provenance.log",
    benchmark:
        "results/benchmarks/report/write_provenance.tsv"
    localrule: True
    params:
        config=config,
        kernels={name: kernels_of(name) for name, part in PARTS.items() if part.compiles},
        code=code_of("report.provenance"),
    script:
        "../src/scripts/report/write_provenance.py"


rule write_crate:
    """what every file of the run is, what made it and what it came from, as an RO-Crate: an archive of results/"""
    input:
        products_of(*STUDIES),
        comparison="results/comparison.csv",
        page="results/report/index.html",
        provenance="results/provenance.json",
    output:
        crate="results/ro-crate-metadata.json",
    log:
        "results/logs/report/write_crate.log",
    benchmark:
        "results/benchmarks/report/write_crate.tsv"
    localrule: True
    params:
        contents=CONTENTS,
        code=code_of("report.crate"),
    script:
        "../src/scripts/report/write_crate.py"
