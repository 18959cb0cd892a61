"""A table of one's own: an encoded data set that keeps how its columns were read."""

from dataclasses import asdict, dataclass
from pathlib import Path
from warnings import warn

import numpy as np

from pinetum.data import report
from pinetum.data.building import Source, build, read_column
from pinetum.data.dataset import Dataset
from pinetum.data.encoding import Encoding, Feature
from pinetum.data.errors import DataError, DataWarning
from pinetum.data.frames import arrow_column, as_frame, unique_names
from pinetum.data.options import check_options
from pinetum.visible import one_line

FRAME_OPTIONS = {
    "types": (
        "{column: number or discrete} where the inferred type is wrong; a column named here is used"
        " as it is"
    ),
    "values": "{column: [values]} of discrete columns, in the order wanted",
    "classes": "the classes in the order wanted; another class in the data is an error",
    "missing": "cells that mean unknown, besides the usual words",
    "missing_only": "the words that mean unknown, in place of the usual ones",
    "drop": "columns that are not used",
    "dates": "{column: [year, month, weekday, days]} that are used of a date",
    "join": "{class: another class} that are counted as one; '' leaves the cases of a class out",
    "bins": "number of classes of equal size, or limits, that a class of numbers is cut into",
    "decimal": "the decimal mark of numbers written as text",
    "thousands": "the mark between thousands",
}


NOTHING = Encoding(())
FEW_CLASSES = 20  # values of a column that could be the class


@dataclass(frozen=True, eq=False)
class Table(Dataset):
    """A data set made from a frame or file; every method that takes a `Dataset` takes it.

    Made by `from_frame` and `from_file`. Columns are judged first: `describe` tells what was used,
    dropped, and why. Columns that equal the class or another column are used, and told.

    Attributes
    ----------
    columns : tuple of Column
        The column report.
    outcome : str
        Name of the class column.
    encoding : Encoding
        How new cases are read.
    warnings : tuple of str
        What was noticed, with column and cure.

    Examples
    --------
    >>> table = Table.from_frame({"size": [1.5, 2, None], "colour": ["red", "blue", "red"], "kind": [0, 1, 1]}, "kind")
    >>> table.feature_names, table.class_names
    (('size', 'colour'), ('0', '1'))
    >>> table.encode({"size": [3], "colour": ["green"]})
    array([[ 3., nan]])
    """  # noqa: E501

    columns: tuple = ()
    outcome: str = "class"
    encoding: Encoding = NOTHING
    warnings: tuple[str, ...] = ()

    @classmethod
    def from_frame(cls, frame, outcome, *, name="table", **options) -> "Table":
        """Read the columns of a DataFrame.

        Parameters
        ----------
        frame : DataFrame, or anything that becomes one
            Columns of any dtype; NaN, NA, NaT and None are missing.
        outcome : str or array of shape (cases,)
            The class: a column's name, or the classes themselves.
        name : str, default "table"
        **options
            types, values, classes, join, missing, missing_only, drop, dates, bins, decimal,
            thousands, as
            in the configuration's `tables`.

        Raises
        ------
        DataError
            With the column and the cure, when a column cannot be read without a decision.
        """
        check_options(options, known=tuple(FRAME_OPTIONS))
        return told(table_of(frame, outcome, Source(name, options=dict(options))))

    @classmethod
    def from_file(cls, path, outcome, *, name=None, **options) -> "Table":
        """Read a CSV, ARFF, Parquet or Excel file, which may be packed (gz, xz, zip).

        Parameters
        ----------
        path : str or Path
        outcome : str
            Name of the class column (c1, c2, ... where there is no header).
        name : str, optional
            Name of the table; the file's without its ending when left out.
        **options
            Those of `from_frame`, and format, delimiter, encoding, header, skip; told from the file
            when left out.
        """
        from pinetum.data.formats import read_file

        return told(
            read_file(
                name or Path(path).name.split(".")[0],
                {**options, "path": str(path), "class": outcome},
            )
        )

    def _reading(self) -> dict:
        return {
            "outcome": self.outcome,
            "encoding": self.encoding.to_dict(),
            "columns": [asdict(column) for column in self.columns],
            "warnings": list(self.warnings),
        }

    @classmethod
    def _from_parts(cls, names, **parts) -> "Table":
        if "encoding" not in names:  # a data set of the papers: every column as it stands
            domains = zip(parts["feature_names"], names["domains"], strict=True)
            features = [Feature(name, name, domain and tuple(domain)) for name, domain in domains]
            return cls(**parts, encoding=Encoding(tuple(features)))
        return cls(
            **parts,
            columns=tuple(report.Column(**column) for column in names["columns"]),
            outcome=names["outcome"],
            encoding=Encoding.from_dict(names["encoding"]),
            warnings=tuple(names["warnings"]),
        )

    def describe(self):
        """The column report as a DataFrame, one row per column of the file or frame."""
        return report.to_frame(self.columns)

    def __str__(self) -> str:
        counts = ", ".join(
            f"{n} {c:,}"
            for n, c in list(zip(self.class_names, self.class_counts(), strict=True))[:8]
        )
        head = (
            f"{self.name}: {self.n_cases:,} cases, {self.n_features} features, class {self.outcome}"
            f" ({counts})"
        )
        return f"{one_line(head)}\n" + report.to_text(self.columns)

    def __repr__(self) -> str:
        return one_line(
            f"<Table {self.name}: {self.n_cases:,} cases, {self.n_features} features,"
            f" {self.n_classes} classes>"
        )

    def encode(self, frame) -> np.ndarray:
        """New cases as this table's were encoded: float64 (cases, features) of numbers and codes.

        Missing cells, and discrete values that this table does not know, are NaN. `table.encode` of
        the frame that a table was made from is `table.numbers()`.
        """
        return self.kept_encoding().encode(frame)

    def kept_encoding(self) -> Encoding:
        """The encoding of the features that are left, in their order."""
        features = {feature.name: feature for feature in self.encoding.features}
        return Encoding(tuple(features[name] for name in self.feature_names), self.encoding.missing)

    def decode(self, cases=None):
        """The DataFrame behind encoded cases.

        Of this table's own, with the class, when none are given.
        """
        if cases is not None:
            return self.kept_encoding().decode(cases)
        import pandas as pd

        frame = self.kept_encoding().decode(self.numbers())
        frame[self.outcome] = pd.Categorical.from_codes(
            self.labels, categories=list(self.class_names)
        )
        return frame


def table_of(frame, outcome, source) -> Table:
    """The table of a frame and its class, a column's name or the classes themselves."""
    frame = as_frame(frame)
    names = unique_names(frame.columns, source.warn)
    series = dict(
        zip(names, (frame.iloc[:, place] for place in range(frame.shape[1])), strict=True)
    )
    if not isinstance(outcome, str) and np.ndim(outcome) == 1:
        import pandas as pd

        given = outcome if isinstance(outcome, pd.Series) else pd.Series(outcome)
        outcome = (
            str(given.name) if given.name is not None and str(given.name) not in series else "class"
        )
        if outcome in series:
            outcome = "class*"
        if len(given) != len(frame):
            raise DataError(
                f"{len(given):,} classes for {len(frame):,} cases",
                cure="give one class per case",
            )
        series[outcome] = given.reset_index(drop=True)
    columns = {}
    for column, values in series.items():
        array, declared = arrow_column(values, column)
        if array is None:
            array = _unreadable(len(frame))
        if declared is not None and column != str(outcome):
            source.declared[column] = declared
        columns[column] = array
    return build(columns, source, str(outcome))


def read_table(name, options) -> Table:
    """The table that `options` (an entry under `tables` of the configuration) describes, for
    `describe` and `run`.

    Columns that equal the class or another column are left out unless `types` states them.
    """
    from pinetum.data.formats import read_file

    return read_file(name, options, drops_leaks=True)


def possible_outcomes(frame, **options):
    """The column report of a frame, and (name, classes) of the columns that could be the class."""
    classes = np.arange(len(frame)) % 2  # of no meaning: the report needs some
    frame = frame.astype({name: object for name in frame.select_dtypes("category")})
    source = Source("table", options=options)
    table = table_of(frame, classes, source)
    columns = [line for line in table.columns if line.type != "class"]
    possible = []
    for line in columns:
        if 2 <= line.distinct <= FEW_CLASSES and line.type in ("discrete", "number"):
            read = read_column(
                line.column, arrow_column(frame[line.column], line.column)[0], source
            )
            texts = read.texts()
            counts = sorted(zip(texts.counts().tolist(), texts.values, strict=True), reverse=True)
            named = ", ".join(f"{one_line(name)} {count:,}" for count, name in counts[:5])
            more = f" and {len(counts) - 5} more" if len(counts) > 5 else ""
            possible.append((line.column, named + more))
    return report.to_text(columns), possible


def told(table):
    """The table, once its warnings are given."""
    if table.warnings:
        shown_first = "\n".join(table.warnings[:20])
        more = f"\nand {len(table.warnings) - 20} more" if len(table.warnings) > 20 else ""
        warn(f"{table.name}:\n{shown_first}{more}", DataWarning, stacklevel=3)
    return table


def _unreadable(cases):
    import pyarrow as pa

    return pa.array([[]] * cases, pa.list_(pa.null()))
