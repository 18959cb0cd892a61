"""The program search as one function."""

from pinetum.data.dataset import Dataset
from pinetum.data.table import Table
from pinetum.parameters import COUNT, check
from pinetum.progress import is_stopped, watched
from pinetum.pruning.evolution import search
from pinetum.pruning.evolution.found import Found
from pinetum.pruning.evolution.sources import (
    PURPOSES,
    joined_material,
    network_material,
    table_material,
)

TREES = (240, 480)  # training trees: first, and where the search begins to fit their noise
VALIDATION, SELECTION, FINALISTS = 480, 2_000, 60
LEAST = 10  # trees of each table


def search_pruner(
    tables=None,
    budget: int = 20_000,
    random_state: int = 0,
    *,
    name: str = "found",
    parts: str = "both",
    verbose: int = 0,
):
    """Search for a pruning function by automatic programming.

    Programs for the error rate of a leaf and of a subtree are varied and kept by size, judged by
    their rank beside no pruning, NEBP, WEBP and TWEBP on the trees' test cases; the result is
    chosen on trees that the search never saw.

    Parameters
    ----------
    tables : list of Dataset or of pairs (X, y), optional
        Tables with discrete features, of 100 cases or more, that the function should suit; their
        ID3 trees are pruned. The generated data sets of Hansen and Olsson (2007) when left out.
    budget : int, default 20000
        Programs to judge, about a thousand a second.
    random_state : int, default 0
        Draws trees and programs; equal calls give equal functions.
    name : str, default "found"
        Name of the function.
    parts : {"both", "leaf"}, default "both"
        Whether the rate of a subtree is searched for too.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Returns
    -------
    Found
        `prune(tree)` prunes with it, `save(path)` keeps it, `as_python()` writes it as code,
        `facts` hold its origin. After Ctrl-C it is the best function met so far, and the facts say
        `"status": "interrupted"`.

    Notes
    -----
    The method of Hansen and Olsson (2007), sections 2-4, with a search of our own in the place of
    ADATE.

    Examples
    --------
    >>> found = search_pruner(budget=300)
    >>> found.facts["candidates"]
    300
    >>> found.facts["selection_rank"] <= found.facts["start_rank"]
    True
    """
    if parts not in search.PARTS:
        raise ValueError(f"parts {parts!r}: expected one of {', '.join(search.PARTS)}")
    check({"budget": COUNT}, budget=budget, random_state=random_state, verbose=verbose)
    with watched("search_pruner", verbose):
        return _searched(tables, budget, random_state, name, parts)


def _searched(tables, budget, random_state, name, parts) -> Found:
    purposes = dict(zip(PURPOSES[:3], (TREES[-1], VALIDATION, SELECTION), strict=True))
    if tables is None:
        parts_of = {
            purpose: [network_material(random_state, purpose, trees)]
            for purpose, trees in purposes.items()
        }
    else:
        given = [as_dataset(table, number) for number, table in enumerate(tables)]
        if not given:
            raise ValueError(
                "no tables: give one or more, or leave `tables` out for generated data sets"
            )
        parts_of = {
            purpose: [
                table_material(random_state, data, purpose, max(LEAST, trees // len(given)))
                for data in given
            ]
            for purpose, trees in purposes.items()
        }
    training, validation, selection = (joined_material(found) for found in parts_of.values())
    settings = search.Settings(
        candidates=budget,
        stages=TREES,
        parts=parts,
        broods=5 if budget >= 10_000 else 0,
        check=max(1, budget // 30),
    )
    state = search.Search(
        settings, training, validation, search.begin(random_state, "search_pruner")
    ).run(budget)
    start = (
        selection.rank(selection.judge(search.START)),
        search.program_size(search.START),
        -1,
        search.START,
    )
    best = search.selected(search.finalists(state, FINALISTS), selection)
    rank, _, number, program = min(start, best, key=lambda entry: entry[:2])
    stopped = {"status": "interrupted"} if is_stopped() else {}
    facts = {
        "parts": parts,
        "score": "rank",
        "candidates": int(state.candidates),
        "selection_rank": rank,
    }
    facts |= {"start_rank": start[0], "ancestry": len(search.ancestry(state, number))}
    return Found(name, program, facts | stopped)


def as_dataset(table, number) -> Dataset:
    if isinstance(table, Dataset):
        return table
    try:
        X, y = table
    except (TypeError, ValueError):
        raise ValueError(f"tables[{number}]: expected a Dataset or a pair (X, y)") from None
    return Table.from_frame(X, y, name=f"table {number}")
