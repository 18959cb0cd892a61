"""One job of the workflow: what its script of six lines leaves to be said once.

    with job(snakemake) as run:  # log and memory bound before the heavy imports
        ...                      # import the function that is called like the rule
        run(function)

The function takes the rule's settings by name, and the files as objects where it has arguments
called `inputs` or `outputs`. It returns records by the names of the rule's outputs. They become
whole files, in which every record has the version, the commit and the function that measured it.
What must not run a job again is no setting of its rule: it takes that from `config`.
"""

import inspect
import os
import shutil
from contextlib import contextmanager
from functools import partial
from io import StringIO
from typing import NamedTuple

from pinetum.files import whole_file
from pinetum.workflow.jobs import job_log, provenance, read_records, read_text, write_records


@contextmanager
def job(snakemake):
    """The job's log and memory bound; gives what runs a function as the job.

    Jobs are long or timed, so they interpret no kernel.
    """
    os.environ.setdefault("PINETUM_JIT", "always")
    with job_log(snakemake.log[0], snakemake.resources.get("mem_mb")):
        yield partial(run, snakemake)


def run(snakemake, function) -> None:
    """Call the function with the rule's settings and files; write what it returns."""
    taken = inspect.signature(function).parameters
    # `code` only tells Snakemake when to run the job again; not every measurement is random.
    given = {name: value for name, value in snakemake.params.items() if name != "code"}
    if "seed" not in taken:
        given.pop("seed", None)
    offered = {
        "inputs": Inputs(snakemake.input),
        "outputs": snakemake.output,
        "config": snakemake.config,
    }
    returned = function(**{name: offered[name] for name in offered if name in taken} | given) or {}
    measured_by = f"{function.__module__}.{function.__name__}"
    unknown = set(returned) - set(snakemake.output.keys())
    if unknown:
        raise ValueError(f"{measured_by}: the rule has no output {sorted(unknown)[0]!r}")
    for name, path in snakemake.output.items():
        if name in returned:
            write(returned[name], path, provenance() | {"measured_by": measured_by})
        elif "outputs" not in taken:  # a function that has them writes the rest itself
            raise ValueError(f"{measured_by} returned nothing for the output {name!r}")


class Inputs:
    """A job's inputs: `inputs.name` is a CSV as a table, all shards as one; `inputs.files.name` is
    its path.
    """

    def __init__(self, files):
        self.files = files

    def __getattr__(self, name):
        return self.table(getattr(self.files, name))

    @staticmethod
    def table(files):
        return read_records(files) if isinstance(files, str) else read_shards(files)


def read_shards(paths):
    """Files of the same kind as one table, as if they had been written as one file.

    Where a search deals its items out to the shards, `turn` is the place that a row has in a run of
    all; it puts them in order and goes.
    """
    import pandas as pd

    table = pd.concat(map(read_text, paths), ignore_index=True)
    if "turn" in table:
        in_order = table["turn"].astype(int).sort_values(kind="stable").index
        table = table.loc[in_order].drop(columns="turn")
    return read_records(StringIO(table.to_csv(index=False)))


def gather(inputs, outputs) -> None:
    """Put the records of a long search together, as if its parts had been one job.

    Line by line, since they may be large; they keep their provenance. As one table where rows have
    a `turn`, or parts columns of their own (a data set without a source).
    """
    for name, paths in inputs.files.items():
        heads = []
        for path in paths:
            with open(path, encoding="utf-8", newline="") as part:
                heads.append(part.readline())
        if len(set(heads)) > 1 or heads[0].startswith("turn,"):
            write_records(read_shards(paths), outputs[name])
            continue
        with whole_file(outputs[name]) as whole:
            whole.write(heads[0])
            for path in paths:
                with open(path, encoding="utf-8", newline="") as part:
                    part.readline()
                    shutil.copyfileobj(part, whole)


class Plain(NamedTuple):
    """Records that are written without provenance: bulk, for which other records of the job stand,
    or shards put together, which have theirs. `columns` are those of dicts that lack some.
    """

    records: object
    columns: tuple | None = None


def write(value, path, origin) -> None:
    """Text as it is, or records (dicts or a DataFrame) with their origin, as a whole file."""
    if isinstance(value, str):
        with whole_file(path) as file:
            file.write(value)
    elif isinstance(value, Plain):
        write_records(value.records, path, value.columns)
    elif hasattr(value, "columns"):
        write_records(value.assign(**origin), path)
    else:
        names = dict.fromkeys(name for record in value for name in record)
        write_records([record | origin for record in value], path, [*names, *origin])
