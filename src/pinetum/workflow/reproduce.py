"""Run the workflow, from a checkout or from an installed package, through Snakemake's own command
line.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from pinetum.files import HOME


def named_config(name: str | os.PathLike) -> Path:
    """A configuration file by its path or, for those that come with the package, by its name:
    `smoke`, `full`.

    Raises
    ------
    FileNotFoundError
        There is neither a file nor a configuration of this name.
    """
    shipped = HOME / f"config/{name}.yaml"
    for path in (Path(name), shipped):
        if path.is_file():
            return path.resolve()
    known = sorted(
        path.stem
        for path in (HOME / "config").glob("*.yaml")
        if path.stem not in ("catalogue", "config")
    )
    raise FileNotFoundError(
        f"{name}: no such file, and no configuration of the package, which has {', '.join(known)}"
    )


def snakemake_command(
    targets: Sequence[str] = (),
    cores: int | str = "all",
    directory: str | os.PathLike = ".",
    configfile: str | os.PathLike | None = None,
    options: Sequence[str] = (),
) -> list[str]:
    """The command that `reproduce` runs."""
    command = [sys.executable, "-m", "snakemake", *targets, "--cores", str(cores)]
    command += ["--snakefile", str(HOME / "Snakefile"), "--directory", str(directory)]
    command += ["--workflow-profile", str(HOME / "profiles/default")]
    if configfile is not None:
        command += ["--configfile", str(named_config(configfile))]
    return [*command, *options]


def reproduce(
    targets: Sequence[str] = (),
    cores: int | str = "all",
    directory: str | os.PathLike = ".",
    configfile: str | os.PathLike | None = None,
    options: Sequence[str] = (),
) -> int:
    """Run the workflow; results land in `directory`/results.

    Parameters
    ----------
    targets : sequence of str, default ()
        Studies (`nbdt`), files (`results/tables/nbdt/errors.md`); everything when empty.
    cores : int or "all", default "all"
        Cores of this machine that jobs may use at a time.
    directory : path, default "."
        Folder to run in; it is made where it is missing.
    configfile : path or str, optional
        A file with keys that differ from the default, or the name of one that comes with the
        package: `smoke`, `full`.
    options : sequence of str, default ()
        More options for Snakemake, as on its command line.

    Returns
    -------
    int
        Snakemake's exit code, 0 where all went well.

    Examples
    --------
    >>> from pinetum.workflow.reproduce import snakemake_command
    >>> snakemake_command(["nbdt"], cores=2)[2:6]
    ['snakemake', 'nbdt', '--cores', '2']
    """
    Path(directory).mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        snakemake_command(targets, cores, directory, configfile, options)
    ).returncode
