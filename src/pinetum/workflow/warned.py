"""The warnings of a run, from the logs of its jobs."""

from pathlib import Path

WARNING = "Warning: "  # begins a line of a log that the end of the run repeats


def list_warnings(folder) -> str:
    """Every warning in the logs of a run, each once, with the log that has it first."""
    found: dict[str, Path] = {}
    for path in sorted(Path(folder).rglob("*.log")):
        for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith(WARNING):
                found.setdefault(line.removeprefix(WARNING), path)
    lines = [f"  {text} ({path})" for text, path in found.items()]
    plural = "s" * (len(lines) > 1)
    return "\n".join([f"{len(lines)} warning{plural}:", *lines]) if lines else ""
