"""ARFF, Weka's format: attributes with their types, then comma-separated lines."""

import re

from pinetum.data.errors import DataError, shown

_ATTRIBUTE = re.compile(
    r"@attribute\s+('(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[^\s{]+)\s*(.*)$", re.IGNORECASE
)
_NUMBERS = ("numeric", "real", "integer")


def read(text, file):
    """Names, declared domains (None for numbers and free text) and cells, column by column."""
    names, known, domains, rows = [], set(), [], []
    in_data = False
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        line = raw.strip()
        if not line or line[0] == "%":
            continue
        if in_data:
            rows.append(_cells(line, number, len(names), file))
        elif line.lower().startswith("@attribute"):
            name, domain = _attribute(line, number, file)
            if name in known:
                raise DataError(
                    f"the name {shown(name)} is given twice",
                    file=file,
                    line=number,
                    cure="rename one of them",
                )
            names.append(name)
            known.add(name)
            domains.append(domain)
        elif line.lower().startswith("@data"):
            in_data = True
        elif not line.lower().startswith("@relation"):
            what = f"{shown(line)} before @data"
            raise DataError(
                what,
                file=file,
                line=number,
                cure="the header has @relation, @attribute and @data lines",
            )
    if not in_data or not names:
        raise DataError(
            "no @data line" if names else "no @attribute line",
            file=file,
            line=1,
            cure="the header is cut off",
        )
    if not rows:
        raise DataError("no line of data", file=file, line=number, cure="add the cases below @data")
    return names, domains, [list(column) for column in zip(*rows, strict=True)]


def coded(text, file, first, end) -> str:
    """Lines `first` to `end` as the older form of such files: the class, which stands last, then
    every cell by its place in the declared list.
    """
    _, domains, columns = read(text, file)
    places = [{value: str(k) for k, value in enumerate(domain)} for domain in domains[:-1]]
    lines = [
        ",".join([row[-1], *(of.get(cell, cell) for of, cell in zip(places, row, strict=False))])
        for row in list(zip(*columns, strict=True))[first:end]
    ]
    return "\n".join(lines) + "\n"


def _attribute(line, number, file):
    match = _ATTRIBUTE.match(line)
    if not match:
        raise DataError(
            f"{shown(line)} cannot be read",
            file=file,
            line=number,
            cure="write @attribute name type",
        )
    name, kind = _unquoted(match.group(1)), match.group(2).strip()
    if kind.startswith("{") and kind.endswith("}"):
        domain = tuple(_unquoted(value) for value in _split(kind[1:-1], number, file))
        if len(set(domain)) != len(domain) or "" in domain:
            raise DataError(
                "a value is blank or given twice",
                file=file,
                line=number,
                cure="list every value once",
            )
        return name, domain
    kind_name = kind.split("[")[0].strip().lower()  # KEEL adds ranges, as in integer [0, 3]
    if (
        kind_name in _NUMBERS
        or kind_name.startswith("integer")
        or kind_name.startswith("real")
        or kind_name == "string"
    ):
        return name, None
    cure = "numeric, real, integer, string and {a, b} can be read: convert the column"
    raise DataError(f"type {shown(kind)} of {name}", file=file, line=number, cure=cure)


def _cells(line, number, width, file):
    if line[0] == "{":
        raise DataError(
            "a sparse line", file=file, line=number, cure="write the table with all cells"
        )
    cells = line.split(",") if "'" not in line and '"' not in line else _split(line, number, file)
    if len(cells) != width:
        raise DataError(
            f"{len(cells)} cells where {width} are expected",
            file=file,
            line=number,
            column=min(len(cells), width) + (len(cells) > width),
            cure="complete the line, or quote cells that contain a comma",
        )
    return [_unquoted(cell) for cell in cells]


def _split(line, number, file):
    """Cells between commas that are not quoted."""
    cells, begin, quote, place = [], 0, "", 0
    while place < len(line):
        letter = line[place]
        if quote:
            if letter == "\\":
                place += 1
            elif letter == quote:
                quote = ""
        elif letter in "'\"" and not line[begin:place].strip():
            quote = letter
        elif letter == ",":
            cells.append(line[begin:place])
            begin = place + 1
        place += 1
    if quote:
        raise DataError(
            "a quote is not closed",
            file=file,
            line=number,
            column=len(cells) + 1,
            cure=f"add the closing {quote}",
        )
    cells.append(line[begin:])
    return cells


def _unquoted(cell):
    cell = cell.strip()
    if len(cell) > 1 and cell[0] in "'\"" and cell[-1] == cell[0]:
        return re.sub(r"\\(.)", r"\1", cell[1:-1])
    return cell
