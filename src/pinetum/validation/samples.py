"""Samples of tables that are too large for a method."""

from pinetum.validation.folds import stratified_split

FEWEST = 50  # cases of a sample


def within_cells(dataset, cells, rng, columns=None):
    """(the data set, or a stratified sample of its cases with at most so many cells; a note on it).

    Parameters
    ----------
    dataset : Dataset
    cells : int
        Most cases times columns.
    rng : numpy Generator
        Draws the sample; untouched where none is needed.
    columns : int, optional
        Columns that count; those of the data set if None.

    Examples
    --------
    >>> from pinetum.data.sample import sample
    >>> import numpy as np
    >>> part, note = within_cells(sample(), 200, np.random.default_rng(0))
    >>> part.n_cases, note
    (50, 'a sample of 50 of 60 cases')
    """
    most = max(FEWEST, int(cells) // max(1, dataset.n_features if columns is None else columns))
    if dataset.n_cases <= most:
        return dataset, ""
    chosen, _ = stratified_split(dataset.labels, most / dataset.n_cases, rng)
    return dataset.take_cases(chosen), f"a sample of {len(chosen):,} of {dataset.n_cases:,} cases"


def joined(*notes) -> str:
    """The notes that say something."""
    return "; ".join(note for note in notes if note)
