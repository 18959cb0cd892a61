"""A tree as code that needs nothing of this package: Python, or one SQL statement.

Both have the tree as data, one line per node or branch, and a short walk that reads it. Cells are
read in one place by the rules of `pinetum.data.encoding`, so that code and `predict` know the same
words.
"""

from dataclasses import dataclass
from functools import cache
from math import isfinite

import numpy as np

from pinetum.constants import VOTE_TOLERANCE
from pinetum.data.cells import MISSING_WORDS
from pinetum.data.encoding import number_key, plain_number, spellings
from pinetum.data.errors import shown

LANGUAGES = ("python", "sql")
ANSWER = "predicted"
LARGEST = 1.7976931348623157e308


@dataclass(frozen=True)
class Cell:
    """A column as generated code reads it.

    column     its name in a case and in a table
    domain     values in the order of their codes; None for a number
    stand_in   the number or code that missing and unseen values become; None: they stay missing
    value      of a domain of which one value is asked: the code of that value, which becomes 0; all
               others become 1
    """

    column: str
    domain: tuple[str, ...] | None = None
    stand_in: float | None = None
    value: int | None = None

    def words(self) -> tuple[dict, dict, dict]:
        """As `spellings` has them."""
        words = spellings(self.domain)
        if self.value is None:
            return words
        one, two, three = (
            {word: int(c != self.value) for word, c in part.items()} for part in words
        )
        return one, two, three


def check_language(language):
    if language not in LANGUAGES:
        raise ValueError(f"language {language!r}: expected one of {', '.join(LANGUAGES)}")


def to_code(
    tree,
    language="python",
    *,
    classes=None,
    table="cases",
    missing=None,
    columns=None,
    others=(),
    asked=None,
    markers=MISSING_WORDS,
) -> str:
    """Source code that predicts as the tree does, missing and unseen values included.

    language   "python": a module with `predict(case)` and `predict_proba(case)`, where a case is a
               dict from column to value; "sql": one SELECT statement that adds the column
               `predicted` to the tree's columns of a table
    classes    what to call the classes; the tree's own names when None
    table      name of the table in SQL
    missing    {feature: branch} where a missing value takes one branch; elsewhere it is shared out
               over all
    columns    names of the features' columns in a case and in the table; the tree's own when None
    others     names of columns beside them
    asked      {feature: (domain, code)} of features that ask whether a column has one value of its
               domain: branch 0 if so, else, and where it is missing, branch 1
    markers    words that mean a missing value
    """
    check_language(language)
    classes = list(tree.class_names) if classes is None else [plain(value) for value in classes]
    cells = []
    for f, (name, values) in enumerate(
        zip(tree.feature_names if columns is None else columns, tree.values, strict=True)
    ):
        branch = (missing or {}).get(f)
        if f in (asked or {}):
            cells.append(Cell(name, asked[f][0], 1, asked[f][1]))
        elif values is None:
            cells.append(Cell(name, None, None if branch is None else (-LARGEST, LARGEST)[branch]))
        else:
            cells.append(Cell(name, tuple(values[:branch]), branch))
    if language == "python":
        return python_code(tree, cells, classes, markers)
    check_sql_names(cells, others)
    return sql_code(tree, cells, classes, table, markers)


def plain(value):
    """A numpy scalar as Python's own value."""
    return value.item() if isinstance(value, np.generic) else value


def shares_of(tree, leaf) -> list[float]:
    """Class shares of a leaf; an empty one gives all to its class."""
    if tree.totals[leaf] > 0:
        return (tree.counts[leaf] / tree.totals[leaf]).tolist()
    return [float(c == tree.label[leaf]) for c in range(tree.n_classes)]


# ------------------------------------------------------------------------------------------------
# Python

READING = """
# What is read of a case: (column, None for a number or the words of a category, what stands in for a missing value).
# Words are looked up as they are, then without regard to capital letters, then as numbers.
CELLS = [
{cells}
]
MISSING = {markers}


def _cell(case, column, words, stand_in):
    value = _number(case[column]) if words is None else _code(case[column], *words)
    return stand_in if value is None else value


def _number(value):
    if isinstance(value, str):
        raise TypeError(f"{{value!r}} is text; give a number, or None where it is missing")
    if value is None or value != value or not -{largest!r} <= value <= {largest!r}:
        return None
    return float(value)


def _code(value, exact, folded, numbers):
    if value is None or value != value:
        return None
    if hasattr(value, "isoformat"):
        text = value.isoformat()[:10]
    elif isinstance(value, str) or str(value) in ("False", "True"):
        text = str(value).strip()
    elif hasattr(value, "__index__"):
        text = str(int(value))
    elif hasattr(value, "__float__"):
        value = float(value)
        text = f"{{value:.0f}}" if value.is_integer() else repr(value)
    else:
        text = str(value).strip()
    if text in MISSING:
        return None
    if text in exact:
        return exact[text]
    text = text.casefold()
    if text in folded:
        return folded[text]
    if "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return numbers.get("0" if text in ("0", "-0") else text.lstrip("0"))
"""  # noqa: E501

PYTHON = '''"""A decision tree, written by Pinetum {version}. It needs nothing but Python."""

CLASSES = {classes}
{reading}

# A leaf: (class, class shares). A test of a number: (cell, threshold, children, weights): values up to the threshold
# take the first child. A test of a category: (cell, None, children, weights): code 0 takes the first child, and so on.
# A case without a value is shared out over the children by weight.
NODES = [
{nodes}
]


def predict_proba(case):
    """Class shares of a case, a dict with a value for every column.

    None, NaN, infinite numbers and unseen categories are missing values.
    """
    return _drop(case)[1]


def predict(case):
    """Class of a case, a dict with a value for every column."""
    label, shares, spread = _drop(case)
    if spread:
        label = 0
        for c, share in enumerate(shares):
            if share > shares[label] + {tolerance!r}:
                label = c
    return CLASSES[label]


def _drop(case):
    shares, spread, label, stack = [0.0] * len(CLASSES), False, 0, [(0, 1.0)]
    while stack:
        node, weight = stack.pop()
        if len(NODES[node]) == 2:
            label = NODES[node][0]
            shares = [share + weight * part for share, part in zip(shares, NODES[node][1])]
            continue
        cell, threshold, children, weights = NODES[node]
        value = _cell(case, *CELLS[cell])
        if value is not None:
            branch = value if threshold is None else 0 if value <= threshold else 1
            stack.append((children[branch], weight))
            continue
        spread, whole = True, 0.0
        for trained in weights:
            whole += trained
        for child, trained in reversed(list(zip(children, weights))):
            if trained > 0:
                stack.append((child, weight * trained / whole))
    return label, shares, spread
'''  # noqa: E501


def python_reading(cells, markers) -> str:
    lines = [
        (cell.column, None if cell.domain is None else cell.words(), cell.stand_in)
        for cell in cells
    ]
    told = "\n".join(f"    {line!r}," for line in lines)
    return READING.format(cells=told, markers=tuple(markers), largest=LARGEST)


def python_code(tree, cells, classes, markers) -> str:
    from pinetum import __version__

    used = tree.used_features.tolist()
    lines: list[tuple] = []
    for node in range(tree.n_nodes):
        feature = int(tree.feature[node])
        if feature < 0:
            lines.append((int(tree.label[node]), shares_of(tree, node)))
            continue
        children = tree.branches(node).tolist()
        threshold = None if tree.values[feature] is not None else float(tree.threshold[node])
        weights = tree.totals[children].tolist()
        lines.append((used.index(feature), threshold, children, weights))
    return PYTHON.format(
        version=__version__,
        classes=repr(classes),
        reading=python_reading([cells[f] for f in used], markers),
        nodes="\n".join(f"    {line!r}," for line in lines),
        tolerance=VOTE_TOLERANCE,
    )


# ------------------------------------------------------------------------------------------------
# SQL

BLANKS = "".join(map(chr, (*range(9, 14), *range(28, 33), 0x85, 0xA0, 0x1680))) + "".join(
    map(chr, (*range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000))
)  # what reading takes off both ends of a text


def check_sql_names(cells, others):
    """Refuse names of columns that SQL does not tell apart."""
    places: dict[str, str] = {}
    for name in dict.fromkeys([*(cell.column for cell in cells), *others]):
        twin = places.setdefault(name.lower(), name)
        if twin != name:
            raise ValueError(
                f"columns {shown(twin)} and {shown(name)} differ only in capital letters, which"
                " databases do not tell apart; rename one of them before fitting"
            )
    if any(cell.column.lower() == ANSWER for cell in cells):
        raise ValueError(
            f"a column is called {ANSWER!r} as the answer is; rename it before fitting"
        )


def quoted_name(name) -> str:
    return '"' + str(name).replace('"', '""') + '"'


def literal(value) -> str:
    """A class or a word in SQL."""
    if isinstance(value, float):
        return exact_number(value)
    if isinstance(value, (bool, int)):
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"the class {value} does not fit into 64 bits; name it by a text")
        return str(int(value))
    return "'" + str(value).replace("'", "''") + "'"


def exact_number(value) -> str:
    """A float64 to the last bit.

    Databases do not read all decimals right; whole numbers up to 2^53 and powers of two they do.
    """
    if not isfinite(value):
        raise ValueError(f"{value} is no number in SQL; leave it out before fitting")
    above, below = float(value).as_integer_ratio()
    shift = below.bit_length() - 1
    while above and above % 2 == 0:
        above, shift = above // 2, shift - 1
    if shift <= 0 and abs(above) << -shift <= 2**53:
        return f"CAST({above << -shift} AS DOUBLE PRECISION)"
    sign, steps = ("/", []) if shift > 0 else ("*", [])
    left = abs(shift)
    while left:
        steps.append(f" {sign} {1 << min(left, 62)}")
        left -= min(left, 62)
    return f"CAST({above} AS DOUBLE PRECISION){''.join(steps)} /* {float(value)!r} */"


def short_number(value) -> str:
    """A share, where the last bit does not matter, as double precision."""
    text = repr(float(value))
    return text if "e" in text else f"{text}e0"


def sql_cells(cells, table, markers, keep) -> str:
    """A SELECT of `keep` (columns c0, c1, ..) and the cells v0, v1, .. as numbers or codes; NULL is
    missing.

    Nothing of the table but quoted columns, so no name of the table can stand for one of these.
    """
    texts, values = [], []
    for j, name in enumerate(keep):
        texts.append(f"given.{quoted_name(name)} AS c{j}")
        values.append(f"c{j}")
    for j, cell in enumerate(cells):
        name = f"given.{quoted_name(cell.column)}"
        if cell.domain is None:
            texts.append(f"{name} AS t{j}")
            ends = (
                f"CAST({-LARGEST!r} AS DOUBLE PRECISION) AND CAST({LARGEST!r} AS DOUBLE PRECISION)"
            )
            read = f"CASE WHEN t{j} BETWEEN {ends} THEN CAST(t{j} AS DOUBLE PRECISION) END"
        else:
            texts.append(f"TRIM(CAST({name} AS VARCHAR), {literal(BLANKS)}) AS t{j}")
            read = sql_code_of(f"t{j}", cell, markers)
        if cell.stand_in is not None:
            read = f"COALESCE({read}, {exact_number(float(cell.stand_in))})"
        values.append(f"{read} AS v{j}")
    inner = f"SELECT {', '.join(texts) or '1 AS one'} FROM {quoted_name(table)} AS given"
    return f"SELECT {', '.join(values) or 'one'} FROM ({inner}) AS texts"


def sql_code_of(text, cell, markers) -> str:
    """The code of a category, as `spellings` has it."""
    exact, folded, numbers = cell.words()
    keys = list(folded)
    small = f"LOWER({text})"
    for letter in folding_letters():
        if any(letter.casefold() in key for key in keys):
            small = f"REPLACE({small}, {literal(letter)}, {literal(letter.casefold())})"
    check_digits(cell)
    code = "NULL"
    if numbers:
        short = f"CASE WHEN {small} LIKE '%.%' AND {small} NOT LIKE '%e%' THEN"
        short = f"{short} RTRIM(RTRIM({small}, '0'), '.') ELSE {small} END"
        zero = numbers.get("0")
        code = cases(f"LTRIM({short}, '0')", {k: c for k, c in numbers.items() if k != "0"}, code)
        if zero is not None:
            code = f"CASE WHEN {short} IN ('0', '-0') THEN {zero} ELSE {code} END"
    code = cases(small, folded, code)
    if any(value.casefold() not in folded for value in exact):
        code = cases(text, exact, code)
    near = {*folded, *numbers}
    lost = [w for w in markers if w.casefold() in near or number_key(w.casefold()) in near]
    if lost:
        code = f"CASE WHEN {text} IN ({', '.join(map(literal, lost))}) THEN NULL ELSE {code} END"
    return f"CAST({code} AS DOUBLE PRECISION)"


def cases(text, codes, otherwise) -> str:
    """The code of a text by {text: code}."""
    if not codes:
        return otherwise
    pairs = " ".join(f"WHEN {literal(key)} THEN {code}" for key, code in codes.items())
    return f"CASE {text} {pairs}{'' if otherwise == 'NULL' else f' ELSE {otherwise}'} END"


def check_digits(cell):
    """Refuse categories that are different numbers and one text in SQLite."""
    written: dict[str, str] = {}
    for value in cell.domain:
        number = plain_number(value)
        if number is None:
            continue
        other = written.setdefault(f"{number:.15g}", value)
        if plain_number(other) != number:
            raise ValueError(
                f"column {cell.column}: the categories {other} and {value} are one in SQLite, which"
                " writes 15 digits; round them, or make them text, before fitting"
            )


@cache
def folding_letters() -> list[str]:
    """Letters beyond ASCII that `casefold` changes."""
    letters = (chr(point) for point in range(128, 0x1F000))
    return [letter for letter in letters if letter.casefold() != letter]


SQL = """WITH RECURSIVE
-- the cells that the tree asks for, as numbers and codes of categories; NULL is missing
read{_} AS MATERIALIZED (SELECT ROW_NUMBER() OVER () AS id, given.* FROM (
{cells}
) AS given),
-- the tree: a case goes from a node to a child where above < cell <= upto; where the cell is
-- missing, a part of it goes to each; asks is the cell that the child asks for
branches{_}(node, above, upto, child, part, asks) AS (VALUES
{branches}
),
-- class shares of the leaves; vote is what a case counts that comes as a whole
leaves{_}(node, class, share, vote) AS (VALUES
{leaves}
),
walk{_}(id, node, weight, spread, cell, {cell_names}) AS (
SELECT id, 0, CAST(1 AS DOUBLE PRECISION), 0, {first}, {cell_names} FROM read{_}
UNION ALL
SELECT w.id, b.child, CASE WHEN w.cell IS NULL THEN w.weight * b.part ELSE w.weight END,
CASE WHEN w.cell IS NULL THEN 1 ELSE w.spread END,
CASE b.asks {picks} END, {walk_names}
FROM walk{_} AS w JOIN branches{_} AS b ON b.node = w.node
WHERE CASE WHEN w.cell IS NULL THEN b.part > 0
ELSE (b.above IS NULL OR w.cell > b.above) AND (b.upto IS NULL OR w.cell <= b.upto) END
),
votes{_} AS (
SELECT w.id, l.class, SUM(w.weight * CASE WHEN w.spread = 1 THEN l.share ELSE l.vote END) AS votes
FROM walk{_} AS w JOIN leaves{_} AS l ON l.node = w.node GROUP BY w.id, l.class
),
won{_} AS (
SELECT id, MIN(class) AS class
FROM (SELECT id, class, votes, MAX(votes) OVER (PARTITION BY id) AS most FROM votes{_}) AS v
WHERE votes + {tolerance} >= most GROUP BY id
)
SELECT {columns}, CASE COALESCE(won{_}.class, 0) {names} END AS {answer}
FROM read{_} LEFT JOIN won{_} ON won{_}.id = read{_}.id ORDER BY read{_}.id
"""
OWN = ("read", "branches", "leaves", "walk", "votes", "won")


def sql_code(tree, cells, classes, table, markers) -> str:
    """Every case walks down the tree, whole or in parts; then the classes vote."""
    names = list(dict.fromkeys(cell.column for cell in cells))
    if tree.n_nodes == 1:
        columns = ", ".join(f"given.{quoted_name(name)}" for name in names)
        label = literal(classes[tree.label[0]])
        return f"SELECT {columns}, {label} AS {ANSWER}\nFROM {quoted_name(table)} AS given\n"
    used = tree.used_features.tolist()
    own = "_" if str(table).lower() in OWN else ""
    branches, leaves = [], []
    for node in range(tree.n_nodes):
        if tree.feature[node] >= 0:
            branches += sql_branches(tree, node, used)
            continue
        for c, share in enumerate(shares_of(tree, node)):
            if share > 0 or c == tree.label[node]:
                vote = int(c == tree.label[node])
                leaves.append(f"({node}, {c}, {short_number(share)}, {vote})")
    cell_names = [f"v{j}" for j in range(len(used))]
    return SQL.format(
        _=own,
        cells=sql_cells([cells[f] for f in used], table, markers, names),
        branches=",\n".join(branches),
        leaves=",\n".join(leaves),
        cell_names=", ".join(cell_names),
        walk_names=", ".join(f"w.{name}" for name in cell_names),
        first=f"v{used.index(tree.feature[0])}",
        picks=" ".join(f"WHEN {j} THEN w.{name}" for j, name in enumerate(cell_names)),
        tolerance=short_number(VOTE_TOLERANCE),
        columns=", ".join(f"read{own}.c{j} AS {quoted_name(name)}" for j, name in enumerate(names)),
        names=" ".join(f"WHEN {c} THEN {literal(name)}" for c, name in enumerate(classes)),
        answer=ANSWER,
    )


def sql_branches(tree, node, used) -> list[str]:
    """A line per branch of a node: numbers below and above the threshold, or one for every code."""
    children = tree.branches(node)
    trained, whole = tree.totals[children], tree.totals[children].sum()
    lines = []
    for branch, child in enumerate(children):
        if tree.values[tree.feature[node]] is None:
            threshold = exact_number(float(tree.threshold[node]))
            ends = f"NULL, {threshold}" if branch == 0 else f"{threshold}, NULL"
        else:
            ends = f"{branch - 1}, {branch}"
        part = short_number(trained[branch] / whole if whole > 0 else 0)
        asks = used.index(tree.feature[child]) if tree.feature[child] >= 0 else -1
        lines.append(f"({node}, {ends}, {child}, {part}, {asks})")
    return lines
