"""One data set with its folds, eliminations on them, and how shards share the folds of all."""

from typing import NamedTuple

import numpy as np

from pinetum.elimination.backward import Workspace, select_in, tree_errors
from pinetum.elimination.replication.protocol import BUILDING, RULES
from pinetum.induction import Grower, yadt
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds, stratified_split


class FoldedTable:
    """One data set, how its cases are parted, and room to work in."""

    def __init__(self, name, data, folds, cache_mb, seed, rules=RULES):
        self.name, self.data, self.folds, self.seed = name, data, folds, seed
        self.workspace = Workspace(data, cache_mb)
        self.rules = rules

    def split(self, repeat, fold):
        """Building, search, training (both) and held-out cases."""
        drawn_by = stream(self.seed, "elimination", self.name, "folds", repeat)
        numbers = stratified_folds(self.data.labels, self.folds, drawn_by)
        held_out, training = np.flatnonzero(numbers == fold), np.flatnonzero(numbers != fold)
        drawn_by = stream(self.seed, "elimination", self.name, "split", repeat, fold)
        building, search = stratified_split(self.data.labels[training], BUILDING, drawn_by)
        return training[building], training[search], training, held_out

    def options(self, m):
        return yadt(m).but(**self.rules)

    def select(self, building, search, way, m):
        table = self.workspace.table(self.data, building, search)
        return select_in(table, self.workspace, way=way, options=self.options(m))

    def used(self, building, m, selected):
        """The features that the tree of the selected ones uses on the building cases."""
        tree = Grower(self.data, self.options(m), cases=building).grow(np.flatnonzero(selected))
        used = np.zeros(self.data.n_features, dtype=bool)
        used[tree.feature[tree.feature >= 0]] = True
        return used

    def held_out_errors(self, training, held_out, m, features):
        table = self.workspace.table(self.data, training, held_out)
        return tree_errors(table, self.workspace, options=self.options(m), offered=features)


class Item(NamedTuple):
    """One fold of a row of Table 1, with m as the least number of cases of a node that is split."""

    row: str
    m: float
    repeat: int
    fold: int
    black_box: bool = False  # whether the slower ways run beside ours
    work: int = 0  # millions of steps that a complete search may take


def share_of(items, rows, shard) -> dict[str, list[tuple[dict, Item]]]:
    """By row the items of one shard ("1-of-4") with their keys.

    Items are dealt out in turn, so that every shard has folds of every data set; those with the
    black box, which cost the most, first. `turn` is an item's place in a run of all.
    """
    places = {row: place for place, row in enumerate(rows)}
    in_order = sorted(items, key=lambda item: (places[item.row], item.m, item.repeat, item.fold))
    costly_first = sorted(enumerate(in_order), key=lambda turn: not turn[1].black_box)
    number, shards = map(int, shard.split("-of-"))
    shared: dict[str, list] = {row: [] for row in rows}
    for turn, item in sorted(costly_first[number - 1 :: shards]):
        key = {"turn": turn, "row": item.row, "dataset": rows[item.row], "m": item.m}
        shared[item.row].append((key | {"repeat": item.repeat, "fold": item.fold}, item))
    return {row: mine for row, mine in shared.items() if mine}
