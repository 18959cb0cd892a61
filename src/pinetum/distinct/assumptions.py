"""Which rules the enumeration is exact for."""


class UnsoundRules(ValueError):
    pass


def refuse_unsound(options) -> None:
    """Raise with the reason unless a node's split depends on the cases and on the offered features
    alone.

    Assumption 4.1: the split is the best offered feature by a quality that depends on the feature
    and the cases. Assumption 4.2: a leaf stays a leaf when fewer features are offered.
    """
    if options.average_gain:
        raise UnsoundRules(
            "average_gain: C4.5 asks for at least the average gain of the features on offer, so"
            " what a feature is worth depends on the others, which breaks Assumption 4.1; use a"
            " fixed min_gain instead"
        )
    if options.collapse:
        raise UnsoundRules(
            "collapse: a node becomes a leaf when the subtree below it errs no less, so a leaf may"
            " grow again when features are taken away, which breaks Assumption 4.2; grow without"
            " collapsing"
        )
    if not options.keeps_assumptions:
        raise UnsoundRules("these options do not keep Assumptions 4.1 and 4.2 of the enumeration")
