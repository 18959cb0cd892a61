from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


include: "rules/common.smk"
include: "rules/data.smk"
include: "rules/induction.smk"
include: "rules/distinct.smk"
include: "rules/elimination.smk"
include: "rules/pruning.smk"
include: "rules/nbdt.smk"
include: "rules/greedy_dp.smk"
include: "rules/separators.smk"
include: "rules/report.smk"


rule all:
    default_target: True
    localrule: True
    input:
        "results/data/availability.csv",
        products_of("induction", *ROOMS),


rule induction:
    localrule: True
    input:
        products_of("induction"),


rule distinct:
    localrule: True
    input:
        products_of("distinct"),


rule elimination:
    localrule: True
    input:
        products_of("elimination"),


rule pruning:
    localrule: True
    input:
        products_of("pruning"),


rule nbdt:
    localrule: True
    input:
        products_of("nbdt"),


rule greedy_dp:
    localrule: True
    input:
        products_of("greedy_dp"),


rule separators:
    localrule: True
    input:
        products_of("separators"),
