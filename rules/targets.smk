# Made from the list of studies by `python tools/documents.py`: one target per study.


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
