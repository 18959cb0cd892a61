"""REP: reduced-error pruning (Quinlan 1987)."""


def reduced_error(trees, reading):
    """Trees of two thirds, pruned by their errors on the last third, judged by `probes`."""
    holdout = trees.holdout
    wrong = holdout.tests.sum(axis=1) - holdout.hits
    return holdout.pruned_by(wrong, hits=holdout.correct(holdout.probes, holdout.nodes.label))
