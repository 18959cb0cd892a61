"""Fixed-depth trees: optimal under Naive Bayes, for the data, and between the two.

naive_bayes   the model P(class), P(value | class), other priors, and tables made discrete for them
fixed_depth   the paper's trees: NBDT, OPTNBDT, branch and bound, the opt-feature list
splits        what may be asked of a table: candidate cuts, values, shares of missing cells, tests
between       the best tree for counts + n0 x prior, exact for every n0, and the choice of n0
estimators    NBDTClassifier
methods       registries: what the study compares, and the searches there are
kernels/      feature_lists (opt-feature list), fixed_depth and branch_and_bound (the paper's
              trees); cases (as bits), shares (of the prior), pairs and triples (trees of two and
              three tests at once), nodes, bounds, between (the search for any n0); bundles (what
              these are given)
study/        what is measured, summarised and drawn for the paper
"""
