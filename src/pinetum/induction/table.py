"""What growers read: the encoded table with its presorted columns, as arrays a kernel can take."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import MISSING, MOST_WHOLE_CASES
from pinetum.data.dataset import Dataset
from pinetum.induction.kernels.presort import order_by_code
from pinetum.induction.kernels.quality import nlogn_table


class Table(NamedTuple):
    """A data set for kernels; shared by all growers of the data set, its folds included."""

    codes: np.ndarray  # int32 (features, cases), -1 missing
    labels: np.ndarray  # int32 (cases,)
    arity: np.ndarray  # int32 (features,)
    continuous: np.ndarray  # bool (features,)
    values: np.ndarray  # float64, all continuous features' distinct values, end to end
    value_start: np.ndarray  # int64 (features + 1,); empty stretch for a discrete feature
    order: np.ndarray  # int64 (continuous features, cases): entries of the known cases by rank code, see `kernels.cuts`
    order_row: np.ndarray  # int32 (features,): row in `order`, or -1
    order_size: np.ndarray  # int64 (continuous features,): number of known cases
    lacking: np.ndarray  # bool (features,): whether any case lacks the feature's value
    nlogn: np.ndarray  # int64 (cases + 1,)
    n_classes: int
    class_bits: int
    case_bits: int


def presort(data: Dataset) -> Table:
    """Order every continuous feature once."""
    if data.n_cases > MOST_WHOLE_CASES:
        raise ValueError(f"{data.name}: {data.n_cases:,} cases; growers take at most {MOST_WHOLE_CASES:,}")
    class_bits = max(1, (data.n_classes - 1).bit_length())
    case_bits = max(1, (data.n_cases - 1).bit_length())
    if class_bits + case_bits + int(data.arity.max(initial=0)).bit_length() > 63:
        raise ValueError(f"{data.name}: {data.n_classes:,} classes are too many for as many cases and values")
    continuous = np.ascontiguousarray(data.continuous, dtype=np.bool_)
    order_row = np.full(data.n_features, -1, dtype=np.int32)
    order_row[continuous] = np.arange(np.count_nonzero(continuous))
    order = np.empty((np.count_nonzero(continuous), data.n_cases), dtype=np.int64)
    sizes = np.zeros(len(order), dtype=np.int64)
    codes = np.ascontiguousarray(data.codes, dtype=np.int32)
    labels = np.ascontiguousarray(data.labels, dtype=np.int32)
    order_by_code(codes, labels, data.arity, order_row, case_bits, class_bits, order, sizes)
    lacking = np.empty(data.n_features, dtype=np.bool_)
    lacking[continuous] = sizes < data.n_cases
    for feature in np.flatnonzero(~continuous):
        lacking[feature] = (codes[feature] == MISSING).any()
    lengths = np.where(continuous, data.arity, 0).astype(np.int64)
    pieces = [np.asarray(v, dtype=np.float64) for v, c in zip(data.values, continuous, strict=True) if c]
    return Table(
        codes=codes,
        labels=labels,
        arity=data.arity,
        continuous=continuous,
        values=np.concatenate(pieces) if pieces else np.empty(0),
        value_start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        order=order,
        order_row=order_row,
        order_size=sizes,
        lacking=lacking,
        nlogn=nlogn_table(data.n_cases),
        n_classes=data.n_classes,
        class_bits=class_bits,
        case_bits=case_bits,
    )
