"""The search for pruning functions by islands, and the choice of its result on data sets that the
search never saw.
"""

from hashlib import sha256
from pathlib import Path

from pinetum.data.dataset import Dataset
from pinetum.files import results_folder
from pinetum.pruning.evolution import search
from pinetum.pruning.evolution.expressions import python
from pinetum.pruning.evolution.found import Found
from pinetum.pruning.evolution.sources import PURPOSES, material

FINALISTS = 60  # programs that the selection set chooses among

# ---------------------------------------------------------------- the rules' functions


def evolve_island(run, island, epoch, checkpoint, seed, inputs, **options):
    """One epoch of one island of the program search; goes on from its checkpoint."""
    previous = [search.load(path) for path in inputs.files.previous]
    done = evolve(
        seed,
        run["seed"],
        int(island),
        int(epoch),
        options | run,
        *previous,
        checkpoint=results_folder() / checkpoint,
        dataset=own_table(inputs),
    )
    return {"state": search.as_text(done)}


def choose_program(name, run, seed, inputs, **options):
    """The program that a search ends with, as JSON and as Python, and how it got there."""
    found, history, ancestry = choose(
        seed,
        name,
        [search.load(path) for path in inputs.files.states],
        options | {"parts": run["parts"]},
        own_table(inputs),
    )
    return {
        "found": found.as_json(),
        "python": found.as_python(),
        "history": history,
        "ancestry": ancestry,
    }


def own_table(inputs):
    """The user's table whose trees the search is on, if its run names one."""
    return Dataset.load(inputs.files.table[0]) if inputs.files.table else None


# ---------------------------------------------------------------- searching


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
        state = previous or search.begin(root, seed, island)
    engine = search.Search(settings, training, validation, state)
    if neighbour and not resumed:
        engine.welcome(neighbour)
    done = engine.run(epoch * settings.candidates, checkpoint)
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
            search.finalists(state, FINALISTS), selection
        )
        best.append((value, length, island, number, program))
    value, length, island, number, program = min(best, key=lambda entry: entry[:3])
    state = states[island - 1]
    line = search.ancestry(state, number)
    test = material(root, PURPOSES[3], options["test"], dataset)
    facts = {
        "parts": settings.parts,
        "score": "rank",
        "candidates": int(sum(other.candidates for other in states)),
        "selection_score": value,
        "island": island,
        "ancestry": len(line),
    }
    return (
        Found(name, program, facts),
        history_records(name, states, test),
        ancestry_records(name, line),
    )


def history_records(name, states, test):
    """Per look at the validation set: size and scores of the leading program, on fresh data too."""
    rows, known = [], {}
    for island, state in enumerate(states, start=1):
        for candidates, trees, length, training, validation, best, number in state.history:
            key = (island, number)
            if key not in known:
                known[key] = test.rank(test.judge(state.born[str(number)][2]))
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
