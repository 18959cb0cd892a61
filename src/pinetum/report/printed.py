"""Numbers as papers print them."""

import math
import re


def number(text) -> float | None:
    """The finite number that a cell holds, commas of thousands left out; None for anything else."""
    try:
        value = float(str(text).replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def half_unit(printed: str) -> float:
    """Half a unit of the last printed digit: 0.005 for 12.37."""
    match = re.fullmatch(r"-?\d[\d,]*(?:\.(\d+))?", printed.strip())
    return 0.5 * 10.0 ** -len(match.group(1) or "") if match else 0.0
