"""Balance of shards, bounds of the wall time, work that limits allow, and the simulated
scheduler.
"""

import os
from pathlib import Path

import pytest

from cost import cost_table
from pinetum.workflow.config import load_yaml, merged
from scaling import declared_work, read_jobs, shard_table, wall_table, write_scaling
from scheduler import simulate, study, table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmarks(tmp_path):
    jobs = {
        "kernels/nbdt": 4,
        "pruning/networks/1-of-2": 10,
        "pruning/networks/2-of-2": 30,
        "pruning/networks/1-of-1": 500,  # of an earlier run
        "pruning/summary": 6,
        "nbdt/folds": 10,
    }
    for number, (name, seconds) in enumerate(jobs.items()):
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"s\tmax_rss\tcpu_time\n{seconds}\t100\t{seconds}\n")
        os.utime(path, (0, 0) if "1-of-1" in name else (number + 1, number + 1))
    return tmp_path


def test_shards_of_an_earlier_run_do_not_count(benchmarks):
    jobs = read_jobs(benchmarks)
    assert len(jobs) == 5
    (row,) = shard_table(jobs).to_dict("records")
    assert row["shards"] == 2 and row["rate_longest_over_mean"] == 1.5


def test_wall_time_is_bounded_by_work_and_by_the_longest_chain(benchmarks):
    table = wall_table(read_jobs(benchmarks)).set_index("cores")
    assert table.loc[1, "at_least"] == table.loc[1, "at_most"] == pytest.approx(1.0)  # 60 s of work
    assert table.loc[128, "at_least"] == pytest.approx(0.5)  # the shard of 30 s
    assert table.loc[128, "at_most"] == pytest.approx((60 + 127 * (4 + 30 + 6)) / 128 / 60)
    assert (table["at_least"] <= table["at_most"]).all()


def test_full_allows_more_work_than_the_default_and_the_page_says_so(benchmarks, tmp_path):
    base = load_yaml(str(ROOT / "config/config.yaml"))
    full = merged(base, load_yaml(str(ROOT / "config/full.yaml")))
    here, there = (
        declared_work(config).set_index("search")["core_hours_at_most"] for config in (base, full)
    )
    assert (there >= here).all() and there.sum() > 10 * here.sum()
    jobs = read_jobs(benchmarks)
    write_scaling(
        tmp_path / "page.md", jobs, shard_table(jobs), {"this run": base, "full.yaml": full}, 15
    )
    text = (tmp_path / "page.md").read_text()
    assert "| pruning: networks | 2 | 20.0 | 1.50 |" in text and "| 128 |" in text


def test_a_simulated_cluster_without_delays_is_as_fast_as_its_cores():
    fast = simulate(1000, 10, 60, submissions=1e9, start=0, look=1e-6)
    assert fast["used"] > 0.97


def test_submissions_bound_the_busy_cores():
    slow = simulate(20_000, 10_000, 60)
    assert slow["busy_cores"] <= 5 * 60 * 1.02  # five a second, a minute each


def test_the_page_shows_what_the_simulation_says():
    text = (ROOT / "notes/ten_thousand_cores.md").read_text(encoding="utf-8")
    assert table(study()) in text, "run: python tools/scheduler.py"


def test_cost_sums_the_benchmarks_of_a_room(tmp_path):
    for name, seconds in (("nbdt/a", 2.0), ("nbdt/b", 3.0), ("data/c", 1.0)):
        path = tmp_path / f"{name}.tsv"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"s\tmax_rss\tcpu_time\n{seconds}\t100\t{2 * seconds}\n")
    table = cost_table(tmp_path).set_index("study")
    assert table.loc["nbdt", "seconds_core"] == 10 and table.loc["nbdt", "longest_job"] == "nbdt/b"
    assert table.loc["total", "jobs"] == 3
