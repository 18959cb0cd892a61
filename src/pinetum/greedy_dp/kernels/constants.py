"""The heuristics: every way to fold a measure over the branches with every measure of their uncertainty."""

KINDS = ("sum", "max", "w_sum", "w_max")
MEASURES = ("ent", "gini", "me", "rt")
HEURISTICS = tuple((kind, measure) for kind in KINDS for measure in MEASURES)

N_MEASURES = len(MEASURES)
N_HEURISTICS = len(HEURISTICS)
