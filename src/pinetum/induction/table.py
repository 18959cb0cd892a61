"""What growers read: the encoded table with its presorted columns, as arrays a kernel can take."""

import numpy as np

from pinetum.constants import MISSING, MOST_WHOLE_CASES
from pinetum.data.dataset import Dataset
from pinetum.induction.kernels.bundles import Table
from pinetum.induction.kernels.presort import order_by_code
from pinetum.induction.kernels.quality import nlogn_table
from pinetum.induction.kernels.ranks import Room, rank_columns, transpose_block

BLOCK = 8  # columns that are encoded together,
CELLS = 1 << 15  # and more of them where they are short
WORTH_THREADS = (
    1 << 18
)  # cells of a table that threads share; they are slower to begin than a smaller one is to sort


def rank_numbers(table: np.ndarray, labels: np.ndarray, n_classes: int, n_jobs=None):
    """A table of numbers (cases, features), NaN where missing: codes, distinct values, and what
    `presort` takes.

    One sort per column gives both the encoding and the presorted entries of `presort`. `n_jobs`
    threads share the columns, with the same answer for any number of them.
    """
    n_cases, n_features = table.shape
    codes = np.empty((n_features, n_cases), dtype=np.int32)
    order = np.empty((n_features, n_cases), dtype=np.int64)
    shape = np.empty((n_features, 2), dtype=np.int64)  # known cases, distinct values
    threads = threads_for(table.size, n_jobs)
    block = min(max(BLOCK, CELLS // n_cases), -(-n_features // threads))
    together = max(1, CELLS // n_cases)  # columns that are ranked in one call
    starts, bits = range(0, n_features, block), bits_of_entries(n_cases, n_classes)
    values_from: dict[int, np.ndarray] = {}

    def rank_blocks(starts):
        columns, distinct = np.empty((block, n_cases)), np.empty((block, n_cases))
        room = Room(
            place=np.empty(2 * n_cases + 1026, dtype=np.int64),
            keys=np.empty((2, n_cases), dtype=np.uint64),
            order=np.empty((2, n_cases), dtype=np.int32),
        )
        for first in starts:
            last = min(first + block, n_features)
            here = columns[: last - first]
            if table.flags.c_contiguous:
                transpose_block(table, first, here)
            else:
                np.add(table[:, first:last].T, 0.0, out=here)  # no minus zero
            for j in range(0, last - first, together):  # Python answers Ctrl-C in between
                some = slice(j, j + together)
                rank_columns(
                    here[some],
                    here[some].view(np.uint64),
                    labels,
                    *bits,
                    room,
                    codes[first:last][some],
                    order[first:last][some],
                    shape[first:last][some],
                    distinct[some].view(np.uint64),
                )
            values_from[first] = np.concatenate(
                [distinct[j - first, : shape[j, 1]] for j in range(first, last)]
            )

    if threads == 1:
        rank_blocks(starts)
    else:
        from joblib import Parallel, delayed

        Parallel(threads, require="sharedmem")(
            delayed(rank_blocks)(starts[i::threads]) for i in range(threads)
        )
    values = np.concatenate([values_from[first] for first in starts])
    ends = np.cumsum(shape[:, 1]).tolist()
    return (
        codes,
        tuple(values[a:b] for a, b in zip([0, *ends], ends, strict=False)),
        order,
        shape[:, 0].copy(),
        values,
    )


def threads_for(cells: int, n_jobs) -> int:
    """How many threads share a table of so many cells; `n_jobs` as scikit-learn counts them."""
    if n_jobs in (None, 1) or cells < WORTH_THREADS:
        return 1
    from joblib import effective_n_jobs

    return effective_n_jobs(n_jobs)


def end_to_end(pieces: list[np.ndarray]) -> np.ndarray:
    """Arrays of float64 in one: the one that they are the pieces of, in order, or a copy."""
    base = pieces[0].base if pieces else None
    if (
        isinstance(base, np.ndarray)
        and base.dtype == np.float64
        and base.ndim == 1
        and base.flags.c_contiguous
    ):
        starts = base.ctypes.data + 8 * np.cumsum([0, *map(len, pieces)])
        at_home = all(p.base is base and p.flags.c_contiguous for p in pieces)
        at_home &= all(p.ctypes.data == start for p, start in zip(pieces, starts, strict=False))
        if at_home and starts[-1] == base.ctypes.data + base.nbytes:
            return base
    return np.concatenate(pieces) if pieces else np.empty(0)


def bits_of_entries(n_cases: int, n_classes: int) -> tuple[int, int]:
    """Bits of a case and of a class in an entry."""
    return max(1, (n_cases - 1).bit_length()), max(1, (n_classes - 1).bit_length())


def presort(data: Dataset, ranked=None) -> Table:
    """Order every continuous feature once.

    `ranked`: entries, known cases and values from `rank_numbers`, in order.
    """
    if data.n_cases > MOST_WHOLE_CASES:
        raise ValueError(
            f"{data.name}: {data.n_cases:,} cases; growers take at most {MOST_WHOLE_CASES:,}"
        )
    case_bits, class_bits = bits_of_entries(data.n_cases, data.n_classes)
    if class_bits + case_bits + int(data.arity.max(initial=0)).bit_length() > 63:
        raise ValueError(
            f"{data.name}: {data.n_classes:,} classes are too many for as many cases and values"
        )
    continuous = np.ascontiguousarray(data.continuous, dtype=np.bool_)
    order_row = np.full(data.n_features, -1, dtype=np.int32)
    order_row[continuous] = np.arange(np.count_nonzero(continuous))
    codes = np.ascontiguousarray(data.codes, dtype=np.int32)
    labels = np.ascontiguousarray(data.labels, dtype=np.int32)
    if ranked is None:
        pieces = [
            np.asarray(v, dtype=np.float64)
            for v, c in zip(data.values, continuous, strict=True)
            if c
        ]
        values = end_to_end(pieces)
        order = np.empty((np.count_nonzero(continuous), data.n_cases), dtype=np.int64)
        sizes = np.zeros(len(order), dtype=np.int64)
        order_by_code(codes, labels, data.arity, order_row, case_bits, class_bits, order, sizes)
    else:
        order, sizes, values = ranked
    lacking = np.empty(data.n_features, dtype=np.bool_)
    lacking[continuous] = sizes < data.n_cases
    for feature in np.flatnonzero(~continuous):
        lacking[feature] = (codes[feature] == MISSING).any()
    lengths = np.where(continuous, data.arity, 0).astype(np.int64)
    return Table(
        codes=codes,
        labels=labels,
        arity=data.arity,
        continuous=continuous,
        values=values,
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
