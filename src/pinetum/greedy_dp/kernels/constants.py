"""Order of the costs and of the heuristics: every way to fold a measure over the branches with
every measure.
"""

KINDS = ("sum", "max", "w_sum", "w_max")
MEASURES = ("ent", "gini", "me", "rt")

N_MEASURES = len(MEASURES)
N_HEURISTICS = len(KINDS) * N_MEASURES

PATH, DEPTH, NODES, NONTERMINALS, TERMINALS = range(5)
