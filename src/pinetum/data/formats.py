"""Files of one's own to columns: CSV, ARFF, Parquet and Excel, packed or not."""

import io
from pathlib import Path

import pyarrow as pa

from pinetum.data import arff
from pinetum.data.building import Source, build
from pinetum.data.delimited import load_csv
from pinetum.data.errors import DataError, shown
from pinetum.data.frames import arrow_column, unique_names
from pinetum.data.options import KINDS, check_options
from pinetum.data.text import decoded
from pinetum.data.unpack import unpacked_file

FORMATS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".data": "csv",
    ".arff": "arff",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".xlsx": "excel",
    ".xls": "excel",
}
PACKED = (".gz", ".xz", ".zip", ".Z")


def read_file(name, options, *, drops_leaks=False):
    """The `Table` that `options` (an entry under `tables` of the configuration) describes.

    With `drops_leaks` without columns that equal the class or another column.
    """
    options = dict(options)
    if "path" not in options or "class" not in options:
        cure = f"the options are {', '.join(sorted(KINDS))}"
        raise DataError(f"table {name}: `path` and `class` must be given", cure=cure)
    path = Path(options["path"]).expanduser()
    if not path.is_file():
        what = "a folder, not a file" if path.is_dir() else "no such file"
        raise DataError(what, file=path, cure=f"correct `path` of table {name}")
    kind = kind_of_file(path, options)
    check_options(options, kind=kind, file=path)
    source = Source(name, file=str(path), options=options, drops_leaks=drops_leaks)
    columns = _LOADERS[kind](path, options, source)
    return build(columns, source, str(options["class"]))


def kind_of_file(path, options) -> str:
    """csv, arff, parquet or excel: as stated, or by the file's ending."""
    suffixes = [suffix for suffix in path.suffixes if suffix not in PACKED]
    bare = "csv" if path.suffix in PACKED else ""  # a packed file with no ending of its own
    kind = options.get("format") or (FORMATS.get(suffixes[-1].lower()) if suffixes else bare)
    if kind not in _LOADERS:
        ending = suffixes[-1] if suffixes else "no ending"
        cure = "set `format` to csv, arff, parquet or excel"
        raise DataError(f"cannot tell what {ending} means", file=path, cure=cure)
    return kind


def read_frame(path, *, as_text=False, **options):
    """The columns of a file as a DataFrame of texts, numbers and dates, as `Table.encode` takes
    them.

    `options` are those of `Table.from_file`; nothing is judged or left out. `as_text` keeps the
    cells of a CSV file as they are written.
    """
    path = Path(path).expanduser()
    if not path.is_file():
        raise DataError(
            "a folder, not a file" if path.is_dir() else "no such file",
            file=path,
            cure="correct the path",
        )
    kind = kind_of_file(path, options)
    check_options(options, kind=kind, file=path)
    options = {**options, "path": str(path), "class": "", "as_text": as_text}
    source = Source(path.name, file=str(path), options=options)
    columns = _LOADERS[kind](path, options, source)
    return pa.table(
        {name: column for name, column in columns.items() if column is not None}
    ).to_pandas()


def _load_arff(path, options, source):
    names, domains, cells = arff.read(decoded(unpacked_file(path), path), path)
    source.declared = {
        name: domain for name, domain in zip(names, domains, strict=True) if domain is not None
    }
    return {name: pa.array(column, pa.string()) for name, column in zip(names, cells, strict=True)}


def _load_parquet(path, options, source):
    from pyarrow import parquet

    packed = path.suffix in PACKED
    try:
        content = io.BytesIO(unpacked_file(path)) if packed else path
        table = parquet.ParquetFile(content).read(use_threads=False)
    except (pa.ArrowException, OSError, ValueError) as fault:
        raise DataError(
            f"not a Parquet table ({str(fault)[:200]})", file=path, cure="write it again"
        ) from None
    names = unique_names(table.column_names, source.warn)
    index = [
        name for name in names if name.startswith("__index_level_") and name != options["class"]
    ]
    if index:
        source.warn(f"column {index[0]}: the index of the frame; left out")
    return {name: table.column(place) for place, name in enumerate(names) if name not in index}


def _load_excel(path, options, source):
    import pandas as pd

    try:
        sheets = pd.read_excel(
            io.BytesIO(unpacked_file(path)) if path.suffix in PACKED else path,
            engine=None if ".xls" in path.suffixes else "openpyxl",
            sheet_name=None,
            dtype=object,
            header=0 if options.get("header", True) else None,
            skiprows=[number - 1 for number in options.get("skip", ())],
            keep_default_na=False,
            na_values=[""],
        )
    except ImportError:
        cure = "install openpyxl (`pip install 'pinetum[excel]'`), or save the sheet as CSV"
        raise DataError("Excel files need openpyxl", file=path, cure=cure) from None
    except Exception as fault:  # a damaged archive makes its readers raise nearly anything
        raise DataError(
            f"not an Excel file ({str(fault)[:200]})", file=path, cure="save it again"
        ) from None
    filled = {sheet: frame for sheet, frame in sheets.items() if frame.shape[1]}
    if not filled:
        raise DataError("no sheet with cells", file=path, cure="check the file")
    wanted = options.get("sheet")
    if wanted is not None and wanted not in filled:
        cure = f"the sheets are {', '.join(map(shown, filled))}"
        raise DataError(f"no sheet {shown(wanted)}, which `sheet` names", file=path, cure=cure)
    sheet = next(iter(filled)) if wanted is None else wanted
    frame, others = filled[sheet], [name for name in filled if name != sheet]
    if others and wanted is None:
        source.warn(
            f"sheet {shown(sheet)} is read, not {', '.join(map(shown, others))}; name one"
            " under `sheet`"
        )
    given = [
        f"c{place}" if isinstance(name, int) or str(name).startswith("Unnamed: ") else name
        for place, name in enumerate(frame.columns, 1)
    ]
    columns = {}
    for place, name in enumerate(unique_names(given, source.warn)):
        array, _ = arrow_column(frame.iloc[:, place], name)
        empty = array is not None and array.null_count == len(array)
        if not (empty and str(frame.columns[place]).startswith("Unnamed: ")):
            columns[name] = (
                pa.array([[]] * len(frame), pa.list_(pa.null())) if array is None else array
            )
    return columns


_LOADERS = {"csv": load_csv, "arff": _load_arff, "parquet": _load_parquet, "excel": _load_excel}
