"""What a split is worth: the one definition that every grower and every store of nodes uses.

Weights are integers. `unit` is the weight of one whole case: WEIGHT_UNIT where cases may carry
fractions, 1 where every case counts once (the fast path); both give the same qualities, since
WEIGHT_UNIT is a power of two.

Impurity is kept as a *mass*, an integer in units of 1 / INFO_UNIT, of class weights n_c with sum n:
    entropy  n log2 n - sum n_c log2 n_c          (bits times cases; n log2 n of whole cases is read from a table)
    others   `mass_of_terms`, from n and the sum of `class_term` of every n_c      (impurity times cases)
so a split's gain in mass is  mass(known cases) - sum of mass(branch): integer sums, the same
                              whatever
the order of cases, classes and branches. With N the weight of all cases of the node, those with a
missing value included, gain = mass gain / N: this is C4.5's gain, scaled by the known fraction.

A quality is the gain (or gain ratio) rounded to a multiple of 1 / QUALITY_GRID and kept as an
integer, so that "equal" is exact and transitive. Ties: lowest feature index, then lowest threshold.
A feature that may not be used has quality INELIGIBLE.
"""  # noqa: E501

import math
from typing import NamedTuple

import numpy as np

from pinetum.constants import GAIN_RATIO, INFO_UNIT, QUALITY_GRID, SPLIT_INFO_TOLERANCE, WEIGHT_UNIT
from pinetum.jit import kernel

INELIGIBLE = -(1 << 62)


class Rules(NamedTuple):
    """Everything that decides a tree besides the cases.

    Weights in the unit of the path that reads it.
    """

    criterion: int  # `code` of an entry of `criteria.CRITERIA`
    unit: int  # weight of a whole case
    min_cases: int  # a node with less weight than this is a leaf
    min_branch: int  # two branches must weigh at least this (0: no such rule)
    min_gain: int  # on the quality grid: a feature that gains less is not eligible
    zero_gain: int  # 1: a feature that gains nothing may still be chosen (C4.5)
    average_gain: int  # 1: C4.5's average-gain filter for the gain ratio; breaks Assumption 4.1
    penalty: int  # 1: a continuous feature pays log2(number of cuts tried) / N
    side_share: (
        int  # 1: C4.5's minimum weight on each side of a cut, a tenth of the mean class weight
    )
    min_gap: float  # neighbouring values must differ by more than this to be told apart
    max_depth: int  # -1: no limit
    collapse: int  # 1: a subtree that errs no less than a leaf becomes one while growing
    lowest_class: int  # 1: majority ties go to the lowest class, not to the parent's majority first


@kernel
def nlogn_mass(weight, unit):
    """n log2 n of n = weight / unit cases, in mass units."""
    n = weight / unit
    if n <= 0.0:
        return np.int64(0)
    bits = n * math.log2(n)
    whole = np.int64(
        bits
    )  # taken apart, so that a mass beyond 63 bits wraps around as sums of masses do
    return whole * INFO_UNIT + np.int64(np.rint((bits - whole) * INFO_UNIT))


@kernel
def nlogn_table(cases):
    """`nlogn_mass` of 0, 1, ..., `cases` whole cases."""
    table = np.zeros(cases + 1, np.int64)
    for n in range(1, cases + 1):
        table[n] = nlogn_mass(n, 1)
    return table


@kernel
def nlogn(weight, unit, table):
    """`nlogn_mass` through the table where the weight is a whole number of cases."""
    if unit == 1:
        mass = table[weight]
    elif weight & (WEIGHT_UNIT - 1) == 0 and (weight >> 20) < len(table):
        mass = table[weight >> 20]
    else:
        mass = nlogn_mass(weight, unit)
    return mass


@kernel
def is_in_terms(criterion):
    """Whether an impurity is made of `class_term`s; the others count bits, by n log n."""
    return criterion > GAIN_RATIO


@kernel
def class_term(criterion, n):
    """What n cases of one class (a float.

    Nothing for 0) add to the sum that `mass_of_terms` reads.
    """
    term = n * n  # Gini impurity
    return term


@kernel
def mass_of_terms(criterion, terms, n):
    """Impurity mass of n cases whose classes' terms are `terms` in all: the impurity times n,
    concave in the counts.
    """
    mass = n - terms / n  # Gini impurity
    return np.int64(np.rint(mass * INFO_UNIT))


@kernel
def mass_by_terms(criterion, counts, total, unit):
    """Impurity mass of class weights `counts` whose sum is `total`, for a criterion of class
    terms.
    """
    if total <= 0:
        return np.int64(0)
    terms = 0.0
    for c in range(len(counts)):
        terms += class_term(criterion, counts[c] / unit)
    return mass_of_terms(criterion, terms, total / unit)


@kernel
def impurity_mass(counts, total, criterion, unit, table):
    """Impurity mass of class weights `counts` whose sum is `total`."""
    if is_in_terms(criterion):
        return mass_by_terms(criterion, counts, total, unit)
    mass = nlogn(total, unit, table)
    for c in range(len(counts)):
        mass -= nlogn(counts[c], unit, table)
    return mass


@kernel
def on_grid(mass, weight, unit):
    """Gain of a mass gain at a node of this weight, on the quality grid."""
    return np.int64(np.rint(mass / weight * (QUALITY_GRID / INFO_UNIT * unit)))


@kernel
def worth(gain, mass, split_mass, weight, rules, least_gain):
    """Quality of a feature with this mass gain and split information mass; `gain` is on_grid(mass).

    `least_gain` (on the grid) is what the gain ratio asks for: the fixed minimum gain, or C4.5's
    average.
    """
    if gain < (0 if rules.zero_gain else 1) or gain < rules.min_gain:
        return INELIGIBLE
    if rules.criterion != GAIN_RATIO:
        return gain if split_mass > 0 else INELIGIBLE
    if gain < least_gain or split_mass / weight * rules.unit <= SPLIT_INFO_TOLERANCE * INFO_UNIT:
        return INELIGIBLE
    return np.int64(np.rint(mass / split_mass * QUALITY_GRID))


@kernel(inline=True)
def discrete_split(table_of_counts, arity, known, known_total, weight, rules, table):
    """Multiway split of a discrete feature.

    `table_of_counts` int64 (>= arity, classes): class weights per domain value; `known` their
    column sums. Gives (mass gain, split mass); split mass 0 when the feature may not be used at
    this node, and 1 when it may but the criterion is not the ratio.
    """
    largest, second = np.int64(0), np.int64(0)
    unit, criterion, in_terms = rules.unit, rules.criterion, is_in_terms(rules.criterion)
    is_ratio = criterion == GAIN_RATIO
    mass = np.int64(
        0
    )  # of the node less those of the branches; no `impurity_mass` of a row, which takes long to make  # noqa: E501
    split = np.int64(1)  # only the ratio asks how much it is
    if is_ratio:
        split = nlogn(weight, unit, table) - nlogn(weight - known_total, unit, table)
    for v in range(arity):
        total = np.int64(0)
        for c in range(len(known)):
            total += table_of_counts[v, c]
        if total > 0:
            if total > largest:
                largest, second = total, largest
            elif total > second:
                second = total
            if is_ratio:
                split -= nlogn(total, unit, table)
            if in_terms:
                terms = 0.0
                for c in range(len(known)):
                    terms += class_term(criterion, table_of_counts[v, c] / unit)
                mass -= mass_of_terms(criterion, terms, total / unit)
            else:
                mass -= nlogn(total, unit, table)
                for c in range(len(known)):
                    mass += nlogn(table_of_counts[v, c], unit, table)
    if second == 0 or second < rules.min_branch:
        mass, split = np.int64(0), np.int64(0)
    elif in_terms:
        mass += mass_by_terms(criterion, known, known_total, unit)
    else:
        mass += nlogn(known_total, unit, table)
        for c in range(len(known)):
            mass -= nlogn(known[c], unit, table)
    return mass, split


@kernel
def least_side(known_total, n_classes, rules):
    """Least weight on each side of a cut."""
    least = max(rules.min_branch, 1)
    if rules.side_share:
        share = -(-known_total // (10 * n_classes))
        least = max(least, min(share, 25 * rules.unit))
    return least


@kernel
def continuous_split(mass, left, known_total, weight, tries, rules, table):
    """Mass gain after the penalty and split mass of the best cut, with `left` weight below it."""
    if rules.penalty and tries > 1:
        mass -= np.int64(np.rint(math.log2(tries) * INFO_UNIT))
    mass = max(np.int64(0), np.int64(mass))
    split = np.int64(mass > 0)  # only the ratio asks how much it is
    if mass > 0 and rules.criterion == GAIN_RATIO:
        split = nlogn(weight, rules.unit, table) - nlogn(weight - known_total, rules.unit, table)
        split -= nlogn(left, rules.unit, table) + nlogn(known_total - left, rules.unit, table)
    return mass, split


@kernel
def majority(counts, parent_label, rules):
    """Class of a node: most weight; ties to the parent's class (-1: none), then to the lowest
    class.
    """
    best = 0
    for c in range(1, len(counts)):
        if counts[c] > counts[best]:
            best = c
    if not rules.lowest_class and parent_label >= 0 and counts[parent_label] == counts[best]:
        best = parent_label
    return best


@kernel
def branch_share(weight, branch_known, known_total):
    """Weight with which a case of this weight and a missing value goes down a branch."""
    return (weight * branch_known + known_total // 2) // known_total
