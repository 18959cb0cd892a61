"""Grown trees with missing values: weights are whole multiples of 2^-20 cases, so a share of a case
is rounded.

The grower equals the twin that rounds as it does, node for node. Against a twin that hardly rounds
(2^-100) trees differ only at ties to within that rounding: two splits as good as each other, two
classes of the same weight, or a node that weighs exactly as much as a split needs.
"""

import importlib.util
import os
import secrets
from pathlib import Path

import numpy as np
import pytest

from pinetum.induction import Grower, c45, yadt

pytestmark = pytest.mark.torture
TIE = 2e-5  # relative; a dozen roundings of 2^-20, each of a share of a case


def twin_with(unit):
    spec = importlib.util.spec_from_file_location(
        f"twin{unit}", Path(__file__).parents[1] / "induction/conftest.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.UNIT = 1 << unit
    return module


@pytest.mark.parametrize("rules", [yadt(2), yadt(2, "gini"), c45(2)], ids=["gain", "gini", "c45"])
def test_rounded_weights_change_a_tree_only_at_ties(rules):
    seed = int(os.environ.get("PINETUM_TORTURE_SEED") or secrets.randbelow(1 << 31))
    same, fine = twin_with(20), twin_with(100)
    other = 0
    for number in range(1000):
        rng = np.random.default_rng([seed, number])
        data = same.random_table(rng, missing=0.3)
        grown = Grower(data, rules).grow()
        rounded, exact = same.grow_tree(data, rules), fine.grow_tree(data, rules)
        assert same.nested(grown) == same.plain(rounded), (
            f"seed {seed}, table {number}: not the twin's tree"
        )
        place = first_difference(rounded, exact)
        if place is not None:
            other += 1
            assert is_tie(place, data, rules, fine), (
                f"seed {seed}, table {number}: differs and is no tie"
            )
    print(f"seed {seed}: {other} of 1000 trees differ from exact weights, all at ties")


def first_difference(one, two, path=()):
    """(nodes, path of branches) where two trees first part, or None."""
    if (one.feature, one.threshold, one.label) != (two.feature, two.threshold, two.label):
        return one, two, path
    for number, (left, right) in enumerate(zip(one.branches, two.branches, strict=True)):
        found = first_difference(left, right, (*path, number))
        if found is not None:
            return found
    return None


def is_tie(place, data, rules, fine):
    """Whether both choices at the node are equally good, weights exact."""
    one, two, path = place
    counts = sorted((count / fine.UNIT for count in two.counts), reverse=True)
    if one.label != two.label and len(counts) > 1 and counts[0] - counts[1] < TIE * counts[0]:
        return True  # two classes weigh the same
    if abs(sum(counts) - rules.min_cases) < TIE:
        return True  # as many cases as a split needs, or hardly less
    for node in (one, two):
        sizes = [sum(branch.counts) for branch in node.branches]
        unit = fine.UNIT if node is two else 1 << 20
        if any(abs(size / unit - rules.min_branch) < TIE for size in sizes):
            return True  # a branch as heavy as it must be, or hardly less
    cases = cases_at(data, rules, fine, path)
    worths = []
    for node in (one, two):
        found = fine.evaluate(cases, node.feature, data, rules) if node.feature >= 0 else None
        ratio = rules.criterion == "gain_ratio" and found is not None and found[1]
        worths.append(
            0.0 if found is None else found[0] / found[1] if ratio else found[2] / fine.GRID
        )
    return abs(worths[0] - worths[1]) <= TIE * max(1.0, *map(abs, worths))


def cases_at(data, rules, fine, path):
    """The cases and their exact weights that reach a node of the exact tree."""
    cases = [(case, fine.UNIT) for case in range(data.n_cases)]
    node = fine.grow_tree(data, rules)
    for branch in path:
        codes = data.codes[node.feature]
        if data.continuous[node.feature]:
            below = (
                int(np.searchsorted(data.values[node.feature], node.threshold, side="right")) - 1
            )
            cases = fine.split_cases(cases, codes, lambda code, below=below: int(code > below), 2)[
                branch
            ]
        else:
            cases = fine.split_cases(
                cases, codes, lambda code: code, len(data.values[node.feature])
            )[branch]
        node = node.branches[branch]
    return cases
