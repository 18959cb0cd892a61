"""The registry of pruners: one entry per method says all there is to know about it.

The study, the order of tables, the looks in figures, the tables' descriptions and
the public function `prune` read this list. A new pruner is one entry here and one file in
`methods/` with its function. Nothing is imported here: figures and configuration checks read the
list without loading compiled code.
"""

from dataclasses import dataclass
from difflib import get_close_matches

FOUND = "found:"  # and the name of a function that the program search found
NEEDS = {
    "folds": "a cross-validation inside the training part (library: cases X, y)",
    "holdout": "cases kept apart from growing (library: X, y)",
    "cases": "the training cases (library: X, y)",
}


@dataclass(frozen=True)
class Pruner:
    """One pruning method.

    function  file and function below `pinetum.pruning.methods`: takes (Trees, Reading), gives
              `Pruned`
    label     what tables and figures call it
    colour    place in the figures' palette
    paper     where it was published
    about     one line on what it does
    needs     what it needs beside the tree, of `NEEDS`
    reads     choices of a `Reading` that it depends on; in the library they are its options
    studied   whether Hansen and Olsson (2007) compare it
    compared  whether the study sets it beside theirs
    """

    function: str
    label: str
    colour: int
    paper: str
    about: str
    needs: tuple = ()
    reads: tuple = ()
    studied: bool = False
    compared: bool = True


HERE = "Hansen and Olsson 2007"
PRUNERS = {
    "NOP": Pruner(
        "bottom_up.unpruned",
        "NOP",
        7,
        HERE,
        "no pruning",
        studied=True,
    ),
    "NEBP": Pruner(
        "bottom_up.naive",
        "NEBP",
        0,
        HERE,
        "error-based with the plain normal (Wilson) bound, the search's start",
        reads=("naive", "naive_z", "naive_slack"),
        studied=True,
    ),
    "WEBP": Pruner(
        "bottom_up.error_based",
        "WEBP",
        1,
        HERE,
        "C4.5's error-based pruning without raising of branches",
        reads=("c45", "confidence", "slack"),
        studied=True,
    ),
    "TWEBP": Pruner(
        "tuning.tuned_error_based",
        "TWEBP",
        2,
        HERE,
        "WEBP with its confidence level tuned by cross-validation",
        needs=("folds",),
        reads=("c45", "confidence", "slack", "tuning_ties", "tuning_grid"),
        studied=True,
    ),
    "SYNTH": Pruner(
        "bottom_up.synth",
        "SYNTH",
        3,
        HERE,
        "the function found by automatic programming, as printed",
        studied=True,
    ),
    "SYNTH+": Pruner(
        "bottom_up.charged_synth",
        "SYNTH+",
        5,
        f"{HERE}; the charge is ours",
        "SYNTH with an inferred charge of errors per kept split",
        reads=("charge",),
        studied=True,
    ),
    "EBP": Pruner(
        "raising.error_based_in_full",
        "EBP",
        4,
        "Quinlan 1993 (C4.5 Release 8)",
        "error-based pruning in full, with raising of branches",
        needs=("cases",),
        reads=("confidence",),
    ),
    "PEP": Pruner(
        "pessimistic.pessimistic",
        "PEP",
        8,
        "Quinlan 1987",
        "half an error more per leaf, one standard error",
    ),
    "MEP": Pruner(
        "minimum_error.minimum_error",
        "MEP",
        3,
        "Cestnik and Bratko 1991",
        "fewest expected errors by the m-estimate",
        reads=("m_estimate",),
    ),
    "REP": Pruner(
        "reduced_error.reduced_error",
        "REP",
        9,
        "Quinlan 1987",
        "fewest errors on a third kept apart from growing",
        needs=("holdout",),
    ),
    "CCP": Pruner(
        "cost_complexity.one_standard_error",
        "CCP",
        7,
        "Breiman et al. 1984",
        "cost-complexity, cross-validated, smallest tree within one standard error",
        needs=("folds",),
    ),
    "CCP-0SE": Pruner(
        "cost_complexity.fewest_errors",
        "CCP-0SE",
        2,
        "Breiman et al. 1984",
        "cost-complexity, cross-validated, fewest errors",
        needs=("folds",),
    ),
    "FRONT": Pruner(
        "front.best_of_size",
        "FRONT",
        6,
        "after Harviainen et al. 2025",
        "fewest errors for its number of leaves, which is cross-validated",
        needs=("folds",),
        reads=("max_leaves",),
        compared=False,
    ),
}
PAPER = tuple(name for name, pruner in PRUNERS.items() if pruner.studied)
BEYOND = tuple(name for name, pruner in PRUNERS.items() if pruner.compared and not pruner.studied)


def find_pruner(name) -> Pruner:
    """The entry of a pruner; an unknown name is refused with the known ones."""
    if name not in PRUNERS:
        near = get_close_matches(str(name).upper(), PRUNERS, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(
            f"unknown pruner {name!r}{hint}; known are {', '.join(PRUNERS)}, and {FOUND}<name>"
        )
    return PRUNERS[name]


def needed(names) -> set:
    """What any of these pruners needs, of `NEEDS`."""
    return {
        need for name in names if not name.startswith(FOUND) for need in find_pruner(name).needs
    }


def slug(pruner: str) -> str:
    """A pruner's name as part of a column name."""
    return pruner.lower().replace("+", "_plus").replace("-", "_")
