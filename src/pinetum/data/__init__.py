"""Data sets: where they come from, how they are read, and the one table that every method takes."""

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError, NoData
from pinetum.data.loading import load_dataset

__all__ = ["DataError", "Dataset", "NoData", "load_dataset"]
