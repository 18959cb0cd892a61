"""Held-out errors of the trees that cross-validation grows, all from one presorted table."""

import numpy as np

from pinetum.data.dataset import Dataset
from pinetum.induction.grower import Grower
from pinetum.induction.options import Options


def cross_val_errors(
    table: Dataset, options: Options | None, folds, *, features=None
) -> np.ndarray:
    """Errors of the trees that are grown without each fold, on the cases of the fold.

    Parameters
    ----------
    table : Dataset or Table
        All cases; its columns are ordered once, however many folds there are.
    options : Options, optional
        The rules of the trees, `yadt()` when None.
    folds : array of shape (cases,)
        Fold of every case, a whole number; cases of a negative fold only train.
    features : array, optional
        Indices of the features on offer; all of them when left out.

    Returns
    -------
    array of shape (folds,)
        Cases of each fold that its tree labels wrongly, in rising order of the folds' numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from pinetum.data.sample import sample
    >>> data = sample()
    >>> errors = cross_val_errors(data, None, np.arange(data.n_cases) % 5)
    >>> errors.shape
    (5,)
    """
    fold_of = np.asarray(folds)
    if fold_of.shape != (table.n_cases,) or fold_of.dtype.kind not in "iu":
        raise ValueError(f"folds: expected a whole number for each of {table.n_cases} cases")
    numbers = np.unique(fold_of[fold_of >= 0])
    if len(numbers) == 0 or (len(numbers) == 1 and (fold_of == numbers[0]).all()):
        raise ValueError(
            "folds: no case is left to train on, or none to test; give at least two folds"
        )
    errors = np.empty(len(numbers), dtype=np.int64)
    for i, number in enumerate(numbers):
        tree = Grower(table, options, cases=np.flatnonzero(fold_of != number)).grow(features)
        errors[i] = tree.errors(table, np.flatnonzero(fold_of == number))
    return errors
