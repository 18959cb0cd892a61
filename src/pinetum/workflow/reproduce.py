"""Run the workflow, from a checkout or from an installed package, through Snakemake's own command
line: one run at a time in a folder, which goes on where it was stopped or killed.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from pinetum.files import HOME
from pinetum.workflow.console import Console, follow

LOG = "results/logs/run.log"  # Snakemake's own lines
PATIENCE = 20.0  # seconds that a run has to end when it is told to
STOPPED = 130  # exit code after Ctrl-C


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
    command += ["--workflow-profile", str(HOME / "profiles/default"), "--rerun-incomplete"]
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
    folder = Path(directory)
    (folder / LOG).parent.mkdir(parents=True, exist_ok=True)
    command = snakemake_command(targets, cores, directory, configfile, options)
    with claimed(folder) as claim, open(folder / LOG, "w", 1, encoding="utf-8") as log:
        if claim.broken:
            subprocess.run([*command, "--unlock"], capture_output=True)
        if options:  # whoever speaks Snakemake's language, as for a dry run, hears it
            return subprocess.run(command).returncode
        return watched(command, Console(log), claim)


class Claim:
    """The file that says who is at work in a folder; its lock lasts as long as its processes."""

    def __init__(self, file):
        self.file, self.broken, self.stopped = file, False, False

    def write(self, text):
        self.file.seek(0)
        self.file.truncate()
        self.file.write(text)
        self.file.flush()


@contextlib.contextmanager
def claimed(folder):
    """The folder for this run alone.

    A run whose console was killed goes on without one: it is stopped, and this one goes on.
    """
    place = folder / ".snakemake/pinetum.lock"
    place.parent.mkdir(exist_ok=True)
    with open(place, "a+", encoding="utf-8") as file:
        claim = Claim(file)
        if not locked(file):
            console, run = processes(file)
            if console is None or alive(console):
                raise OSError(
                    f"another run is at work in {folder.resolve()} (process {console}); wait for"
                    " its end, or give another --directory"
                )
            stop(run)
            until = time.monotonic() + PATIENCE
            while not locked(file):
                if time.monotonic() > until:
                    raise OSError(f"process {run} is at work in {folder.resolve()}: end it first")
                time.sleep(0.2)
        claim.broken = processes(file) != (None, None)
        claim.write(str(os.getpid()))
        yield claim
        if not claim.stopped:
            claim.write("")


def locked(file) -> bool:
    """Whether the lock could be had; where the system has none, always."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def processes(file):
    """Numbers of the console and of the Snakemake that a lock's file names."""
    file.seek(0)
    found = [int(word) for word in file.read().split() if word.isdigit()]
    return (*found, None, None)[:2]


def alive(process) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def stop(process) -> None:
    """End a run and its jobs; what is half written never has its final name."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError, TypeError):
            os.killpg(process, number)
            time.sleep(2.0 if number == signal.SIGTERM else 0.0)


def watched(command, console, claim) -> int:
    """Run Snakemake in a process group of its own, told of by the console; its exit code."""

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM)
    with contextlib.suppress(ValueError):  # not the main thread: nobody is told to stop there
        signal.signal(signal.SIGTERM, interrupt)
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        pass_fds=(claim.file.fileno(),),
        env=os.environ | {"PINETUM_CONSOLE": "1"},
    )
    try:
        claim.write(f"{os.getpid()} {process.pid}")
        follow(process.stdout, console)
        code = process.wait()
    except KeyboardInterrupt:
        stop(process.pid)
        process.wait()
        claim.stopped = True  # so the next run takes off Snakemake's own lock
        console.close(0)
        console.say("stopped; the same command goes on from here")
        return STOPPED
    finally:
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGTERM, before)
    console.close(code)
    return code
