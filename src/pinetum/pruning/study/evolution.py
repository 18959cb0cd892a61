"""Material for the search, the search by islands, the choice of its result, and what the result is
worth.
"""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd

from pinetum.pruning.evolution import search
from pinetum.pruning.evolution.expressions import program_size, size
from pinetum.pruning.evolution.found import Found
from pinetum.pruning.evolution.material import Material
from pinetum.pruning.evolution.sources import PURPOSES, REFERENCES, material, network_material
from pinetum.pruning.forest import Trees
from pinetum.pruning.methods import prune_trees
from pinetum.pruning.pruners import FOUND
from pinetum.pruning.study.records import real_records
from pinetum.workflow.jobs import provenance


def evolve(
    root, seed, island, epoch, options, previous=None, neighbour=None, checkpoint=None, dataset=None
):
    """One epoch of one island; goes on from the checkpoint if there is one, and removes it."""
    settings = search.settings_of(options)
    if checkpoint:  # one left by other options is not gone on from
        mark = sha256(repr((root, seed, settings, options["validation"])).encode()).hexdigest()[:8]
        checkpoint = Path(f"{checkpoint}-{mark}.json")
    training = material(root, PURPOSES[0], max(settings.stages), dataset)
    validation = material(root, PURPOSES[1], options["validation"], dataset)
    resumed = bool(checkpoint) and checkpoint.exists()
    if resumed:
        state = search.load(checkpoint)
        print(f"goes on from {checkpoint} at {state.candidates:,} candidates", flush=True)
    else:
        state = search.load(previous) if previous else search.begin(root, seed, island)
    engine = search.Search(settings, training, validation, state)
    if neighbour and not resumed:
        engine.welcome(search.load(neighbour))
    done = engine.run(epoch * settings.candidates, checkpoint, seconds=epoch * settings.cpu_seconds)
    if checkpoint:
        checkpoint.unlink(missing_ok=True)
    return done


def choose(root, name, states, options, dataset=None):
    """The program with the best score on the selection set.

    (Found, history rows, ancestry rows).
    """
    settings = search.settings_of(options)
    selection = material(root, PURPOSES[2], options["selection"], dataset)
    best = []
    for island, state in enumerate(states, start=1):
        value, length, number, program = search.selected(
            search.finalists(state, options["finalists"]), selection, settings.score
        )
        best.append((value, length, island, number, program))
    value, length, island, number, program = min(best, key=lambda entry: entry[:3])
    state = states[island - 1]
    line = search.ancestry(state, number)
    test = material(root, PURPOSES[3], options["test"], dataset)
    facts = {
        "parts": settings.parts,
        "score": settings.score,
        "candidates": int(sum(other.candidates for other in states)),
        "selection_score": value,
        "island": island,
        "ancestry": len(line),
    }
    return (
        Found(name, program, facts),
        history_records(name, states, test, settings.score),
        ancestry_records(name, line),
    )


def history_records(name, states, test, score):
    """Per look at the validation set: size and scores of the leading program, on fresh data too."""
    rows, known = [], {}
    for island, state in enumerate(states, start=1):
        for candidates, trees, length, training, validation, best, number in state.history:
            key = (island, number)
            if key not in known:
                program = state.born[str(number)][2]
                hits = test.judge(program)
                known[key] = test.rank(hits) if score == "rank" else test.errors(hits)
            rows.append(
                {
                    "run": name,
                    "island": island,
                    "candidates": candidates,
                    "trees": trees,
                    "size": length,
                    "training": training,
                    "validation": validation,
                    "best_validation": best,
                    "test": known[key],
                }
            )
    return rows


def ancestry_records(name, line):
    from pinetum.pruning.evolution.expressions import python

    return [
        {
            "run": name,
            "step": step,
            "candidate": number,
            "way": way,
            "size_leaf": leaf,
            "size_subtree": subtree,
            "leaf": python(program[0]),
            "subtree": python(program[1]),
        }
        for step, (number, way, leaf, subtree, program) in enumerate(line)
    ]


# ---------------------------------------------------------------- what a found function is worth


def judge(root, functions, trees, reading=None):
    """Ranks and errors on fresh generated data sets, of SYNTH and SYNTH+ too, beside the four
    references.
    """
    test = network_material(root, PURPOSES[3], trees)
    plus, printed = (
        prune_trees(name, Trees(test.forest), reading).hits for name in ("SYNTH+", "SYNTH")
    )
    six = Material(test.forest, {**test.references, "SYNTH+": plus})
    rows = [rank_row("SYNTH", printed, test, None, 18), rank_row("SYNTH+", plus, test, None, 18)]
    for found in functions:
        hits = test.judge(found.program).copy()
        rows.append(
            rank_row(found.name, hits, test, six, program_size(found.program)) | facts_of(found)
        )
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
    from pinetum.pruning.evolution.expressions import python

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


def real_versions(root, functions, datasets, repeats, reading):
    """Records of the real data sets under the references, both SYNTH and the found functions."""
    pruners = (*REFERENCES, "SYNTH", "SYNTH+", *(FOUND + found.name for found in functions))
    return real_records(datasets, root, repeats, reading, pruners)[0]


def real_comparison(records):
    """Tables 2 and 3 with the found functions as columns: error percent and nodes per data set and
    pruner.
    """
    good = records[records["status"] == "ok"]
    if good.empty:
        return records.assign(error=None)
    sums = good.groupby(["dataset", "pruner"], sort=False)[["errors", "tested", "nodes"]].agg(
        {"errors": "sum", "tested": "sum", "nodes": "mean"}
    )
    table = sums.assign(error=100 * sums["errors"] / sums["tested"])[
        ["error", "nodes"]
    ].reset_index()
    absent = records[records["status"] != "ok"][["dataset", "status", "note"]]
    return pd.concat([table.assign(status="ok"), absent], ignore_index=True)


def statements(ranks, real):
    """Plain sentences on where a found function does and does not generalise, from the numbers."""
    plus = next(row for row in ranks if row["function"] == "SYNTH+")
    means = real[real["status"] == "ok"].groupby("pruner")["error"].mean()
    for row in ranks:
        if row["function"] in ("SYNTH", "SYNTH+"):
            row["statement"] = ""
            continue
        gain = plus["rank_as_fifth"] - row["rank_as_fifth"]
        spread = 3 * np.hypot(plus["se"], row["se"])
        verb = (
            "better than"
            if gain > spread
            else "worse than"
            if gain < -spread
            else "no different from"
        )
        both = f"({row['rank_as_fifth']:.3f} and {plus['rank_as_fifth']:.3f})"
        text = f"On fresh generated data its rank is {verb} SYNTH+'s {both}."
        name = FOUND + row["function"]
        if name in means:
            kind = "does not carry over" if means[name] >= means["NEBP"] else "carries over"
            text += (
                f" To the real data sets it {kind}: mean error {means[name]:.2f} % where NEBP has"
                f" {means['NEBP']:.2f} % and WEBP {means['WEBP']:.2f} %."
            )
        row["statement"] = text
    return [row | provenance() for row in ranks]
