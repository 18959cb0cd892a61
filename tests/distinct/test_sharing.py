"""A search for the best subset in shards: the answer of one search, whoever searches what, killed
or not.
"""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from pinetum.data.dataset import Dataset
from pinetum.distinct import sharing
from pinetum.distinct.engine import Engine
from pinetum.distinct.objective import Objective, cross_validation
from pinetum.distinct.search import search_engine
from pinetum.induction import yadt


def case(seed, random_case):
    dataset, options, _, _ = random_case(seed)
    rng = np.random.default_rng([seed, 7])
    fold_of = rng.permutation(np.arange(dataset.n_cases) % int(rng.integers(2, 4)))
    parts = [
        (np.flatnonzero(fold_of != f), np.flatnonzero(fold_of == f))
        for f in range(fold_of.max() + 1)
    ]
    penalties = {
        "feature_penalty": float(rng.choice([0, 0.5])),
        "leaf_penalty": float(rng.choice([0, 0.1])),
    }
    return dataset, options, Objective(parts, **penalties)


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_shards_find_what_one_search_finds(shards, random_case, tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "BETWEEN_LOOKS", 300)
    monkeypatch.setattr(sharing, "SUB_SPACES", 3)
    for seed in range(70_000, 70_030):
        dataset, options, objective = case(seed, random_case)
        whole = search_engine(Engine(dataset, options, objective=objective, cache_mb=0.5))
        given = {
            "objective": objective,
            "options": options,
            "folder": tmp_path / str(seed),
            "shards": shards,
        }
        order = np.random.default_rng(seed).permutation(shards).tolist()
        found = [
            sharing.search_shard(dataset, shard=shard, cache_mb=1, **given) for shard in order
        ][-1]
        assert (found.errors, found.subset, found.proved) == (
            whole.errors,
            whole.subset,
            True,
        ), seed
        assert found.finished == found.sub_spaces


def test_a_shard_that_is_cut_short_goes_on_where_it_was(random_case, tmp_path, monkeypatch):
    monkeypatch.setattr(sharing, "BETWEEN_LOOKS", 300)
    monkeypatch.setattr(sharing, "SUB_SPACES", 3)
    gone_on = 0
    for seed in range(70_100, 70_115):
        dataset, options, objective = case(seed, random_case)
        whole = search_engine(Engine(dataset, options, objective=objective, cache_mb=0.5))
        given = {
            "objective": objective,
            "options": options,
            "folder": tmp_path / str(seed),
            "cache_mb": 1,
        }
        found = sharing.search_shard(dataset, work=1, **given)
        finished, rounds = [found.finished], 1
        while not found.proved:
            found = sharing.search_shard(dataset, work=100 * 2**rounds, **given)
            finished.append(found.finished)
            rounds += 1
        assert finished == sorted(finished) and (found.errors, found.subset) == (
            whole.errors,
            whole.subset,
        ), seed
        gone_on += rounds > 1
    assert gone_on  # some were cut short


SLOW_SHARD = """
import sys, time
from pinetum.data.dataset import Dataset
from pinetum.distinct import sharing
write = sharing.Shared.write
sharing.Shared.write = lambda shared: (write(shared), time.sleep(0.05))
sharing.BETWEEN_LOOKS = 3000
sharing.search_shard(Dataset.load(sys.argv[1]), folder=sys.argv[2], cache_mb=4)
"""


def finished_in(folder):
    """Sub-spaces that the file of the only shard says are finished."""
    file = folder / "shard-0.json"
    return json.loads(file.read_text())["done"] if file.exists() else []


def test_a_search_that_is_killed_gives_the_same_answer(tables, tmp_path):
    """Three processes are killed in mid-search, without a word.

    The fourth goes on from their file to the end.
    """
    dataset = tables(np.random.default_rng(4), 12)
    whole = search_engine(Engine(dataset, yadt(2), objective=cross_validation(dataset)))
    dataset.save(tmp_path / "table.npz")
    folder = tmp_path / "shards"
    folder.mkdir()
    kept = []
    for _ in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", SLOW_SHARD, tmp_path / "table.npz", folder]
        )
        while len(finished_in(folder)) < len(kept) + 5 and process.poll() is None:
            time.sleep(0.01)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert finished_in(folder)[: len(kept)] == kept  # nothing that was finished is lost
        kept = finished_in(folder)
    found = sharing.search_shard(Dataset.load(tmp_path / "table.npz"), folder=folder, cache_mb=4)
    assert finished_in(folder)[: len(kept)] == kept and found.sub_spaces > len(kept) >= 15
    assert (found.errors, found.subset, found.proved) == (whole.errors, whole.subset, True)


def test_a_shard_learns_from_another_s_file(random_case, tmp_path):
    dataset, options, objective = case(70_003, random_case)
    given = {"objective": objective, "options": options, "folder": tmp_path, "cache_mb": 1}
    sharing.search_shard(dataset, shard=0, shards=2, **given)
    file = tmp_path / "shard-0.json"
    told = json.loads(file.read_text())
    file.write_text(json.dumps({**told, "best": [-1, [0]]}))  # better than anything
    assert sharing.search_shard(dataset, shard=1, shards=2, **given).errors == -1 / objective.unit
    other = Objective(objective.parts, leaf_penalty=2)
    with pytest.raises(ValueError, match="another table"):
        sharing.search_shard(dataset, shard=1, shards=2, **{**given, "objective": other})
    with pytest.raises(ValueError, match="shard = 2"):
        sharing.search_shard(dataset, shard=2, shards=2, **given)


def test_processes_of_one_machine_find_the_same(random_case, tmp_path):
    dataset, options, objective = case(70_005, random_case)
    found = [
        sharing.search_shards(
            dataset,
            objective=objective,
            options=options,
            folder=tmp_path / str(n),
            n_jobs=n,
            cache_mb=1,
        )
        for n in (1, 2)
    ]
    assert found[0] == found[1] and found[0].proved
