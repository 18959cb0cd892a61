"""Data sets: where they come from, how they are read, and the one table that every method takes."""

from pinetum.data.dataset import Dataset
from pinetum.data.encoding import Encoding
from pinetum.data.errors import DataError, DataWarning, NoData
from pinetum.data.loading import load_dataset
from pinetum.data.table import Table

__all__ = ["DataError", "DataWarning", "Dataset", "Encoding", "NoData", "Table", "load_dataset"]
