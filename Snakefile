from snakemake.utils import min_version

min_version("9.27")


include: "rules/common.smk"


container: str(HERE / "envs/pinetum.sif")  # only with --sdm apptainer; built from envs/Containerfile


include: "rules/kernels.smk"
include: "rules/data.smk"
include: "rules/tables.smk"
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
    """every study at its paper's own size, the comparison with the published numbers, the report page"""
    default_target: True
    input:
        "results/data/availability.csv",
        products_of(*STUDIES),
        report_of(),


rule induction:
    """the growers that all studies share: size, error and speed of trees"""
    input:
        products_of("induction"),


rule distinct:
    """all and only the distinct trees over feature subsets; the best subset, proved"""
    input:
        products_of("distinct"),


rule elimination:
    """backward elimination of features with the selection of the black box, many times faster"""
    input:
        products_of("elimination"),


rule pruning:
    """pruning functions compared, and found by program search"""
    input:
        products_of("pruning"),


rule nbdt:
    """fixed-depth trees that are optimal under Naive Bayes"""
    input:
        products_of("nbdt"),


rule greedy_dp:
    """sixteen greedy heuristics against exact minima of five costs"""
    input:
        products_of("greedy_dp"),


rule separators:
    """linear decisions with as few features as possible"""
    input:
        products_of("separators"),
