rule report_availability:
    output:
        table="results/data/availability.csv",
    log:
        "results/logs/data/availability.log",
    benchmark:
        "results/benchmarks/data/availability.tsv"
    localrule: True
    shell:
        "echo dataset,source,sha256,cases,features,classes,missing,status > {output.table} 2> {log}"
