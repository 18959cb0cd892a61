"""Decision rules and reducts of a decision table: shortest, widest, fewest, each exact, and greedy
beside them.

A rule of a row tests some of its attributes for the row's values and answers with the row's
decision; it is true if that decision is right for every row it covers. A reduct is a set of
attributes that tells every two rows apart that share no decision.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from pinetum.data.dataset import Dataset
from pinetum.greedy_dp.building import midpoint, names_of
from pinetum.greedy_dp.tables import DecisionTable
from pinetum.visible import one_line

EXACT = {"mip_rel_gap": 0.0}  # of the solver
AIMS = {"short": "fewest tests, then most rows", "wide": "most rows, then fewest tests"}


@dataclass(frozen=True)
class Rule:
    """If every attribute has its value, the decision is right.

    conditions   (attribute, value) pairs, by attribute
    covers       indices of the table's rows that meet them
    """

    conditions: tuple[tuple[int, int], ...]
    decision: int
    covers: tuple[int, ...]

    @property
    def length(self) -> int:
        return len(self.conditions)

    def to_text(self, table: DecisionTable, names: Dataset | None = None) -> str:
        _, classes, _ = names_of(table, names)
        return one_line(
            f"{self.conditions_text(table, names)}: {classes[self.decision]} ({len(self.covers)})"
        )

    def conditions_text(self, table: DecisionTable, names: Dataset | None = None) -> str:
        return (
            " and ".join(attribute_name(table, a, names, value) for a, value in self.conditions)
            or "always"
        )


def attribute_name(
    table: DecisionTable, a: int, names: Dataset | None = None, value: int | None = None
) -> str:
    """An attribute's feature, or what it asks for where that is a threshold.

    With a value, the condition.
    """
    features, _, values = names_of(table, names)
    f = a if table.feature is None else int(table.feature[a])
    if table.cut is not None and table.cut[a] >= 0:
        if names is None:
            raise ValueError("names: a table with cuts needs the data set that it was made from")
        low_side = "<=" if not value else ">"
        return f"{features[f]} {low_side} {midpoint(names.values[f], int(table.cut[a])):.6g}"
    return features[f] if value is None else f"{features[f]} = {values[f][value]}"


def differences(table: DecisionTable, row, others) -> np.ndarray:
    """bool (others, attributes): where they differ from a row; repeated and wider sets left out."""
    return least_sets((table.codes[:, others] != table.codes[:, [row]]).T)


def least_sets(sets) -> np.ndarray:
    """The sets (lines of a bool table) that contain no other."""
    sets = np.unique(sets, axis=0)
    sets = sets[np.argsort(sets.sum(axis=1), kind="stable")]
    kept = np.zeros((0, sets.shape[1]), dtype=bool)
    for candidate in sets:
        if (kept & ~candidate).any(axis=1).all():  # contains none of them
            kept = np.vstack([kept, candidate])
    return kept


def hit(sets, price, gain=None, members=None):
    """Attributes of least price that meet every set, exactly.

    With `members` (bool (rows, attributes): where rows differ from the row) and `gain` (per row)
    the rows that remain are worth their gain.
    """
    n, m = len(sets), sets.shape[1]
    if n == 0 and members is None:
        return np.zeros(m, dtype=bool)
    rows = 0 if members is None else len(members)
    cost = (
        np.concatenate([price, -np.asarray(gain, dtype=np.float64)])
        if rows
        else np.asarray(price, dtype=np.float64)
    )
    constraints = []
    if n:
        constraints.append(
            LinearConstraint(csr_array(np.hstack([sets, np.zeros((n, rows))])), 1, np.inf)
        )
    if rows:
        place, attribute = np.nonzero(members)
        if len(place):  # a row remains only if none of the attributes where it differs is taken
            lines = np.arange(len(place))
            both = np.concatenate([lines, lines]), np.concatenate([attribute, m + place])
            one = csr_array((np.ones(2 * len(lines)), both), shape=(len(lines), m + rows))
            constraints.append(LinearConstraint(one, -np.inf, 1))
    found = milp(
        cost,
        integrality=np.ones(m + rows),
        bounds=Bounds(0, 1),
        constraints=constraints,
        options=EXACT,
    )
    if not found.success:
        raise ArithmeticError(f"no set of attributes: {found.message}")
    return found.x[:m] > 0.5


def hit_greedily(sets, price=None, members=None) -> np.ndarray:
    """Attributes that meet every set, each time the one that meets most of those left for its
    price.

    With `members` (bool (rows, attributes): where rows differ from the row) the one after which
    most of these rows remain, among those that meet a set. The first of several.
    """
    chosen = np.zeros(sets.shape[1], dtype=bool)
    while len(sets):
        met = sets.sum(axis=0)
        if members is not None:
            worth = np.where(met > 0, (~members).sum(axis=0), -1)
        elif price is not None:
            worth = np.where(
                met > 0, np.divide(met, price, out=np.full(len(met), np.inf), where=price > 0), -1
            )
        else:
            worth = met
        a = int(worth.argmax())
        chosen[a] = True
        sets = sets[~sets[:, a]]
        members = None if members is None else members[~members[:, a]]
    return chosen


def rule_of(table: DecisionTable, row: int, chosen) -> Rule:
    attributes = np.flatnonzero(chosen)
    covers = np.flatnonzero(
        (table.codes[attributes] == table.codes[attributes, row][:, None]).all(axis=0)
    )
    conditions = tuple((int(a), int(table.codes[a, row])) for a in attributes)
    return Rule(conditions, int(table.decisions[row]), tuple(covers.tolist()))


def row_rule(table: DecisionTable, row: int, aim="short", *, greedy=False) -> Rule:
    """A true rule for one row of the table.

    Parameters
    ----------
    table : DecisionTable
        Whose rules are true without exception; `alpha` is not looked at.
    row : int
    aim : {"short", "wide"}
        See AIMS.
    greedy : bool
        The greedy rule instead of the exact one: test what tells most wrong rows apart ("short"),
        or what keeps most right rows among the tests that tell some wrong row apart ("wide").

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> table = decision_table([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 0, 1, 1])
    >>> row_rule(table, 3).to_text(table)
    'f1 = 1: 1 (2)'
    """
    if aim not in AIMS:
        raise ValueError(f"aim is {aim!r}; allowed are {', '.join(AIMS)}")
    right = table.answers[table.decisions[row]]
    sets = differences(table, row, np.flatnonzero(~right))
    members = (table.codes[:, right] != table.codes[:, [row]]).T
    if greedy:
        return rule_of(table, row, hit_greedily(sets, members=members if aim == "wide" else None))
    many = len(members) + 1 if aim == "short" else 1 / (table.n_attributes + 1)
    return rule_of(
        table, row, hit(sets, np.full(table.n_attributes, many), np.ones(len(members)), members)
    )


def all_rules(table: DecisionTable, aim="short", *, greedy=False) -> list[Rule]:
    """A rule for every row."""
    return [row_rule(table, row, aim, greedy=greedy) for row in range(table.n_rows)]


def fewest_rules(table: DecisionTable, rules: list[Rule], *, greedy=False) -> list[Rule]:
    """The fewest of these rules that cover every row of the table."""
    covered = np.zeros((table.n_rows, len(rules)), dtype=bool)
    for place, rule in enumerate(rules):
        covered[list(rule.covers), place] = True
    if not covered.any(axis=1).all():
        raise ValueError(f"row {int(covered.any(axis=1).argmin())} is covered by none of the rules")
    chosen = hit_greedily(covered) if greedy else hit(least_sets(covered), np.ones(len(rules)))
    return [rules[place] for place in np.flatnonzero(chosen)]


def reduct(table: DecisionTable, *, greedy=False) -> list[int]:
    """The fewest (cheapest, by the table's prices) attributes that tell all rows without a common
    decision apart.

    Examples
    --------
    >>> from pinetum.greedy_dp.tables import decision_table
    >>> reduct(decision_table([[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]], [0, 1, 1, 0]))
    [2]
    """
    sets = np.zeros((0, table.n_attributes), dtype=bool)
    common = table.answers.astype(np.int64)
    for row in range(table.n_rows):
        later = np.arange(row + 1, table.n_rows)
        apart = later[(common[:, later] * common[:, [row]]).sum(axis=0) == 0]
        if len(apart):
            sets = least_sets(np.vstack([sets, (table.codes[:, apart] != table.codes[:, [row]]).T]))
    chosen = hit_greedily(sets, table.price) if greedy else hit(sets, table.price)
    return np.flatnonzero(chosen).tolist()
