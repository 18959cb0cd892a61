"""One plane with as few features as its error allows, for a table of any columns."""

from dataclasses import dataclass

import numpy as np

from pinetum.induction.cases import cases_of
from pinetum.parameters import Number, check
from pinetum.progress import watched
from pinetum.separators.exact import exact_minimum
from pinetum.separators.lp import ENDED, Deadline, SolverFailure, SolverOptions
from pinetum.separators.minimize import TOLERANCE, limited_features
from pinetum.separators.names import METHODS, method_of
from pinetum.separators.planes import EPSILON, Bench, Settings
from pinetum.separators.program import make_program
from pinetum.separators.tables import Coding, check_memory
from pinetum.separators.tree import plane_text


@dataclass(frozen=True, eq=False)
class FewFeatures:
    """A plane between two classes.

    Attributes
    ----------
    features : tuple of str
        Coded columns that it uses: numbers by their name, values as `column = value`.
    columns : tuple of str
        The columns of the table behind them.
    weights : array
        One per coded column, in the original units.
    offset : float
        The second class lies where ``weights . x > offset``.
    names : tuple of str
        All coded columns.
    error : float
        Average distance of misclassified cases in the linear program.
    full_error : float
        The same of the plane with all columns.
    bound : int
        No plane with an error as small uses fewer coded columns; 0 where `exact` was not asked for.
    status : str
        "ok": found by the heuristic; "optimal": proved; else the limit that ended it.
    """

    features: tuple[str, ...]
    columns: tuple[str, ...]
    weights: np.ndarray
    offset: float
    names: tuple[str, ...]
    error: float
    full_error: float
    bound: int
    status: str

    def __str__(self) -> str:
        return plane_text(self.weights, self.offset, list(self.names))


def minimize_features(
    X,
    y=None,
    *,
    method="FM_RLP",
    n_features=None,
    exact=False,
    scaling="z",
    tolerance=TOLERANCE,
    epsilon=EPSILON,
    start="previous",
    time_limit=None,
    verbose=0,
) -> FewFeatures:
    """Find a plane between two classes that needs as few columns as its error allows.

    Parameters
    ----------
    X : DataFrame or array of shape (cases, columns), or Table
        Discrete columns become 0/1 indicators; missing numbers become the mean, missing values the
        most frequent one.
    y : array of shape (cases,) of two classes; none for a Table, which knows its classes
    method : {"FM_RLP", "FM_RLP-P"}, default "FM_RLP"
        ``-P`` also keeps weights small.
    n_features : int, optional
        The best plane found with at most so many coded columns, whatever its error.
    exact : bool, default False
        Prove the least number by mixed-integer programs, which takes its time.
    scaling : {"z", "unit", "raw"}, default "z"
    tolerance : float, default 1.1
        Error allowed as a multiple of the error with all columns.
    epsilon : float, default 0.02
        Weight of the sum of absolute weights in the method with ``-P``, below 1.
    start : {"previous", "lp", "zero"}, default "previous"
        Start of Algorithm 4.1.
    time_limit : float, optional
        Seconds; then, as after Ctrl-C, the best plane so far is given with what is proved.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Returns
    -------
    FewFeatures

    See Also
    --------
    SeparatorClassifier : trees of such planes, for any number of classes, that predict.

    Notes
    -----
    Algorithms 4.1 and 4.2 of Bredensteiner and Bennett (1996); with `n_features` their problem (9).

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"age": [20.0, 30, 40, 50, 60, 70], "shoe": [41.0, 39, 44, 40, 42, 43]})
    >>> found = minimize_features(X, ["no", "no", "no", "yes", "yes", "yes"], exact=True)
    >>> found.features, found.bound, found.status
    (('age',), 1, 'optimal')
    """
    if not method_of(method).minimizes:
        raise ValueError(
            f"method = {method!r}: allowed are"
            f" {', '.join(m for m in METHODS if METHODS[m].minimizes)}"
        )
    known = {
        "tolerance": Number(1),
        "epsilon": Number(0, 1, below=True),
        "n_features": Number(0, whole=True, also=(None,)),
    }
    check(known, n_features=n_features, exact=exact, tolerance=tolerance, epsilon=epsilon)
    check(time_limit=time_limit, verbose=verbose)
    if exact and n_features is not None:
        raise ValueError("exact: the least number is proved; give it or n_features, not both")
    data = cases_of(X, y)
    if data.n_classes != 2:
        raise ValueError(
            f"{data.n_classes} classes: a plane separates two; SeparatorClassifier takes any number"
        )
    coding = Coding.fit(data)
    check_memory(data, coding)
    points = coding.points(data)
    deadline = Deadline(time_limit)
    solver = SolverOptions(deadline=deadline)
    settings = Settings(
        scaling=scaling, start=start, tolerance=tolerance, epsilon=epsilon, solver=solver
    )
    with watched("minimize_features", verbose):
        bench = Bench(points, data.labels == 1, settings)
        weight = bench.epsilon_of(method)
        full, _ = bench.best(weight)
        plane, bound, status = full, 0, "ok"
        try:
            if n_features is not None:
                plane = limited_features(bench.program, n_features, weight, full=full)
            else:
                found = bench.fit(method)
                plane = found.scaled
            if exact:
                delta, left = (
                    found.minimized.delta,
                    None if time_limit is None else max(0.0, deadline.left()),
                )
                least = exact_minimum(
                    bench.program.cases, delta, weight, known=plane.features, time_limit=left
                )
                bound, status = least.bound, least.status
                plane = make_program(bench.program.cases, None).best(weight, least.features)
        except SolverFailure as failure:
            if failure.status not in ENDED:
                raise
            status = failure.status
    fit = bench.told(plane)
    used = coding.places(data)[plane.features]
    return FewFeatures(
        features=tuple(coding.names[j] for j in plane.features),
        columns=tuple(data.feature_names[f] for f in np.unique(used)),
        weights=fit.weights,
        offset=fit.offset,
        names=coding.names,
        error=plane.error,
        full_error=full.error,
        bound=bound,
        status=status,
    )
