"""Backward elimination of features with the selection of the black box, many times faster.

backward     the paper's PSBE, and three slower ways to the same selection
paths        paths down to no feature, floating, forward and beam search, by any objective
estimators   BackwardElimination
kernels/     eliminate (the rounds), ranking (of the features at a node), records (of nodes that
             were seen), walks (trees as walks over records)
explore      a table of one's own
warm         compiles the kernels
replication/ the paper's experiments
"""
