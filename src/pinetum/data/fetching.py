"""The papers' data sets by name, for anyone: fetched once, checked, given as a frame and
classes.
"""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError
from pinetum.data.loading import load_catalogue
from pinetum.data.sources import Setting, mirror_of, serve
from pinetum.data.views import apply_view

NEAREST_FIRST = ("exact", "mirror", "package", "uci", "standin")


def fetch_dataset(name, folder=None):
    """A data set of the five papers, or a view on one, as the workflow reads it.

    Car, nursery, tic-tac-toe and the three monks are made from their definitions and need no
    network. The others come from a mirror (``PINETUM_MIRROR``), from an archive on the package
    index, or from UCI. Every file is checked by sha256 and every table by its counts; a stand-in is
    never given for the data that it stands for.

    Parameters
    ----------
    name : str
        A name of ``config/catalogue.yaml``, such as ``"car"`` or ``"heart-binary"``.
    folder : path, optional
        Where downloads are kept. By default ``pinetum/data`` in the user's cache folder.

    Returns
    -------
    X : DataFrame
        One column per feature: numbers, or categories with their declared values.
    y : Series
        The classes.

    Raises
    ------
    DataError
        The name is not in the catalogue; the nearest names are told.
    NoData
        No source could serve the data set; the reason of each is told.

    Examples
    --------
    >>> X, y = fetch_dataset("tic-tac-toe")
    >>> X.shape, y.value_counts().to_dict()
    ((958, 9), {'positive': 626, 'negative': 332})
    """
    catalogue = load_catalogue()
    known = catalogue["datasets"] | catalogue.get("views", {})
    if name not in known:
        raise DataError(
            f"{name!r} is not in the catalogue", cure=f"take one of {', '.join(sorted(known))}"
        )
    view = catalogue.get("views", {}).get(name)
    entry = catalogue["datasets"][view["of"] if view else name]
    sources = sorted(entry["sources"], key=lambda source: NEAREST_FIRST.index(*source))
    setting = Setting(
        mirror_of(""), Path(folder) if folder else cache_folder(), catalogue["archives"]
    )
    dataset = serve(name, {**entry, "sources": sources}, setting).dataset
    return frame_of(apply_view(name, dataset, view) if view else replace(dataset, name=name))


def cache_folder() -> Path:
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else Path.home() / ".cache", "pinetum", "data")


def frame_of(dataset: Dataset):
    """X as a frame of numbers and categories, y as a series of class names."""
    columns = {}
    for name, codes, values, continuous in zip(
        dataset.feature_names, dataset.codes, dataset.values, dataset.continuous, strict=True
    ):
        if continuous:
            column = np.full(len(codes), np.nan)  # no value is known of a column without any
            column[codes != MISSING] = values[codes[codes != MISSING]]
            columns[name] = column
        else:
            columns[name] = pd.Categorical.from_codes(codes, categories=list(values))
    return pd.DataFrame(columns), pd.Series(
        np.array(dataset.class_names)[dataset.labels], name="class"
    )
