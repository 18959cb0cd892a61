"""Ways to change a program.

Each takes (random, expression, part, donor) and gives a new expression.

A new way is a function and its weight in OPERATORS_OF_SEARCH. Random numbers come from Python's
generator: millions of single draws are what it is quick at, and its state can be written into a
checkpoint.
"""

import math

from pinetum.pruning.evolution.expressions import (
    COMMUTATIVE,
    OPERATORS,
    TERMINALS,
    at,
    constants,
    evaluate,
    positions,
    replaced,
)

BINARY = tuple(name for name, (arity, *_) in OPERATORS.items() if arity == 2)
UNARY = tuple(name for name, (arity, *_) in OPERATORS.items() if arity == 1)
LARGEST_NUMBER = 1e6


def random_number(random):
    return round(math.exp(random.gauss(0.0, 1.0)) * (1 if random.random() < 0.9 else -1), 4)


def random_leaf(random, part):
    return random_number(random) if random.random() < 0.4 else random.choice(TERMINALS[part])


def random_expression(random, part, size):
    if size <= 1:
        return random_leaf(random, part)
    if size == 2 or random.random() < 0.25:
        return (random.choice(UNARY), random_expression(random, part, size - 1))
    left = random.randint(1, size - 2)
    return (
        random.choice(BINARY),
        random_expression(random, part, left),
        random_expression(random, part, size - 1 - left),
    )


def any_position(random, expression):
    return random.choice(positions(expression))


def change_subtree(random, expression, part, donor):
    return replaced(
        expression,
        any_position(random, expression),
        random_expression(random, part, random.randint(1, 5)),
    )


def wrap(random, expression, part, donor):
    """Put an operator above a sub-expression."""
    path = any_position(random, expression)
    inside = at(expression, path)
    if random.random() < 0.3:
        return replaced(expression, path, (random.choice(UNARY), inside))
    other = random_expression(random, part, random.choice((1, 1, 1, 2, 3)))
    pair = (inside, other) if random.random() < 0.5 else (other, inside)
    return replaced(expression, path, (random.choice(BINARY), *pair))


def add_term(random, expression, part, donor):
    """Add a product or quotient of two terminals to a sub-expression, to the whole in every other
    case.

    `wrap` makes such terms once in many thousand steps; a charge that grows with what a terminal
    measures is one of them.
    """
    path = () if random.random() < 0.5 else any_position(random, expression)
    term = (
        random.choice(("*", "/")),
        random.choice(TERMINALS[part]),
        random.choice(TERMINALS[part]),
    )
    if random.random() < 0.5:
        term = ("*", random_number(random), term)
    return replaced(expression, path, (random.choice(("+", "-")), at(expression, path), term))


def hoist(random, expression, part, donor):
    """Put a sub-expression in the place of one that contains it."""
    inner = [path for path in positions(expression) if isinstance(at(expression, path), tuple)]
    if not inner:
        return random_leaf(random, part)
    path = random.choice(inner)
    inside = at(expression, path)
    return replaced(expression, path, at(inside, random.choice(positions(inside)[1:])))


def change_operator(random, expression, part, donor):
    inner = [path for path in positions(expression) if isinstance(at(expression, path), tuple)]
    if not inner:
        return random_leaf(random, part)
    path = random.choice(inner)
    node = at(expression, path)
    return replaced(
        expression, path, (random.choice(UNARY if len(node) == 2 else BINARY), *node[1:])
    )


def change_leaf(random, expression, part, donor):
    leaves = [path for path in positions(expression) if not isinstance(at(expression, path), tuple)]
    return replaced(expression, random.choice(leaves), random_leaf(random, part))


def change_constants(random, expression, part, donor):
    """Move one number, or all of them, a little or a lot."""
    places = constants(expression)
    if not places:
        return change_leaf(random, expression, part, donor)
    step = random.choice((0.03, 0.1, 0.3, 1.0))
    for path in places if random.random() < 0.3 else [random.choice(places)]:
        value = at(expression, path)
        value = value * math.exp(random.gauss(0.0, step)) + random.gauss(0.0, 0.01 * step)
        expression = replaced(expression, path, bounded(value))
    return expression


def cross(random, expression, part, donor):
    """Take a sub-expression of another program."""
    return replaced(
        expression, any_position(random, expression), at(donor, any_position(random, donor))
    )


def rewrite(random, expression, part, donor):
    """Change the form and not the meaning, so that other changes find new neighbours.

    Then change a little.
    """
    path = any_position(random, expression)
    expression = replaced(expression, path, reformed(random, at(expression, path)))
    return random.choice((change_constants, change_leaf, change_operator))(
        random, expression, part, donor
    )


def reformed(random, node):
    if not isinstance(node, tuple):
        return random.choice((("*", 1.0, node), ("+", 0.0, node)))
    name = node[0]
    if name in COMMUTATIVE and random.random() < 0.5:
        return (name, node[2], node[1])
    match node:
        case ("*", a, ("+" | "-" as inner, b, c)):
            return (inner, ("*", a, b), ("*", a, c))
        case ("/", ("+" | "-" as inner, a, b), c):
            return (inner, ("/", a, c), ("/", b, c))
        case ("/", ("/", a, b), c):
            return ("/", a, ("*", b, c))
        case ("-", a, b):
            return ("+", a, ("*", -1.0, b))
        case ("/", a, b):
            return ("*", a, ("/", 1.0, b))
        case (("+" | "*") as outer, (inner, a, b), c) if inner == outer:
            return (outer, a, (outer, b, c))
    return node


OPERATORS_OF_SEARCH = {
    change_constants: 30,
    change_subtree: 20,
    wrap: 20,
    add_term: 20,
    hoist: 10,
    cross: 15,
    change_operator: 5,
    change_leaf: 10,
    rewrite: 10,
}
ORDER = tuple(OPERATORS_OF_SEARCH)
WEIGHTS = tuple(OPERATORS_OF_SEARCH.values())


def bounded(value: float) -> float:
    if value != value:
        return 1.0
    return float(f"{min(max(value, -LARGEST_NUMBER), LARGEST_NUMBER):.6g}")


def simplified(expression):
    """The same values with fewer tokens: numbers folded, neutral elements dropped."""
    if not isinstance(expression, tuple):
        return expression
    node = (expression[0], *map(simplified, expression[1:]))
    if all(isinstance(part, float) for part in node[1:]):
        value = float(evaluate(node, {}))
        return bounded(value) if abs(value) <= LARGEST_NUMBER else node
    match node:
        case (
            ("+", 0.0, a)
            | ("+", a, 0.0)
            | ("-", a, 0.0)
            | ("*", 1.0, a)
            | ("*", a, 1.0)
            | ("/", a, 1.0)
        ):
            return a
        case ("+", float() as a, ("+", float() as b, c)) | (
            "+",
            ("+", float() as b, c),
            float() as a,
        ):
            return simplified(("+", bounded(a + b), c))
        case ("*", float() as a, ("*", float() as b, c)) | (
            "*",
            ("*", float() as b, c),
            float() as a,
        ):
            return simplified(("*", bounded(a * b), c))
    return node
