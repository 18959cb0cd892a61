"""What growers read: the encoded table with its presorted columns, as arrays a kernel can take."""

from typing import NamedTuple

import numpy as np

from pinetum.constants import CASE_BITS, MOST_CASES
from pinetum.data.dataset import Dataset
from pinetum.induction.kernels.presort import order_by_code
from pinetum.induction.kernels.quality import nlogn_table

FEW_VALUES = 64  # a continuous feature with no more distinct values than this is never presorted,
CASES_PER_VALUE = 8  # nor one with this many cases or more per distinct value


class Table(NamedTuple):
    """A data set for kernels; shared by all growers of the data set, its folds included."""

    codes: np.ndarray  # int32 (features, cases), -1 missing
    labels: np.ndarray  # int32 (cases,)
    arity: np.ndarray  # int32 (features,)
    continuous: np.ndarray  # bool (features,)
    values: np.ndarray  # float64, all continuous features' distinct values, end to end
    value_start: np.ndarray  # int64 (features + 1,); empty stretch for a discrete feature
    order: np.ndarray  # int32 (presorted features, cases): known cases by rank code
    order_row: np.ndarray  # int32 (features,): row in `order`, or -1
    order_size: np.ndarray  # int64 (presorted features,): number of known cases
    nlogn: np.ndarray  # int64 (cases + 1,)
    n_classes: int
    class_bits: int


def presort(data: Dataset) -> Table:
    """Order every continuous feature with many distinct values once; the others need no order."""
    if data.n_cases > MOST_CASES:
        raise ValueError(f"{data.name}: {data.n_cases:,} cases; growers take at most {MOST_CASES:,}")
    class_bits = max(1, (data.n_classes - 1).bit_length())
    if data.n_features and max(int(data.arity.max()) >> CASE_BITS, class_bits + 2 * CASE_BITS > 63):
        raise ValueError(
            f"{data.name}: a feature has more than {1 << CASE_BITS:,} values, or there are too many classes"
        )
    continuous = np.ascontiguousarray(data.continuous, dtype=np.bool_)
    many = continuous & (data.arity > FEW_VALUES) & (data.arity * CASES_PER_VALUE > data.n_cases)
    order_row = np.full(data.n_features, -1, dtype=np.int32)
    order_row[many] = np.arange(np.count_nonzero(many))
    order = np.empty((np.count_nonzero(many), data.n_cases), dtype=np.int32)
    sizes = np.zeros(len(order), dtype=np.int64)
    codes = np.ascontiguousarray(data.codes, dtype=np.int32)
    for feature in np.flatnonzero(many):
        row = order_row[feature]
        sizes[row] = order_by_code(codes[feature], int(data.arity[feature]), order[row])
    lengths = np.where(continuous, data.arity, 0).astype(np.int64)
    pieces = [np.asarray(v, dtype=np.float64) for v, c in zip(data.values, continuous, strict=True) if c]
    return Table(
        codes=codes,
        labels=np.ascontiguousarray(data.labels, dtype=np.int32),
        arity=data.arity,
        continuous=continuous,
        values=np.concatenate(pieces) if pieces else np.empty(0),
        value_start=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        order=order,
        order_row=order_row,
        order_size=sizes,
        nlogn=nlogn_table(data.n_cases),
        n_classes=data.n_classes,
        class_bits=class_bits,
    )
