"""Helpers of the rule files; the rules themselves live in the other files."""

from hashlib import sha256
from pathlib import Path

from arboretum.config import ConfigError, check, load_yaml

ROOMS = ("distinct", "elimination", "pruning", "nbdt", "greedy_dp", "separators")
HERE = Path(workflow.basedir)

try:
    check(config, HERE / "config/schemas/config.yaml", workflow.configfiles)
except ConfigError as fault:
    raise WorkflowError(f"\n{fault}") from None

CATALOGUE = load_yaml(str(HERE / "config/catalogue.yaml"))
CONTENTS = {room: load_yaml(str(HERE / f"config/contents/{room}.yaml")) for room in ("induction", *ROOMS)}
TABLES = config["tables"]


wildcard_constraints:
    dataset="[A-Za-z0-9_-]+",
    room="|".join(("induction", *ROOMS)),
    table="[A-Za-z0-9_-]+",


def code_of(*packages):
    """Digest of core packages, for `params`: editing one re-runs the jobs that stand on it."""
    root = HERE / "src/arboretum"
    files = [file for package in packages for file in sorted((root / package).rglob("*.py"))]
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]


def encoded(names):
    """Files of the data sets (or of the data sets that views look at), for `input`."""
    views = CATALOGUE.get("views", {})
    bases = [views.get(name, {}).get("of", name) for name in names]
    return [f"results/data/{base}.npz" for base in dict.fromkeys(bases)]


def memory(megabytes):
    """Memory that grows with the attempt, for `resources`."""
    return lambda wildcards, attempt: attempt * megabytes


def minutes(number):
    """Run time that grows with the attempt, for `resources`."""
    return lambda wildcards, attempt: attempt * number


def products_of(*rooms):
    """What the target of a room asks for: records, tables and figures of the paper's study, then the users' tables."""
    wanted = []
    for room in rooms:
        contents = CONTENTS[room]
        if config["paper_studies"]:
            wanted += [f"results/{room}/{name}.csv" for name in contents.get("records", [])]
            wanted += [f"results/tables/{room}/{entry['name']}.csv" for entry in contents.get("tables", [])]
            wanted += [f"results/figures/{room}/{entry['name']}.png" for entry in contents.get("figures", [])]
        if contents.get("own", False):
            wanted += [f"results/own/{table}/{room}.csv" for table in TABLES]
    return wanted
