from snakemake.utils import min_version

min_version("9.27")


configfile: "config/config.yaml"


container: "envs/pinetum.sif"  # only with --sdm apptainer; built from envs/Containerfile


include: "rules/common.smk"
include: "rules/kernels.smk"
include: "rules/data.smk"
include: "rules/induction.smk"
include: "rules/distinct.smk"
include: "rules/elimination.smk"
include: "rules/pruning.smk"
include: "rules/pruning_evolution.smk"
include: "rules/nbdt.smk"
include: "rules/greedy_dp.smk"
include: "rules/separators.smk"
include: "rules/report.smk"


rule all:
    default_target: True
    input:
        "results/data/availability.csv",
        products_of("induction", *STUDIES),
        report_of(),


rule induction:
    input:
        products_of("induction"),


rule distinct:
    input:
        products_of("distinct"),


rule elimination:
    input:
        products_of("elimination"),


rule pruning:
    input:
        products_of("pruning"),


rule nbdt:
    input:
        products_of("nbdt"),


rule greedy_dp:
    input:
        products_of("greedy_dp"),


rule separators:
    input:
        products_of("separators"),
