"""Names of the pruners, in the order of every table."""

PAPER = ("NOP", "NEBP", "WEBP", "TWEBP", "SYNTH", "SYNTH+")
BEYOND = ("EBP", "PEP", "MEP", "REP", "CCP", "CCP-0SE")
FOUND = "found:"  # and the name of a function that the program search found


def slug(pruner):
    """A pruner's name as part of a column name."""
    return pruner.lower().replace("+", "_plus").replace("-", "_")
