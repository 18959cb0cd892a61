"""Trees as indented text and as Graphviz dot text."""

from pinetum.visible import one_line


def number(value: float) -> str:
    """Shortest text of a number: no trailing zeros, six digits."""
    return f"{value:.6g}"


def branch_texts(tree, node: int, digits=number) -> list[str]:
    """What each branch of a node asks, e.g. "<= 0.5" or "= red"."""
    feature = tree.feature[node]
    values = tree.values[feature]
    if values is None:
        return [f"<= {digits(tree.threshold[node])}", f"> {digits(tree.threshold[node])}"]
    return [f"= {value}" for value in values]


def leaf_text(tree, node: int) -> str:
    """Class and, as C4.5 prints them, weight and errors of a leaf."""
    name = tree.class_names[tree.label[node]]
    total = tree.totals[node]
    wrong = total - tree.counts[node, tree.label[node]]
    return f"{name} ({number(round(total, 3))}" + (
        f"/{number(round(wrong, 3))})" if wrong > 5e-4 else ")"
    )


def to_text(tree, max_depth: int | None = None) -> str:
    """One line per branch; a leaf shows its class and (cases/errors)."""
    if tree.feature[0] < 0:
        return one_line(leaf_text(tree, 0)) + "\n"
    lines = []
    stack = [(0, 0, "")]
    while stack:
        node, depth, test = stack.pop()
        indent = "|   " * (depth - 1)
        if tree.feature[node] < 0:
            lines.append(f"{indent}{test}: {leaf_text(tree, node)}")
            continue
        if node:
            lines.append(f"{indent}{test}:")
        if max_depth is not None and depth >= max_depth:
            lines.append(f"{'|   ' * depth}...")
            continue
        name = tree.feature_names[tree.feature[node]]
        pairs = zip(tree.branches(node), branch_texts(tree, node), strict=True)
        stack += [
            (int(child), depth + 1, f"{name} {text}") for child, text in reversed(list(pairs))
        ]
    return "\n".join(map(one_line, lines)) + "\n"


def quoted(text: str) -> str:
    """A Graphviz string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def to_dot(tree, palette=None) -> str:
    """Graphviz text: boxes are leaves, filled by class; edges carry the tests."""
    from pinetum.trees.drawing import class_colours

    colours = class_colours(tree, palette)
    lines = [
        "digraph tree {",
        '  node [fontname="DejaVu Sans", fontsize=10];',
        '  edge [fontname="DejaVu Sans", fontsize=9];',
    ]
    for node in range(tree.n_nodes):
        if tree.feature[node] < 0:
            empty = (
                ", style=dashed"
                if tree.totals[node] == 0
                else f', style=filled, fillcolor="{colours[tree.label[node]]}"'
            )
            lines.append(f"  {node} [shape=box, label={quoted(leaf_text(tree, node))}{empty}];")
            continue
        lines.append(
            f"  {node} [shape=ellipse, label={quoted(tree.feature_names[tree.feature[node]])}];"
        )
        for child, text in zip(tree.branches(node), branch_texts(tree, node), strict=True):
            lines.append(f"  {node} -> {child} [label={quoted(text)}];")
    return "\n".join([*lines, "}"]) + "\n"
