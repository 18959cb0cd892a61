"""The command `pinetum`: look at a table, fit, predict, show; run the workflows."""

import argparse
import json
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from shlex import quote

from pinetum import __version__
from pinetum.data.options import FORMATS, as_command
from pinetum.files import whole_file
from pinetum.visible import Visible, behind

# What `fit` makes: name -> public class, one line, an option worth showing.
KINDS = {
    "tree": ("TreeClassifier", "a decision tree; any pruner by name", "prune=WEBP"),
    "optimal": (
        "OptimalTreeClassifier",
        "the tree of small depth with the fewest training errors, proved",
        "max_depth=cv",
    ),
    "nbdt": (
        "NBDTClassifier",
        "the best tree of small depth between the data and Naive Bayes",
        "max_depth=2",
    ),
    "separator": (
        "SeparatorClassifier",
        "linear decisions with as few columns as possible",
        "max_depth=1",
    ),
    "minimal": (
        "MinimalTree",
        "the smallest tree that is right on every row of a decision table",
        "cost=depth",
    ),
    "best-subset": ("BestSubset", "the subset of columns whose tree is proved best", "min_cases=8"),
}
FAULTS = (ValueError, OSError, LookupError, MemoryError)


def main(arguments=None) -> int:
    """Run one command; 0 when all went well, 1 on a fault, 2 on a wrong command line.

    Nothing of the data steers the terminal.
    """
    with redirect_stdout(Visible(sys.stdout)), redirect_stderr(Visible(sys.stderr)):
        return end_of(parser().parse_args(arguments))


def end_of(options) -> int:
    """Run the command that was asked for, and say its fault in a sentence."""
    shown = warnings.showwarning
    warnings.showwarning = lambda message, *rest, **more: print(
        f"pinetum: {as_command(str(message))}", file=sys.stderr
    )
    try:
        return options.command(options) or 0
    except BrokenPipeError:
        return 0
    except Exception as fault:
        if options.debug or not isinstance(fault, FAULTS):
            traceback.print_exc()
        else:
            said = as_command(str(fault)) or "out of memory: give less, or more memory"
            print(f"pinetum: {said}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("pinetum: stopped", file=sys.stderr)
        return 130
    finally:
        warnings.showwarning = shown


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="pinetum", description=__doc__)
    top.add_argument("--version", action="version", version=f"pinetum {__version__}")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def command(name, function, example):
        made = commands.add_parser(
            name,
            help=function.__doc__.split("\n")[0],
            description=function.__doc__,
            epilog=f"example: {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.set_defaults(command=function)
        made.add_argument("--debug", action="store_true", help="show the traceback of a fault")
        return made

    made = command("describe", describe, "pinetum describe data.csv --outcome y")
    add_table(made, needs_outcome=False)
    made.add_argument("-o", "--output", metavar="FILE", help="write the report as CSV or JSON")

    made = command(
        "fit", fit, "pinetum fit tree data.csv --outcome y -o model.json --set prune=WEBP"
    )
    kinds = "; ".join(f"{name}: {about}" for name, (_, about, _) in KINDS.items())
    made.add_argument("kind", choices=KINDS, help=kinds)
    add_table(made)
    made.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model as JSON")
    made.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the model"
    )
    made.add_argument(
        "--folds", type=int, default=5, help="of the cross-validation; 0 for none (default 5)"
    )

    made = command("predict", predict, "pinetum predict model.json new.csv -o out.csv")
    add_model(made)
    made.add_argument(
        "data", help="CSV, ARFF, Parquet or Excel with the columns of training, in any order"
    )
    made.add_argument(
        "-o", "--output", metavar="FILE", help="CSV or Parquet; standard output when left out"
    )
    made.add_argument("--only-class", action="store_true", help="one column, the predicted class")
    add_reading(made)

    made = command("show", show, "pinetum show model.json --as rules")
    add_model(made)
    made.add_argument(
        "--as",
        dest="form",
        default="text",
        choices=("text", "rules", "dot", "python", "sql", "table"),
    )
    made.add_argument("--plot", metavar="FILE", help="draw the tree as PNG, SVG or PDF")

    made = command("compile", compile_ahead, "pinetum compile tree best-subset")
    made.add_argument(
        "estimator",
        nargs="*",
        help="one of `pinetum fit`, near-optimal or backward; all when left out",
    )

    made = command("cache", cache, "pinetum cache --clear")
    made.add_argument("--clear", action="store_true", help="delete it; it is compiled when needed")

    made = command("run", run, "pinetum run data.csv --outcome y")
    add_table(made)
    add_workflow(made)

    made = command("reproduce", reproduce, "pinetum reproduce nbdt --configfile smoke")
    made.add_argument("study", nargs="*", help="studies or files; everything when left out")
    made.add_argument("--configfile", metavar="FILE", help="a file, or `smoke` or `full`")
    add_workflow(made)
    return top


def add_model(made):
    made.add_argument("model")
    made.add_argument(
        "--memory-mb", type=float, metavar="MB", help="what reading a huge model may take"
    )


def add_table(made, needs_outcome=True):
    made.add_argument("data", help="CSV, ARFF, Parquet or Excel, packed or not")
    made.add_argument("--outcome", required=needs_outcome, metavar="COLUMN", help="the class")
    made.add_argument(
        "--drop", action="append", default=[], metavar="COLUMN", help="leave a column out"
    )
    made.add_argument(
        "--type", action="append", default=[], metavar="COLUMN=TYPE", help="number or discrete"
    )
    made.add_argument(
        "--dates",
        action="append",
        default=[],
        metavar="COLUMN=PARTS",
        help="use year, month, weekday or days of dates",
    )
    made.add_argument("--bins", type=int, metavar="N", help="cut a class of numbers into N classes")
    made.add_argument(
        "--join",
        action="append",
        default=[],
        metavar="CLASS=CLASS",
        help="count a class as another one, such as a rare one; CLASS= leaves its cases out",
    )
    add_reading(made)


def add_reading(made):
    made.add_argument("--format", choices=FORMATS, help="told from the file's ending")
    made.add_argument("--delimiter", metavar="CHARACTER")
    made.add_argument("--decimal", metavar="MARK", choices=(".", ","))
    made.add_argument("--thousands", metavar="MARK")
    made.add_argument("--encoding", metavar="NAME")
    made.add_argument(
        "--missing", action="append", metavar="TEXT", help="a cell that means unknown, too"
    )
    made.add_argument(
        "--missing-only",
        action="append",
        metavar="TEXT",
        help="a cell that means unknown, where the usual words do not",
    )
    made.add_argument(
        "--skip", action="append", type=int, metavar="LINE", help="leave a line of the file out"
    )
    made.add_argument("--sheet", metavar="NAME", help="of an Excel file; the first when left out")


def add_workflow(made):
    made.add_argument("--cores", default="all", metavar="N")
    made.add_argument("--directory", default=".", metavar="FOLDER", help="where results land")


def reading_options(options) -> dict:
    names = ["delimiter", "decimal", "thousands", "encoding", "missing", "missing_only", "skip"]
    names += ["sheet", "format"]
    return {name: getattr(options, name) for name in names if getattr(options, name) is not None}


def table_options(options) -> dict:
    """Options of `Table.from_file`, which are those of a table in a configuration file."""
    found = reading_options(options)
    if options.drop:
        found["drop"] = options.drop
    if options.type:
        found["types"] = pairs(options.type)
    if options.dates:
        found["dates"] = {
            column: parts.split(",") for column, parts in pairs(options.dates).items()
        }
    if options.bins is not None:
        found["bins"] = options.bins
    if options.join:
        found["join"] = pairs(options.join)
    return found


def pairs(texts) -> dict[str, str]:
    """`a=number b=discrete` -> {"a": "number", "b": "discrete"}; no name twice."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ValueError(f"{text!r}: expected NAME=VALUE")
        if name in found:
            raise ValueError(f"{text!r}: {name} is given twice; leave one of them out")
        found[name] = value
    return found


def parameters(texts) -> dict:
    """`max_depth=3 prune=WEBP` -> {"max_depth": 3, "prune": "WEBP"}; values are JSON where they can
    be, else text.
    """
    found = {}
    for name, value in pairs(texts).items():
        try:
            found[name] = json.loads(
                {"None": "null", "True": "true", "False": "false"}.get(value, value)
            )
        except json.JSONDecodeError:
            found[name] = value
    return found


def read(options):
    """The table as `run` learns from it."""
    from pinetum.data.table import read_table, told

    name = Path(options.data).name.split(".")[0]
    given = {**table_options(options), "path": options.data, "class": options.outcome}
    return told(read_table(name, given))


def write(frame, path):
    """A DataFrame as CSV, JSON or Parquet by the file's ending.

    CSV to standard output without a file.
    """
    if path is None:
        frame.to_csv(data_out(), index=False)
    elif path.endswith((".parquet", ".pq")):
        with whole_file(path, "wb") as file:
            frame.to_parquet(file, index=False)
    elif path.endswith((".xlsx", ".xls")):
        raise ValueError(
            f"{path}: tables are written as CSV, JSON or Parquet; choose such an ending"
        )
    elif path.endswith(".json"):
        with whole_file(path) as file:
            file.write(frame.to_json(orient="records", indent=1) + "\n")
    else:
        with whole_file(path) as file:
            frame.to_csv(file, index=False, lineterminator="\n")


def data_out():
    """Where tables and code go: as they are to a file or another program, visible on a terminal."""
    return sys.stdout if sys.stdout.isatty() else behind(sys.stdout)


def describe(options):
    """Say of every column what it holds, whether it is used, and if not why and what to do."""
    from pinetum.data.errors import DataWarning

    if options.outcome is None:
        return describe_columns(options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the report has what is said of columns
        table = read(options)
    told = {line.message for line in table.columns}
    for line in table.warnings:
        if line not in told:
            print(f"pinetum: {as_command(line)}", file=sys.stderr)
    print(as_command(str(table)))
    if options.output:
        write(table.describe(), options.output)


def describe_columns(options):
    """The columns of a file, and which of them could be the outcome."""
    from pinetum.data.formats import read_frame
    from pinetum.data.table import possible_outcomes

    frame = read_frame(options.data, **reading_options(options))
    report, possible = possible_outcomes(frame, **table_options(options))
    print(f"{Path(options.data).name}: {len(frame):,} cases, {frame.shape[1]} columns")
    print(as_command(report), end="")
    if options.output:
        raise ValueError("a report needs the outcome; give --outcome COLUMN")
    for name, classes in possible:
        print(f"--outcome {quote(name)}: {classes}")
    if not possible:
        print("no column has few values; cut one of numbers into classes: --outcome NAME --bins 3")


def fit(options):
    """Fit a model to a table, say how often it errs on cases it has not seen, and save it."""
    import pinetum
    from pinetum.own.methods import used_columns

    name = KINDS[options.kind][0]
    kind, chosen = getattr(pinetum, name), parameters(options.set)
    known = kind().get_params(deep=False)
    for key in chosen:
        if key not in known:
            raise ValueError(f"{key} is not a parameter of {name}; those are {', '.join(known)}")
    loud = {"verbose": 1} if "verbose" in known else {}  # a long fit says how it stands
    if options.kind == "tree":
        loud["prune"] = True  # as the page of `run` does
    table = pinetum.Table.from_file(options.data, options.outcome, **table_options(options))
    try:
        model = kind(**{**loud, **chosen}).fit(table)
    except (TypeError, OverflowError) as fault:
        if not chosen:
            raise
        raise ValueError(
            f"{', '.join(options.set)}: a value of a wrong kind ({fault}); see help({name})"
        ) from fault
    pinetum.save(model, options.output)
    wrong = (model.predict(table) != model.classes_[table.labels]).mean()
    used = used_columns(model)
    more = f" and {len(used) - 10} more" if len(used) > 10 else ""
    print(f"{name}: {model.get_n_leaves()} leaves, depth {model.get_depth()}")
    print(f"columns used: {', '.join(used[:10]) or 'none'}{more}")
    print(f"error on the training cases {100 * wrong:.2f} %{proof_of(model)}")
    print(f"written to {options.output}", file=sys.stderr)
    if options.folds:
        print(unseen(table, kind(**{**loud, **chosen, **quiet(known)}), options.folds), flush=True)


def proof_of(model) -> str:
    """How far a searched model is proved to be the best, where it says so."""
    status = getattr(model, "status_", "ok")
    said = model._said() if hasattr(model, "_said") else ""
    return "" if status == "ok" else f", {said or status.replace('_', ' ')}"


def quiet(known) -> dict:
    return {"verbose": 0} if "verbose" in known else {}


def unseen(table, model, folds) -> str:
    """The error of a kind of model in cross-validation, beside that of the most frequent class."""
    import numpy as np
    from sklearn.base import clone

    from pinetum.randomness import stream
    from pinetum.validation.folds import stratified_folds

    folds = min(folds, table.n_cases)
    dealt = stratified_folds(table.labels, folds, stream(0, "fit", "folds"))
    names, wrong = np.array(table.class_names), 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for fold in range(folds):
            test = np.flatnonzero(dealt == fold)
            fitted = clone(model).fit(table.take_cases(np.flatnonzero(dealt != fold)))
            said = np.asarray(fitted.predict(table.take_cases(test))).astype(str)
            wrong += int((said != names[table.labels[test]]).sum())
    rate, usual = wrong / table.n_cases, 1 - table.class_counts().max() / table.n_cases
    error = np.sqrt(rate * (1 - rate) / table.n_cases)
    return (
        f"error on unseen cases {100 * rate:.2f} % (± {100 * error:.2f}; cross-validation,"
        f" {folds} folds); always {names[table.class_counts().argmax()]}: {100 * usual:.2f} %"
    )


def predict(options):
    """Predict the class of every row of a file with a saved model: its columns, the class, the
    probability of each class.
    """
    import pandas as pd

    from pinetum import load
    from pinetum.data.formats import read_frame

    model = load(options.model, memory_mb=options.memory_mb)
    frame = read_frame(options.data, as_text=True, **reading_options(options))
    if not hasattr(model, "predict"):
        raise ValueError(f"{options.model}: a {type(model).__name__} does not predict")
    found = pd.DataFrame() if options.only_class else frame.copy()
    taken = set(map(str, found.columns))

    def add(name, values):
        while name in taken:
            name += "*"  # the file has a column of this name
        found[name] = values
        taken.add(name)

    add("predicted", model.predict(frame))
    if not options.only_class:
        shares = model.predict_proba(frame)
        for c, name in enumerate(model.classes_):
            add(f"probability of {name}", shares[:, c])
    write(found, options.output)


def show(options):
    """Print a saved model, or draw it."""
    from pinetum import load

    model = load(options.model, memory_mb=options.memory_mb)
    forms = {
        "text": "to_text",
        "rules": "to_rules",
        "dot": "to_dot",
        "table": "to_frame",
        "python": "to_code",
        "sql": "to_code",
    }
    if options.plot:
        import matplotlib

        matplotlib.use("agg")
        figure = needs(model, "plot")().figure
        with whole_file(options.plot, "wb") as file:
            kind = Path(options.plot).suffix.removeprefix(".") or None
            figure.savefig(file, format=kind, bbox_inches="tight", dpi=150)
        print(f"drawn to {options.plot}", file=sys.stderr)
        return
    made = needs(model, forms[options.form])
    if options.form in ("python", "sql"):
        made = made(options.form)
    elif options.form == "table":
        made = made().to_csv(index=False)
    else:
        made = made()
    out = sys.stdout if options.form in ("text", "rules") else data_out()
    print(made, end="" if made.endswith("\n") else "\n", file=out)


def needs(model, name):
    if not hasattr(model, name):
        raise ValueError(f"a {type(model).__name__} has no {name}")
    return getattr(model, name)


def compile_ahead(options):
    """Compile estimators now, so that none of their calls waits for it."""
    from pinetum.compiling import ESTIMATORS, compile_estimator

    for name in options.estimator:
        if name not in ESTIMATORS:
            raise ValueError(f"{name} is no estimator; those are {', '.join(ESTIMATORS)}")
    for name in options.estimator or ESTIMATORS:
        print(f"{name}: {compile_estimator(name):.1f} CPU seconds", flush=True)


def cache(options):
    """Say where machine code is kept, of which kernels and how much, or delete it."""
    from shutil import rmtree

    from pinetum.compiling import kept
    from pinetum.kernel_cache import cache_root, folders

    found = kept()
    print(f"{cache_root()}: {found['kernels'].sum()} kernels, {found['MB'].sum():.1f} MB")
    if options.clear:
        for folder in folders():
            rmtree(folder)
        print("deleted")
    else:
        print(found.round(1).to_string())


def run(options):
    """Run every study on a table: models, pictures, and one page that answers."""
    import tempfile

    import yaml

    from pinetum.data.errors import DataWarning
    from pinetum.files import HOME
    from pinetum.workflow.config import load_yaml
    from pinetum.workflow.reproduce import LOG, STOPPED
    from pinetum.workflow.reproduce import reproduce as run_workflow

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the report has them
        table = read(options)  # named faults come before any job
    print(table, flush=True)
    name = (
        "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "-" for c in table.name).strip(
            "-"
        )
        or "table"
    )
    catalogue = load_yaml(str(HOME / "config/catalogue.yaml"))
    if name in catalogue["datasets"] or name in catalogue["views"]:
        name += "-own"  # the catalogue has this name
    entry = {
        "path": str(Path(options.data).resolve()),
        "class": options.outcome,
        **table_options(options),
    }
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "own.yaml"
        config.write_text(
            yaml.safe_dump({"paper_studies": False, "tables": {name: entry}}), encoding="utf-8"
        )
        code = run_workflow((), options.cores, options.directory, config)
    if code == 0:
        page = Path(options.directory) / "results/own" / name / "index.html"
        print(f"the page: {page.resolve().as_uri()}")
    elif code != STOPPED:
        print(
            f"the run failed; all that was said: {Path(options.directory) / LOG}", file=sys.stderr
        )
    return code


def reproduce(options):
    """Run the workflow that replicates the papers, all of it or some studies, in a folder."""
    from pinetum.workflow.reproduce import reproduce as run_workflow

    return run_workflow(options.study, options.cores, options.directory, options.configfile)


if __name__ == "__main__":
    sys.exit(main())
