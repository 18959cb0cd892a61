"""Data sets: where they come from, how they are read, and the one table that every method takes."""

from arboretum.data.dataset import Dataset
from arboretum.data.errors import DataError, NoData
from arboretum.data.loading import load_dataset

__all__ = ["DataError", "Dataset", "NoData", "load_dataset"]
