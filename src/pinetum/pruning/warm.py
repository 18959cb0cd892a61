"""Compile every kernel of the study."""

from pinetum.data.sample import sample
from pinetum.pruning.evolution import search
from pinetum.pruning.evolution.sources import PURPOSES, material
from pinetum.pruning.pruners import BEYOND, PAPER
from pinetum.pruning.readings import Reading
from pinetum.pruning.replication.measure import network_records, table_records
from pinetum.pruning.table import table_of


def warm_up():
    network_records(0, range(1), Reading(), BEYOND, purpose="warm-up")
    table_records(table_of(sample(continuous=False)), 0, 1, Reading(), (*PAPER, *BEYOND))
    trees = material(0, PURPOSES[0], 60)
    search.Search(search.Settings(stages=(60,), check=10), trees, trees, search.begin(0, 0)).run(20)
