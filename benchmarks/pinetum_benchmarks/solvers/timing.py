"""The four-set study, timed: our re-solved models against the same algorithms on other solvers, in
one run.
"""

import numpy as np
import pandas as pd

from pinetum.separators.lp import SolverFailure
from pinetum.separators.minimize import minimize
from pinetum.separators.names import METHODS
from pinetum.separators.planes import EPSILON
from pinetum.separators.replication.measure import folds_of, numbers_of
from pinetum.separators.scaling import Scaling
from pinetum.workflow.clocks import cpu_seconds
from pinetum.workflow.tables import absent, each_table
from pinetum_benchmarks.solvers.figures import solver_times
from pinetum_benchmarks.solvers.programs import WAYS

PATIENCE = 5.0  # CPU seconds after which a way is not repeated


def time_solvers(datasets, folds, folds_run, ways, repeats, seed, outputs):
    """The four-set study through several solvers, in one run: records, a table and a figure.

    Medians of runs that take turns, so that a slow spell of the machine meets all. Slow ways run
    once.
    """
    from pinetum.report import style

    common = {"folds": folds, "seed": seed}
    first = dict(list(datasets.items())[:1])
    for way in ways:  # imports and first calls of the solvers, outside the clock
        four_set_study(first, way, folds_run=1, **common)
    runs: dict[str, list] = {way: [] for way in ways}
    for _ in range(repeats):
        for way, done in runs.items():
            if done and "seconds" in done[0] and done[0]["seconds"].sum() > PATIENCE:
                continue
            done.append(pd.DataFrame(four_set_study(datasets, way, folds_run=folds_run, **common)))
    records = []
    for done in runs.values():
        table = done[0]
        if "seconds" in table:
            table["seconds"] = np.median([run["seconds"] for run in done], axis=0)
        records += table.to_dict("records")
    style.write_vector_forms(outputs.vector)
    style.save(solver_times(pd.DataFrame(records)), outputs.figure)
    return {"records": records, "table": solver_table(pd.DataFrame(records))}


def solver_table(records) -> pd.DataFrame:
    """CPU seconds per way, and how many times ours."""
    ran = records[records["status"] == "ok"]
    seconds = (
        ran.groupby("way", sort=False)["seconds"].sum() if len(ran) else pd.Series(dtype=float)
    )
    return pd.DataFrame(
        {
            "way": seconds.index,
            "seconds": seconds.to_numpy(),
            "seconds_over_ours": seconds.to_numpy() / seconds.iloc[:1].sum(),
        }
    )


def four_set_study(datasets, way, *, folds, folds_run, seed):
    """CPU seconds of modelling and solving per data set and method, summed over the folds of one
    repeat.
    """
    records = []
    for name, table in each_table(datasets):
        if absent(table):
            records.append(table | {"way": way})
            continue
        points, labels = numbers_of(table)
        numbers = folds_of(labels, name, 0, folds, seed)
        seconds = dict.fromkeys(METHODS, 0.0)
        found = dict.fromkeys(METHODS, 0)
        status = "ok"
        for fold in range(folds_run):
            training = numbers != fold
            scaled = Scaling.fit(points[training]).apply(points[training])
            begun = cpu_seconds()
            program = WAYS[way](scaled, labels[training] == 1)
            modelling = cpu_seconds() - begun
            full = {}
            for method in METHODS:
                epsilon = EPSILON if METHODS[method].light else 0.0
                begun = cpu_seconds()
                try:
                    if METHODS[method].minimizes:
                        plane = minimize(program, epsilon, full=full[epsilon]).plane
                    else:
                        plane = full[epsilon] = program.best(epsilon)
                except SolverFailure as failure:
                    status = failure.status
                    continue
                spent = cpu_seconds() - begun
                # Minimization stands on the LP before it; the model is shared, so each plain LP
                # pays half of it.
                seconds[method] += spent + (0.0 if METHODS[method].minimizes else modelling / 2)
                found[method] += len(plane.features)
        for method in METHODS:
            records.append(
                {
                    "dataset": name,
                    "way": way,
                    "method": method,
                    "status": status,
                    "folds": folds_run,
                    "features": found[method] / folds_run,
                    "seconds": seconds[method],
                    "note": "",
                }
            )
    return records
