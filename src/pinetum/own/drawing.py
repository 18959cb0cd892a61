"""A tree for a page: as a nested list that reads at any width, and as a drawing for wide screens.

Leaves beside each other that answer the same are shown as one group, so that a column of many
values does not become as many lines.
"""

from dataclasses import dataclass
from html import escape

import numpy as np

from pinetum.trees.text import number

COLOURS = 6  # classes with a colour of their own, the most frequent first
DRAWN = 16  # groups, and
DEEP = 4  # levels, that the drawing has room for
LISTED = 60  # groups that are listed; of a larger tree the upper levels
UPPER = 3
NAMED = 4  # values of a branch that are named
ROW, TOP, LEFT, RIGHT, BAR, WIDTH = 46, 30, 110, 830, 98, 1158  # of the drawing, in pixels


@dataclass(frozen=True)
class Node:
    counts: np.ndarray
    label: int
    asks: str = ""
    branches: tuple = ()  # (text, Node)
    groups: int = 1
    depth: int = 0

    @property
    def cases(self) -> float:
        return float(self.counts.sum())


def shape_of(tree, node=0, most=None) -> Node:
    """The tree below a node; below `most` levels it is cut off."""
    counts, label = tree.counts[node], int(tree.label[node])
    if tree.feature[node] < 0:
        return Node(counts, label)
    below = [shape_of(tree, int(child), most and most - 1) for child in tree.branches(node)]
    feature = int(tree.feature[node])
    name, values = str(tree.feature_names[feature]), tree.values[feature]
    if values is None:
        cut = number(tree.threshold[node])
        parts = list(zip((f"≤ {cut}", f"> {cut}"), below, strict=True))
    else:
        parts = grouped(values, below)
    groups, depth = sum(part.groups for _, part in parts), 1 + max(part.depth for _, part in parts)
    shown = () if most == 0 else tuple(parts)
    return Node(counts, label, name, shown, groups, depth)


def grouped(values, below) -> list:
    """(values, subtree) per branch; leaves of one answer together."""
    found: dict = {}
    for place, (value, node) in enumerate(zip(values, below, strict=True)):
        found.setdefault(place if node.asks else f"leaf {node.label}", []).append((value, node))
    parts = []
    for members in found.values():
        names, nodes = zip(*members, strict=True)
        one = nodes[0]
        if len(nodes) > 1:
            one = Node(np.sum([node.counts for node in nodes], axis=0), one.label)
        parts.append((either(names), one))
    return parts


def either(names) -> str:
    names = [str(name) for name in names]
    if len(names) > NAMED:
        return f"{', '.join(names[: NAMED - 1])} or {len(names) - NAMED + 1} other values"
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def ranks_of(counts) -> np.ndarray:
    """Colour of every class: 0 for the most frequent one."""
    ranks = np.empty(len(counts), dtype=int)
    ranks[np.argsort(-np.asarray(counts), kind="stable")] = np.arange(len(counts))
    return np.minimum(ranks, COLOURS - 1)


def tree_as_html(tree, counts) -> str:
    """A list, and where there is room a drawing; `counts` of the classes give the colours."""
    whole = shape_of(tree)
    cut = whole.groups > LISTED
    root = shape_of(tree, most=UPPER) if cut else whole
    names, ranks = [str(name) for name in tree.class_names], ranks_of(counts)
    drawn = whole.groups <= DRAWN and 0 < whole.depth <= DEEP
    listed = f'<ul class="tree">{list_items(root, names, ranks)}</ul>'
    if not root.branches:
        listed = f'<div class="tree">{leaf_html(root, names, ranks)}</div>'
    if cut:
        listed += f"<p>The upper {UPPER} levels of a tree of {whole.groups:,} groups.</p>"
    if not drawn:
        return f'<div class="treelist alone">{listed}</div>'
    return f'{drawing(whole, names, ranks)}<div class="treelist">{listed}</div>'


def list_items(node, names, ranks) -> str:
    items = []
    for text, child in node.branches:
        if child.branches:
            inside = f"<ul>{list_items(child, names, ranks)}</ul>"
        else:
            inside = leaf_html(child, names, ranks)
        items.append(f"<li><code>{escape(node.asks)}</code> {escape(text)}{inside}</li>")
    return "".join(items)


def leaf_html(node, names, ranks) -> str:
    share = node.counts[node.label] / node.cases if node.cases else 0
    says = (
        f"{cases(node)}, {100 * share:.0f} % {escape(names[node.label])}"
        if node.cases
        else "no case"
    )
    more = f"; {node.groups} groups below" if node.asks else ""
    return (
        f'<div class="leaf"><b class="t{ranks[node.label]}">{escape(names[node.label])}</b>'
        f"{bar_html(node.counts, ranks)}<small>{says}{more}</small></div>"
    )


def cases(node) -> str:
    rounded = round(node.cases)
    return f"{rounded:,} case{'s' * (rounded != 1)}"


def bar_html(counts, ranks) -> str:
    total = float(np.sum(counts)) or 1.0
    parts = "".join(
        f'<i class="c{rank}" style="width:{100 * count / total:.1f}%"></i>'
        for count, rank in zip(counts, ranks, strict=True)
        if count
    )
    return f'<span class="bar" aria-hidden="true">{parts}</span>'


# -------------------------------------------------------------------------------------------------
# the drawing


def drawing(root, names, ranks) -> str:
    """Bands from left to right, as thick as the cases are many; at their ends the answers."""
    height = TOP + ROW * root.groups
    step = (RIGHT - 20) / root.depth
    lines, boxes, texts, row = [], [], [], [0]

    def place(node, depth):
        """Draws what is below a node; gives the height at which it stands."""
        if not node.branches:
            row[0] += 1
            return TOP + ROW * (row[0] - 0.5)
        below = [(text, child, place(child, depth + 1)) for text, child in node.branches]
        y = sum(at for *_, at in below) / len(below)
        x, end = 2 + step * depth, 2 + step * depth + LEFT
        for text, child, at in below:
            thick = max(1.2, 36 * child.cases / max(root.cases, 1))
            to = RIGHT if not child.branches else 2 + step * (depth + 1)
            turn = 2 + step * (depth + 1)
            middle = (end + turn) / 2
            lines.append(
                f'<path d="M{end:.0f} {y:.1f}C{middle:.0f} {y:.1f} {middle:.0f} {at:.1f}'
                f' {turn:.0f} {at:.1f}H{to:.0f}" stroke-width="{thick:.1f}"'
                f' class="s{ranks[child.label] if not child.branches else 0}"/>'
            )
            above = at - max(9, thick / 2 + 4)
            room = max(9, int((step - LEFT - 10) / 7))
            texts.append(
                f'<text x="{turn - 6:.0f}" y="{above:.1f}" text-anchor="end" class="on">'
                f"{escape(shortened(text, room))}</text>"
            )
        boxes.append(
            f'<rect x="{x:.0f}" y="{y - 14:.1f}" width="{LEFT}" height="28" rx="3" class="box"/>'
            f'<text x="{x + LEFT / 2:.0f}" y="{y + 4.5:.1f}" text-anchor="middle" class="b">'
            f"{escape(shortened(node.asks, 14))}</text>"
        )
        return y

    place(root, 0)
    ends = "".join(
        answer(leaf, TOP + ROW * (number_ + 0.5), names, ranks)
        for number_, leaf in enumerate(leaves_of(root))
    )
    head = (
        f'<text x="{RIGHT + 8}" y="14" class="s">answer</text>'
        f'<text x="{WIDTH - 80}" y="14" text-anchor="end" class="s">right</text>'
        f'<text x="{WIDTH - 2}" y="14" text-anchor="end" class="s">cases</text>'
    )
    return (
        f'<svg class="treewide" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img"'
        f' aria-label="The tree of {root.groups} groups; the same stands as a list">'
        f"{head}{''.join(lines)}{''.join(boxes)}{''.join(texts)}{ends}</svg>"
    )


def shortened(text, most) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def leaves_of(node) -> list:
    if not node.branches:
        return [node]
    return [leaf for _, child in node.branches for leaf in leaves_of(child)]


def answer(leaf, y, names, ranks) -> str:
    name = names[leaf.label]
    parts, x = [], RIGHT + 100
    for count, rank in zip(leaf.counts, ranks, strict=True):
        wide = BAR * count / max(leaf.cases, 1e-9)
        if wide:
            place = f'x="{x:.1f}" y="{y - 8:.1f}" width="{wide:.1f}" height="16"'
            parts.append(f'<rect {place} class="f{rank}"/>')
            x += wide
    share = f"{100 * leaf.counts[leaf.label] / leaf.cases:.0f} %" if leaf.cases else ""
    return (
        f'<text x="{RIGHT + 8}" y="{y + 5:.1f}" class="b t{ranks[leaf.label]}">'
        f"{escape(shortened(name, 11))}</text>{''.join(parts)}"
        f'<text x="{WIDTH - 80}" y="{y + 5:.1f}" text-anchor="end">{share}</text>'
        f'<text x="{WIDTH - 2}" y="{y + 5:.1f}" text-anchor="end">{round(leaf.cases):,}</text>'
    )


# -------------------------------------------------------------------------------------------------
# marks on a scale


def intervals(rows) -> str:
    """Errors with their 95 % intervals on one scale: words, error, low, high, class of the mark."""
    top = max(1.0, *(high for *_, high, _ in rows))
    lines = []
    for place, (words, error, low, high, mark) in enumerate(rows):
        y = 17 + 30 * place

        def at(value):
            return 112 + 110 * value / top

        lines.append(
            f'<text x="0" y="{y + 4.5}">{escape(shortened(words, 15))}</text>'
            f'<line x1="{at(low):.1f}" x2="{at(high):.1f}" y1="{y}" y2="{y}" class="l {mark}"/>'
            f'<circle cx="{at(error):.1f}" cy="{y}" r="5" class="f {mark}"/>'
            f'<text x="360" y="{y + 4.5}" text-anchor="end">'
            f"{error:.1f} % ({low:.1f}–{high:.1f})</text>"
        )
    height = 30 * len(rows) + 6
    said = "; ".join(
        f"{words}: {error:.1f} % ({low:.1f} to {high:.1f})" for words, error, low, high, _ in rows
    )
    return (
        f'<svg class="dot" viewBox="0 0 360 {height}" width="360" role="img" aria-label="'
        f'{escape(said)}">{"".join(lines)}</svg>'
    )
