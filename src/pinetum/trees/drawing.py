"""A matplotlib drawing of a tree, laid out for 5 to 50 nodes.

Leaves stand in a row-by-row layout: a subtree takes the width its widest level needs (Reingold and
Tilford's contours), parents stand over the middle of their children. Empty leaves are left out of
the drawing and told as "no case" in one dashed box per parent, or every multiway tree would be
mostly air.
"""

import numpy as np

from pinetum.trees.text import branch_texts, number

PALETTE = (
    "#9ecae1",
    "#fdd49e",
    "#a1d9b5",
    "#e8c0dc",
    "#c6dbef",
    "#f5b7a0",
    "#d9d9d9",
    "#e3dc9b",
    "#c9bfe0",
    "#b5d6d6",
)


def class_colours(tree, palette=None) -> list[str]:
    """A light fill per class, the same for every drawing of the classes."""
    palette = PALETTE if palette is None else palette
    return [palette[c % len(palette)] for c in range(tree.n_classes)]


def shown_children(tree, node: int) -> list[tuple[list[int], list[str]]]:
    """Branches to draw, empty leaves of a node together as one."""
    groups: list[tuple[list[int], list[str]]] = []
    empty: tuple[list[int], list[str]] = [], []
    for child, text in zip(
        tree.branches(node), branch_texts(tree, node, lambda t: f"{t:.4g}"), strict=True
    ):
        if tree.totals[child] == 0:
            empty[0].append(int(child))
            empty[1].append(text)
        else:
            groups.append(([int(child)], [text]))
    if empty[0]:
        groups.append(empty)
    return groups


def layout(tree, width_of):
    """x (in points) and depth per drawn node; `width_of(node)` is how wide its box is."""
    order, stack = [], [0]
    drawn = {}
    while stack:
        node = stack.pop()
        order.append(node)
        drawn[node] = (
            [group[0] for group, _ in shown_children(tree, node)] if tree.feature[node] >= 0 else []
        )
        stack.extend(drawn[node])
    offset, contour = (
        {},
        {},
    )  # contour: per level below the (left, right) edges relative to the node
    for node in reversed(order):
        half = width_of(node) / 2
        children = drawn[node]
        if not children:
            contour[node] = [(-half, half)]
            continue
        placed, places = [], []
        for child in children:
            shift = 0.0
            for (_, right), (left, _) in zip(placed, contour[child], strict=False):
                shift = max(shift, right - left)
            places.append(shift)
            merged = []
            for level in range(max(len(placed), len(contour[child]))):
                here = [placed[level]] if level < len(placed) else []
                if level < len(contour[child]):
                    left, right = contour[child][level]
                    here.append((left + shift, right + shift))
                merged.append((min(e[0] for e in here), max(e[1] for e in here)))
            placed = merged
        middle = (places[0] + places[-1]) / 2
        for child, place in zip(children, places, strict=True):
            offset[child] = place - middle
        contour[node] = [
            (-half, half),
            *[(left - middle, right - middle) for left, right in placed],
        ]
    x, depth = {0: 0.0}, {0: 0}
    for node in order:
        for child in drawn[node]:
            x[child] = x[node] + offset[child]
            depth[child] = depth[node] + 1
    return x, depth, drawn


MOST_DRAWN = 80  # nodes of a drawing whose depth the caller left open


def part_to_draw(tree, max_depth: int | None):
    """The tree down to `max_depth`, and per node how many nodes below it are left out.

    Without a depth the deepest one that keeps the drawing legible.
    """
    if max_depth is None:
        empty = (tree.feature < 0) & (tree.totals == 0)
        drawn = np.cumsum(np.bincount(tree.node_depth[~empty], minlength=tree.depth + 1))
        max_depth = max(1, int(np.searchsorted(drawn, MOST_DRAWN, side="right")) - 1)
    ends = (tree.feature >= 0) & (tree.node_depth == max_depth)
    if not ends.any():
        return tree, np.zeros(tree.n_nodes, dtype=np.int64)
    kept = tree.node_depth <= max_depth
    below = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in np.flatnonzero(tree.feature >= 0)[
        ::-1
    ]:  # preorder: children come after their parent
        below[node] = (below[tree.branches(node)] + 1).sum()
    return tree.cut_back(ends), np.where(ends, below, 0)[kept]


def shortened(text: str, most: int = 24) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def edge_text(texts: list[str]) -> str:
    """Label of an edge; several values of empty branches are joined, at most three of them told."""
    values = [text.removeprefix("= ") for text in texts]
    joined = ", ".join(values[:3]) + (f" +{len(values) - 3}" if len(values) > 3 else "")
    return shortened(joined)


def node_texts(tree, hidden) -> list[str]:
    """What the box of every node says: its feature, or class and cases / errors."""
    texts = []
    for node in range(tree.n_nodes):
        name = shortened(tree.class_names[tree.label[node]])
        if tree.feature[node] >= 0:
            texts.append(shortened(tree.feature_names[tree.feature[node]]))
        elif tree.totals[node] == 0:
            texts.append(f"{name}\nno case")
        else:
            wrong = tree.totals[node] - tree.counts[node, tree.label[node]]
            cases = number(round(tree.totals[node], 1)) + (
                f" / {number(round(wrong, 1))}" if wrong > 0.05 else ""
            )
            texts.append(
                f"{name}\n{cases}" + (f"\n+ {hidden[node]:,} nodes" if hidden[node] else "")
            )
    return texts


def plot(
    tree,
    ax=None,
    *,
    max_depth: int | None = None,
    font_size=7.0,
    palette=None,
    max_width: float | None = None,
):
    """Draw into `ax` (a new figure of fitting size when None); gives the axes.

    max_depth: deeper nodes are left out, and the boxes they hang from say how many; None draws what
    stays legible. max_width: width in inches of a new figure, smaller drawings stay smaller. The
    text is not scaled.
    """
    import matplotlib.pyplot as plt

    colours = class_colours(tree, palette)
    tree, hidden = part_to_draw(tree, max_depth)
    letter = 0.62 * font_size  # points a letter takes, roughly
    texts, edges = node_texts(tree, hidden), {}
    for node in map(int, np.flatnonzero(tree.feature >= 0)):
        for group, labels in shown_children(tree, node):
            edges[group[0]] = edge_text(labels)
    boxes = [letter * max(map(len, text.split("\n"))) + 8 for text in texts]

    def width_of(node):
        return max(boxes[node], letter * len(edges.get(node, "")) * 0.92 + 4) + 7

    x, depth, drawn = layout(tree, width_of)
    left = min(x[n] - width_of(n) / 2 for n in x)
    right = max(x[n] + width_of(n) / 2 for n in x)
    level, box_height = 6.4 * font_size, 2.9 * font_size

    def height_of(node):
        return box_height * (0.64 if tree.feature[node] >= 0 else 1.4 if hidden[node] else 1.0)

    bottom = min(-depth[n] * level - height_of(n) / 2 for n in depth) - 3
    if ax is None:
        width, height = (right - left) / 72, (box_height / 2 + 3 - bottom) / 72
        scale = 1.0 if max_width is None else min(1.0, max_width / width)
        fig = plt.figure(figsize=(max(width * scale, 1.0), max(height, 0.6)))
        fig.set_layout_engine("none")
        ax = fig.add_axes((0, 0, 1, 1))
        font_size *= max(scale, 0.55)
    for node, children in drawn.items():
        y = -depth[node] * level
        for child in children:
            # An inner node's box is lower than a leaf's.
            top = y - box_height * (0.32 if tree.feature[node] >= 0 else 0.5)
            low = -depth[child] * level + box_height * (0.32 if tree.feature[child] >= 0 else 0.5)
            bus = y - box_height * 0.72
            draw_edge(
                ax,
                x[node],
                x[child],
                top,
                bus,
                low,
                edges[child],
                font_size,
                empty=tree.totals[child] == 0,
            )
    for node in drawn:
        inner = tree.feature[node] >= 0
        empty = not inner and tree.totals[node] == 0
        colour = "white" if inner or empty else colours[tree.label[node]]
        draw_box(
            ax,
            x[node],
            -depth[node] * level,
            boxes[node],
            height_of(node),
            texts[node],
            font_size,
            colour,
            inner,
            empty,
        )
    ax.set_xlim(left - 2, right + 2)
    ax.set_ylim(bottom, box_height / 2 + 3)
    ax.set_axis_off()
    return ax


def draw_edge(ax, x_above, x, top, bus, low, text, font_size, *, empty):
    """Down to a bus, along it, down to the child: labels stand over their child and never meet."""
    style = (0, (3, 2)) if empty else "-"
    ax.plot(
        [x_above, x_above, x, x],
        [top, bus, bus, low],
        color="#888888",
        linewidth=0.7,
        linestyle=style,
        zorder=1,
    )
    ax.text(
        x,
        (bus + low) / 2,
        text,
        ha="center",
        va="center",
        fontsize=font_size * 0.92,
        color="#333333",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        parse_math=False,
        zorder=2,
    )


def draw_box(ax, x, y, width, height, text, font_size, colour, inner, empty):
    """Round for a decision, square for a leaf, dashed for one without cases."""
    from matplotlib.patches import FancyBboxPatch

    ax.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=3" if inner else "square,pad=0",
            facecolor=colour,
            edgecolor="#444444",
            linewidth=0.7,
            linestyle="--" if empty else "-",
            zorder=3,
        )
    )
    ax.text(
        x,
        y,
        text,
        ha="center",
        va="center_baseline" if inner else "center",
        fontsize=font_size,
        fontweight="bold" if inner else "normal",
        zorder=4,
        linespacing=1.15,
        parse_math=False,
    )
