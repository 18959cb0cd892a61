"""The searches of an own table through Snakemake in one job and in three: the same records."""

import subprocess

import numpy as np
import pandas as pd
import yaml

from pinetum.workflow.reproduce import snakemake_command

WANTED = [
    f"results/own/mine/{name}.csv" for name in ("distinct", "distinct_best", "distinct_features")
]


def test_three_jobs_find_what_one_finds(tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({f"x{n}": rng.integers(0, 2 + n, 80) for n in range(6)})
    frame["y"] = np.where(
        (frame["x1"] > 1) ^ (frame["x3"] > 2) ^ (rng.random(80) < 0.1), "yes", "no"
    )
    frame.to_csv(tmp_path / "mine.csv", index=False)
    found = {}
    for shards in (1, 3):
        folder = tmp_path / f"in {shards}"
        folder.mkdir()
        entry = {
            "path": str(tmp_path / "mine.csv"),
            "class": "y",
            "distinct": {"shards": shards, "work": 100},
        }
        config = tmp_path / f"{shards}.yaml"
        config.write_text(yaml.safe_dump({"paper_studies": False, "tables": {"mine": entry}}))
        done = subprocess.run(
            snakemake_command(WANTED, 1, folder, config), capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-4000:]
        assert done.stderr.count("rule list_own_shard") == (shards if shards > 1 else 0)
        record, *rest = [
            pd.read_csv(folder / name, dtype=str, keep_default_na=False) for name in WANTED
        ]
        assert (
            record["optimum"].item() == "optimal" and record["near_optimal_status"].item() == "ok"
        )
        found[shards] = [record.drop(columns=["seconds", "built"]), *rest]
        assert not list(folder.glob("results/own/mine/shards/*.json"))
    for one, three in zip(*found.values(), strict=True):
        pd.testing.assert_frame_equal(one, three)
