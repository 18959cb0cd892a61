"""What the found functions are worth, beside SYNTH as printed and with our charge: ranks on fresh
generated data, errors and sizes on the real data sets, and the rates that they charge.
"""

import numpy as np
import pandas as pd

from pinetum.pruning.estimates import c45, naive, synth
from pinetum.pruning.evolution.expressions import evaluate, program_size, python, size
from pinetum.pruning.evolution.found import read_found
from pinetum.pruning.evolution.material import Material
from pinetum.pruning.evolution.sources import CELLS, PURPOSES, REFERENCES, network_material
from pinetum.pruning.forest import Trees
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.networks import networks
from pinetum.pruning.pruners import FOUND
from pinetum.pruning.readings import Reading
from pinetum.pruning.replication.measure import real_records
from pinetum.pruning.replication.ranks import COMPANY, TOTAL, mean_error
from pinetum.validation import average_ranks

SIZES = (10, 100)  # cases at the leaf whose rates are drawn
PRINTED_SIZE = 18  # tokens of SYNTH
PUBLISHED = {"NEBP": naive, "WEBP": c45, "SYNTH": synth}


def judge_found(datasets, test, cv_repeats, seed, inputs):
    """What the found functions are worth, with the histories of all searches as one."""
    functions = [read_found(path) for path in inputs.files.found]
    fresh = fresh_data(seed, functions, test)
    return {
        "found_ranks": judge(functions, *fresh[:2]),
        "found_cells": version_cells(*fresh),
        "found_folds": real_versions(seed, functions, datasets, cv_repeats),
        "found_curves": curve_records(functions),
        "found_history": inputs.history,
        "found_ancestry": inputs.ancestry,
    }


# ---------------------------------------------------------------- fresh generated data


def fresh_data(root, functions, trees):
    """Material of fresh data sets, hits of every version of SYNTH, and the removed attributes and
    repetition of each data set.
    """
    test = network_material(root, PURPOSES[3], trees)
    sets = networks(root, PURPOSES[3], range(-(-trees // CELLS)))
    hits = {name: prune_trees(name, Trees(test.forest)).hits for name in ("SYNTH", "SYNTH+")}
    hits |= {FOUND + found.name: test.judge(found.program).copy() for found in functions}
    return test, hits, sets.removed, sets.repetition


def judge(functions, test, hits):
    """Ranks and errors on fresh generated data sets, of SYNTH and SYNTH+ too, beside the four
    references.
    """
    six = Material(test.forest, {**test.references, "SYNTH+": hits["SYNTH+"]})
    rows = [rank_row(name, hits[name], test, None, PRINTED_SIZE) for name in ("SYNTH", "SYNTH+")]
    for found in functions:
        length, mine = program_size(found.program), hits[FOUND + found.name]
        rows.append(rank_row(found.name, mine, test, six, length) | facts_of(found))
    return rows


def rank_row(name, hits, test, six, length):
    share = 1 - hits / np.maximum(test.tested, 1)
    each = 1 + (test.better > hits).sum(axis=0) + 0.5 * (test.better == hits).sum(axis=0)
    return {
        "function": name,
        "size": length,
        "rank_as_fifth": float(each.mean()),
        "se": float(each.std(ddof=1) / np.sqrt(len(each))),
        "rank_as_sixth": None if six is None else six.rank(hits),
        "error_percent": 100 * float(share.mean()),
        "data_sets": len(each),
    }


def facts_of(found):
    facts = {
        key: found.facts.get(key) for key in ("parts", "score", "candidates", "selection_score")
    }
    return {
        **facts,
        "size_leaf": size(found.program[0]),
        "size_subtree": size(found.program[1]),
        "leaf": python(found.program[0]),
        "subtree": python(found.program[1]),
    }


def version_cells(test, hits, removed, repetition):
    """Per version of SYNTH and number of removed attributes: its rank as fifth, and by how much
    each of the four ranks behind it, over the repetitions of the experiment.
    """
    records = []
    for name, mine in hits.items():
        ranks = average_ranks(-np.column_stack([*test.better, mine]))
        for label in (*range(5), TOTAL):
            some = np.ones(len(ranks), bool) if label == TOTAL else removed == label
            columns = [*test.references, "rank"]
            means = pd.DataFrame(ranks[some], columns=columns).groupby(repetition[some]).mean()
            cells = {"rank": means["rank"]}
            cells |= {rival: means[rival] - means["rank"] for rival in COMPANY}
            for what, values in cells.items():
                mean, error = mean_error(values)
                key = {"pruner": name, "removed": str(label), "what": what}
                records.append(key | {"mean": mean, "se": error})
    return records


# ---------------------------------------------------------------- real data sets


def real_versions(root, functions, datasets, repeats):
    """Records of the real data sets under the references, both SYNTH and the found functions."""
    pruners = (*REFERENCES, "SYNTH", "SYNTH+", *(FOUND + found.name for found in functions))
    return real_records(datasets, root, repeats, Reading(), pruners)[0]


# ---------------------------------------------------------------- rates


def curve_records(functions):
    """The error rate that a leaf is charged with, by its cases in other classes."""
    records = []
    for n in SIZES:
        wrong = np.arange(0, n // 2 + 1)
        rates = {
            name: estimate(np.full(len(wrong), n), n - wrong) / n
            for name, estimate in PUBLISHED.items()
        }
        for found in functions:
            leaves = ({"n": float(n), "e": float(e), "c": float(n - e)} for e in wrong)
            rates[FOUND + found.name] = [evaluate(found.program[0], leaf) for leaf in leaves]
        records += [
            {"pruner": name, "n": n, "wrong": int(e), "rate": float(rate)}
            for name, curve in rates.items()
            for e, rate in zip(wrong, curve, strict=True)
        ]
    return records
