"""Compile every kernel of the room."""

from arboretum.data.sample import sample
from arboretum.pruning.evolution import search
from arboretum.pruning.evolution.study import PURPOSES, material
from arboretum.pruning.names import BEYOND, PAPER
from arboretum.pruning.readings import Reading
from arboretum.pruning.study import network_records, table_records
from arboretum.pruning.table import table_of


def warm_up():
    network_records(0, range(1), Reading(), BEYOND, purpose="warm-up")
    table_records(table_of(sample(continuous=False)), 0, 1, Reading(), (*PAPER, *BEYOND))
    trees = material(0, PURPOSES[0], 60)
    search.Search(search.Settings(stages=(60,), check=10), trees, trees, search.begin(0, 0)).run(20)
