"""How much the error of the "optimal" column hangs on which of the best subsets of a fold is taken.

    python benchmarks/programs/tied_optima.py ionosphere 180        # millions of steps for each of the 50 searches

Of every fold whose optimum is proved: the smallest best subset (as in the study), one at random,
one of the largest; the least and the greatest error on new cases among sixty of them. Data come
from `results/data`.
"""  # noqa: E501

import sys

import numpy as np

from pinetum.data import load_dataset
from pinetum.distinct.engine import Engine
from pinetum.distinct.near_optimal import near_optimum
from pinetum.distinct.search import search_engine
from pinetum.elimination.replication.folds import FoldedTable
from pinetum.elimination.replication.protocol import MIN_CASES
from pinetum.workflow.config import load_yaml

MEMBERS, TRIED = 2_000, 60


def fold_line(folded, repeat, fold, work, cache_mb, rng):
    """Errors in percent and the number of best subsets of one fold, or None where no optimum is
    proved.
    """
    m = MIN_CASES
    building, search, training, held_out = folded.split(repeat, fold)
    start = folded.select(building, search, "bounded", m)
    engine = Engine(folded.data, folded.options(m), building, search, cache_mb=cache_mb)
    found = search_engine(engine, work=work, start=tuple(np.flatnonzero(start.selected).tolist()))
    if not found.proved:
        return None

    def error(subset):
        chosen = np.zeros(folded.data.n_features, dtype=bool)
        chosen[list(subset)] = True
        return 100 * folded.held_out_errors(training, held_out, m, chosen) / len(held_out)

    near = near_optimum(engine, found, 0, keep=MEMBERS, work=work)
    subsets = [near.members[i].subset for i in rng.permutation(len(near.members))[:TRIED]]
    errors = np.array([error(subset) for subset in subsets])
    widths = np.array([len(subset) for subset in subsets])
    largest = errors[widths == widths.max()].mean()
    return error(found.subset), errors.mean(), largest, errors.min(), errors.max(), near.trees


def main(name, work):
    config = load_yaml("config/config.yaml")
    settings, rng = config["elimination"], np.random.default_rng(0)
    cache_mb = settings["cache_mb"]
    folded = FoldedTable(name, load_dataset(name), settings["folds"], cache_mb, config["seed"])
    folds = [
        divmod(number, settings["folds"])
        for number in range(settings["repeats"] * settings["folds"])
    ]
    lines = [fold_line(folded, *at, work, cache_mb, rng) for at in folds]
    proved = np.array([line for line in lines if line is not None])
    told = ("smallest", "at random", "largest", "least error", "greatest error")
    print(
        f"{name}: {len(proved)} of {len(folds)} folds proved; best subsets: mean"
        f" {proved[:, -1].mean():,.1f}, median {np.median(proved[:, -1]):,.1f}"
    )
    print(
        ", ".join(
            f"{what} {value:.2f}" for what, value in zip(told, proved.mean(axis=0), strict=False)
        )
    )


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) * 1_000_000)
