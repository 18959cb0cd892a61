"""Drawings of several trees on one sheet."""

import matplotlib.pyplot as plt

from pinetum.report import style


def draw_in_columns(trees):
    """A figure of pairs (title, tree) in two columns; without any, it says so."""
    sizes = []
    for _, tree in trees:  # a first drawing tells how much room each needs
        ax = tree.plot()
        sizes.append(ax.figure.get_size_inches())
        plt.close(ax.figure)
    if not trees:
        fig, ax = style.figure(1, 1.0)
        ax.set_axis_off()
        ax.text(0.5, 0.5, "no data", ha="center")
        return fig
    title = 0.3
    wide = max(size[0] for size in sizes)
    below = [0.0, 0.0]  # two columns, filled from the top; each tree goes to the shorter one
    places = []
    for _, size in zip(trees, sizes, strict=True):
        column = int(below[1] < below[0])
        places.append((column, below[column]))
        below[column] += size[1] + title
    width, height = wide * (2 if below[1] else 1), max(below)
    fig = plt.figure(figsize=(width, height))
    fig.set_layout_engine("none")
    for (name, tree), size, (column, above) in zip(trees, sizes, places, strict=True):
        left, bottom = column * wide, height - above - title - size[1]
        fig.text(
            (left + 0.1) / width,
            (height - above - 0.26) / height,
            name,
            fontsize=9,
            fontweight="bold",
        )
        left += (wide - size[0]) / 2
        tree.plot(fig.add_axes([left / width, bottom / height, size[0] / width, size[1] / height]))
    return fig
