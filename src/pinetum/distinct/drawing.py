"""A picture of near-optimal trees: what all of them need, and where they disagree."""

import numpy as np

NEEDED, SHARED = "#D55E00", "#0072B2"


def plot_near_optimal(near, most=20):
    """Draw the share of the near-optimal trees that use each feature, and that misclassify each
    search case.

    Left the features, most used first, indispensable ones in their own colour. Right the cases in
    order of the share of the `members` that get them wrong: at 0 and 100 % the trees agree, between
    them equally good trees do not.

    Parameters
    ----------
    near : NearOptimal
    most : int, default 20
        Features shown.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> from pinetum.distinct.near_optimal import near_optimal_trees
    >>> figure = plot_near_optimal(near_optimal_trees(sample(missing=False), extra=0.05))
    >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
    ['z', 'x', 'w']
    """
    from matplotlib.figure import Figure

    used = sorted((f for f, n in enumerate(near.uses) if n > 0), key=lambda f: (-near.uses[f], f))
    shown = used[:most][::-1]
    wrong = np.sort(near.misclassified()[1])
    figure = Figure(figsize=(7.2, max(2.2, 0.7 + 0.18 * len(shown))), layout="constrained")
    left, right = figure.subplots(1, 2)
    colours = [NEEDED if near.uses[f] == near.trees else SHARED for f in shown]
    left.barh(
        range(len(shown)),
        [100 * near.uses[f] / near.trees for f in shown],
        color=colours,
        height=0.7,
    )
    left.set_yticks(range(len(shown)), [near.feature_names[f] for f in shown])
    left.set_xlim(0, 100)
    part = f" ({len(shown)} of {len(used)} features)" if len(used) > len(shown) else ""
    left.set_xlabel(f"trees that use it, %{part}")
    left.set_title(f"{near.trees:,} near-optimal {'tree' if near.trees == 1 else 'trees'}")
    right.step(range(1, len(wrong) + 1), 100 * wrong, where="mid", color=SHARED)
    right.set_ylim(-2, 102)
    right.set_xlabel("search cases, in order")
    right.set_ylabel("trees that misclassify it, %")
    undecided = np.count_nonzero((wrong > 0) & (wrong < 1))
    right.set_title(
        f"{len(near.members):,} of them disagree on {undecided:,} of {len(wrong):,} cases"
    )
    return figure
