"""Expressions of pruning functions: a terminal's name, a number, or (operator, argument ...).

A program is a pair. `L` gives the error rate of a node as a leaf, `S` that of its subtree; the node
becomes a leaf where n L <= n S. A new terminal or operator is one line in the tables below and, for
an operator, its case in `postfix_kernels.apply`.
"""

from functools import lru_cache

import numpy as np

from pinetum.pruning.evolution.kernels.postfix import DEEPEST as DEEPEST

# Names and meanings; the order is the index the kernels use.
LEAF_TERMINALS = {
    "n": "training cases at the node",
    "e": "those not of its majority class",
    "c": "those of its majority class",
}
TREE_TERMINALS = {
    "m": "mean rate of the children, weighted by their cases",
    "L": "the node's own rate as a leaf",
    "n": "training cases at the node",
    "e": "those not of its majority class",
    "E": "training errors of the subtree as pruned so far",
    "d": "depth of the node, 0 at the root",
    "u": "share of its training cases the unpruned tree gets wrong",
}
TERMINALS = {"L": tuple(LEAF_TERMINALS), "S": tuple(TREE_TERMINALS)}
# name -> arity, how Python writes it, how LaTeX writes it
OPERATORS = {
    "+": (2, "({} + {})", r"\left({} + {}\right)"),
    "-": (2, "({} - {})", r"\left({} - {}\right)"),
    "*": (2, "({} * {})", r"{} \cdot {}"),
    "/": (2, "({} / {})", r"\frac{{{}}}{{{}}}"),
    "tanh": (1, "tanh({})", r"\tanh\left({}\right)"),
    "sqrt": (1, "sqrt({})", r"\sqrt{{{}}}"),
    "exp": (1, "exp({})", r"e^{{{}}}"),
    "log": (1, "log({})", r"\ln\left({}\right)"),
}
OPERATOR_NAMES = tuple(OPERATORS)
MOST_NESTED = (
    200  # operators inside each other; the search makes programs of at most some fifty tokens
)
LARGEST_NUMBER = 10**300
COMMUTATIVE = ("+", "*")

Z = 0.69  # the published starting point's normal deviate


def wilson():
    """The naive error-based estimate, where the paper's search began."""
    f, z2 = ("/", "e", "n"), Z * Z
    spread = ("sqrt", ("+", ("/", ("*", f, ("-", 1.0, f)), "n"), ("/", z2 / 4, ("*", "n", "n"))))
    return ("/", ("+", ("+", f, ("/", z2 / 2, "n")), ("*", Z, spread)), ("+", 1.0, ("/", z2, "n")))


START = (wilson(), "m")


def size(expression) -> int:
    if isinstance(expression, tuple):
        return 1 + sum(size(part) for part in expression[1:])
    return 1


def program_size(program) -> int:
    return size(program[0]) + size(program[1])


def positions(expression):
    """Paths to all sub-expressions, the whole first."""
    found = [()]
    if isinstance(expression, tuple):
        for index, part in enumerate(expression[1:], start=1):
            found += [(index, *path) for path in positions(part)]
    return found


def at(expression, path):
    for index in path:
        expression = expression[index]
    return expression


def replaced(expression, path, new):
    if not path:
        return new
    head = path[0]
    return (*expression[:head], replaced(expression[head], path[1:], new), *expression[head + 1 :])


def constants(expression):
    """Paths of the numbers in an expression."""
    return [path for path in positions(expression) if isinstance(at(expression, path), float)]


@lru_cache(maxsize=100_000)
def need(expression) -> int:
    """Places of the stack that evaluation needs."""
    if not isinstance(expression, tuple):
        return 1
    return max(index + need(part) for index, part in enumerate(expression[1:]))


def postfix(expression, part):
    """(codes, numbers): below 100 a terminal's index, 100 a number, 101 + k the operator k."""
    codes, numbers = [], []

    def visit(node):
        if isinstance(node, tuple):
            for argument in node[1:]:
                visit(argument)
            codes.append(101 + OPERATOR_NAMES.index(node[0]))
            numbers.append(0.0)
        elif isinstance(node, float):
            codes.append(100)
            numbers.append(node)
        else:
            codes.append(TERMINALS[part].index(node))
            numbers.append(0.0)

    visit(expression)
    return np.array(codes, np.int16), np.array(numbers)


def python(expression) -> str:
    if isinstance(expression, tuple):
        return OPERATORS[expression[0]][1].format(*map(python, expression[1:]))
    return repr(expression) if isinstance(expression, float) else expression


def latex(expression) -> str:
    if isinstance(expression, tuple):
        return OPERATORS[expression[0]][2].format(*map(latex, expression[1:]))
    if isinstance(expression, float):
        text = f"{expression:.4g}"
        if "e" in text:
            mantissa, power = text.split("e")
            text = rf"{mantissa} \cdot 10^{{{int(power)}}}"
        return text if expression >= 0 else f"({text})"
    return expression


def as_json(expression):
    """Lists for tuples, so that JSON holds an expression."""
    return (
        [expression[0], *map(as_json, expression[1:])]
        if isinstance(expression, tuple)
        else expression
    )


def from_json(thing, part="L", depth=0):
    """The inverse of `as_json`; a damaged one, or one that no search can make, is refused with what
    is wrong.
    """
    if depth > MOST_NESTED:
        raise ValueError(f"operators are nested more than {MOST_NESTED} deep in {part}")
    if isinstance(thing, list):
        if not thing or not isinstance(thing[0], str) or thing[0] not in OPERATORS:
            raise ValueError(
                f"unknown operator {thing[:1]} in {part}; known are {', '.join(OPERATORS)}"
            )
        if len(thing) != OPERATORS[thing[0]][0] + 1:
            raise ValueError(
                f"operator {thing[0]} takes {OPERATORS[thing[0]][0]} arguments, not"
                f" {len(thing) - 1}"
            )
        expression = (thing[0], *(from_json(piece, part, depth + 1) for piece in thing[1:]))
        if depth == 0 and need(expression) > DEEPEST:
            raise ValueError(
                f"{part} needs {need(expression)} values at once; evaluation holds {DEEPEST}"
            )
        return expression
    if isinstance(thing, (int, float)) and not isinstance(thing, bool):
        if not -LARGEST_NUMBER <= thing <= LARGEST_NUMBER:
            text = (
                str(thing)
                if isinstance(thing, float) or abs(thing) < 10**20
                else "an integer of many digits"
            )
            raise ValueError(f"the number {text} in {part} is not between -1e300 and 1e300")
        return float(thing)
    if not isinstance(thing, str) or thing not in TERMINALS[part]:
        raise ValueError(
            f"unknown terminal {thing!r} in {part}; known are {', '.join(TERMINALS[part])}"
        )
    return thing


def evaluate(expression, values: dict):
    """Plain evaluation, the meaning the kernels must meet; NaN where mathematics has no answer."""
    with np.errstate(all="ignore"):
        return value_of(expression, values)


FUNCTIONS = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "tanh": np.tanh,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
}


def value_of(expression, values):
    if isinstance(expression, tuple):
        return FUNCTIONS[expression[0]](*(value_of(part, values) for part in expression[1:]))
    return np.float64(expression if isinstance(expression, float) else values[expression])
