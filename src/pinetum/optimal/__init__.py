"""The best tree of small depth over every cut of every number, proved.

columns      what may be asked of a table, as columns of codes; and its answer as a `Tree`
solver       the search: what a tree costs, limits, bound
estimators   OptimalTreeClassifier
kernels/     bundles (what kernels are given), sets (cases in the order of columns), lanes (64 cuts
             at once), pairs (two tests on a path), deeper (more), search
"""
