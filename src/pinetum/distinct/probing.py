"""How large is a search before it is run: Knuth's estimator for backtrack programs.

A probe walks one random path down the search tree. A node reached with probability p stands for 1 /
p nodes, so the sum over the path is an unbiased estimate of the number of nodes, and likewise of
distinct trees. Sub-spaces differ by powers of two, so a child is drawn with a probability that
grows with the number of its optional features, 2 ** (tilt * number); pilot probes choose the tilt,
fresh ones estimate.
"""

import time
from dataclasses import dataclass

import numpy as np

from pinetum.distinct.engine import Engine
from pinetum.induction import yadt
from pinetum.induction.cases import cases_of
from pinetum.parameters import COUNT, check
from pinetum.progress import look, watched
from pinetum.randomness import stream

TILTS = (0.0, 0.25, 0.5, 0.75, 1.0)
PILOT = 6  # probes per tilt


@dataclass(frozen=True)
class Estimate:
    distinct: float
    distinct_se: float
    built: float
    built_se: float
    seconds: float  # of one core, at the rate of a short run
    seconds_se: float
    probes: int
    tilt: float
    seconds_spent: float


def probe(engine, required, optional, rng, tilt, order="ascending"):
    """(distinct, built, work) as one random path estimates them."""
    return engine.probe(required, optional, rng.random(engine.n_features + 1), tilt, order=order)


def best_tilt(
    engine, required, optional, rng, order="ascending", pilot=PILOT, seconds=None, work=None
):
    """The tilt whose pilot probes are largest in the mean of the logarithm.

    Every tilt gives the same expectation, and by Jensen's inequality the mean logarithm falls short
    of its logarithm by how badly the probabilities fit the sub-spaces. (The spread is no guide: a
    tilt that hardly ever meets the large sub-spaces gives small numbers that vary little.)
    """
    begun, ends = time.process_time(), None if work is None else engine.work + work
    fit = {}
    for tilt in TILTS:
        logs = []
        for _ in range(pilot):
            logs.append(np.log(probe(engine, required, optional, rng, tilt, order)[1]))
            if seconds is not None and time.process_time() - begun > seconds and len(logs) > 1:
                break
            if ends is not None and engine.work >= ends:
                break
        fit[tilt] = np.mean(logs)
        if ends is not None and engine.work >= ends:
            break
    return max(fit, key=lambda tilt: fit[tilt])


def estimate_trees(
    X,
    y=None,
    *,
    min_cases=2,
    criterion="gain",
    options=None,
    cases=None,
    probes=400,
    time_limit=None,
    random_state=0,
    cache_mb=1000,
    verbose=0,
) -> Estimate:
    """Estimate how many distinct trees there are, and how long `count_trees` would take, without
    counting.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, features), or Table
    y : array of shape (cases,); none for a Table, which knows its classes
    min_cases, criterion, options, cases, cache_mb, verbose
        As in `count_trees`.
    probes : int, default 400
        Random paths down the search.
    time_limit : float, optional
        CPU seconds, after which the estimate stands on the probes made so far, as it does after
        Ctrl-C.
    random_state : int, default 0
        Names the paths.

    Returns
    -------
    Estimate
        Numbers of trees with their standard errors, and the seconds of one core.

    Notes
    -----
    Knuth's estimator for backtrack programs: unbiased, whatever the paths.

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> estimate_trees(sample(missing=False), min_cases=30, probes=20).distinct > 0
    True
    """
    check(
        {"probes": COUNT},
        min_cases=min_cases,
        probes=probes,
        time_limit=time_limit,
        verbose=verbose,
    )
    check(random_state=random_state)
    engine = Engine(cases_of(X, y), options or yadt(min_cases, criterion), cases, cache_mb=cache_mb)
    with watched("estimate_trees", verbose):
        return estimate(
            engine, stream(random_state, "subsets", "probes"), probes=probes, seconds=time_limit
        )


def estimate(
    engine,
    rng,
    required=(),
    optional=None,
    *,
    order="ascending",
    probes=400,
    seconds=5.0,
    work=None,
) -> Estimate:
    """Numbers of distinct and built trees with standard errors, and the seconds an enumeration
    would take.

    At most `probes` probes and about `seconds` of CPU, of which a third goes to measuring the rate.
    With seconds=None all probes are made, whatever they take, and the numbers of trees are the same
    in every run. With `work`, in steps, they end there, two at least, and the numbers are the same
    in every run too.
    """
    begun, first = time.process_time(), engine.work
    seconds = seconds if work is None else None
    optional = tuple(range(engine.n_features)) if optional is None else tuple(optional)
    pilot = None if work is None else work // 3
    tilt = best_tilt(
        engine, required, optional, rng, order, seconds=seconds and seconds / 30, work=pilot
    )
    found: list = []
    while len(found) < max(2, probes):
        late = seconds is not None and time.process_time() - begun > seconds * 2 / 3
        if len(found) >= 2 and (
            late or look(lambda: f"{len(found):,} probes", len(found) / probes)
        ):
            break
        if work is not None and len(found) >= 2 and engine.work - first > work * 2 / 3:
            break
        found.append(probe(engine, required, optional, rng, tilt, order))
    results = np.array(found)
    mean = results.mean(axis=0)
    error = results.std(axis=0, ddof=1) / np.sqrt(len(results))
    engine.begin(required, optional, order=order)
    clock = time.process_time()
    engine.run(
        seconds=1.0 if seconds is None else seconds / 3, work=None if work is None else work // 3
    )
    each = (time.process_time() - clock) / max(1, engine.built)
    return Estimate(
        distinct=float(mean[0]),
        distinct_se=float(error[0]),
        built=float(mean[1]),
        built_se=float(error[1]),
        seconds=float(mean[1] * each),
        seconds_se=float(error[1] * each),
        probes=len(results),
        tilt=tilt,
        seconds_spent=time.process_time() - begun,
    )
