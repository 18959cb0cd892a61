"""Best subsets by cross-validation: errors, what is proved, CPU seconds and megabytes, a line for
each data set.

    python benchmarks/programs/proved_subsets.py FOLDS CPU_SECONDS CACHE_MB heart hepatitis vote    # 0 folds: one split

A node with fewer than two cases is a leaf. Data come from `results/data`.
"""  # noqa: E501

import sys

from pinetum import best_subset, cross_validation, hold_out
from pinetum.data import load_dataset
from pinetum.data.sample import sample
from pinetum.tiers import compile_at_once


def measure(name, folds, seconds, cache_mb):
    """One line."""
    data = load_dataset(name)
    objective = cross_validation(data, folds) if folds else hold_out(data)
    found = best_subset(data, objective=objective, time_limit=seconds, cache_mb=cache_mb)
    print(
        f"{name:12} {folds} folds: all features {found.top_errors:g}, elimination"
        f" {found.start_errors:g}, best {found.errors:g}, bound {found.bound:g}, gap {found.gap:g},"
        f" {found.status}, ties {'proved' if found.ties_proved else 'open'}, {len(found.subset)} of"
        f" {data.n_features} features, {found.built:,} trees, {found.seconds:.1f} s,"
        f" {found.cache_mb:,.0f} MB",
        flush=True,
    )


if __name__ == "__main__":
    compile_at_once()
    folds, seconds, cache_mb, *names = sys.argv[1:]
    for missing in (False, True):
        best_subset(sample(missing=missing))  # compiles
    for name in names:
        measure(name, int(folds), float(seconds), float(cache_mb))
