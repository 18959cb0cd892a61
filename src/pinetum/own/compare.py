"""A table of one's own: every method on the same folds, one recommendation, models of all cases."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from pinetum.data.table import Table
from pinetum.models import load, save
from pinetum.own.columns import COLUMNS as COLUMNS_OF_NEEDED
from pinetum.own.columns import columns_needed
from pinetum.own.judging import answers_of, deal, judge, standard_error
from pinetum.own.methods import METHODS, reason_against, used_columns
from pinetum.workflow.job import Plain
from pinetum.workflow.jobs import tell

COLUMNS = (
    "method",
    "status",
    "recommended",
    "chosen",
    "test_error",
    "test_error_se",
    "balanced_error",
    "questions",
    "leaves",
    "features",
    "used",
    "recall",
    "cases",
    "seconds",
    "model",
    "note",
)


def compare_own(table, settings, seed, inputs, outputs) -> dict:
    """One of the user's own tables: every method on the same folds, the recommended one, what it
    needs, models of all cases.
    """
    read: Any = Table.load(inputs.files.data)
    records, dealt, found, judged = compare(
        read,
        settings=settings,
        seed=seed,
        methods=tuple(METHODS),
        tell=lambda line: tell(f"{table}: {line}"),
    )
    names, needed = read.class_names, []
    answers = {name: each.of_unseen(dealt) for name, each in found.items()}
    Path(outputs.models).mkdir(parents=True, exist_ok=True)
    if judged:
        save_models(found, judged.name, read, Path(outputs.models))
        # Where nothing beats the most frequent class, that is what is recommended and judged.
        said = answers["majority"] if judged.name == "majority" else judged.said
        answers = {"recommended": said} | answers
        if judged.name != "majority":
            best = found[judged.name]
            needed = columns_needed(read, judged.name, best, dealt, settings, seed)
    predictions = [
        {"case": case + 1, "fold": int(dealt[case]) + 1, "class": names[label]}
        | {method: names[codes[case]] for method, codes in answers.items()}
        for case, label in enumerate(read.labels)
    ]
    for record in records:
        record["recommended"] = int(judged is not None and record["method"] == judged.name)
    return {
        "compared": Plain(records, COLUMNS),
        "needed": Plain(needed, COLUMNS_OF_NEEDED),
        "columns": Plain(read.describe()),
        "warnings": "".join(f"{line}\n" for line in read.warnings),
        "predictions": Plain(predictions),
    }


def save_models(found, best, table, folder):
    """Every model of all cases, checked to predict the same when read back; the recommended one
    has a name of its own.
    """
    part = table.take_cases(np.arange(min(table.n_cases, 200)))
    for name, answers in found.items():
        save(answers.model, folder / f"{name}.json")
        again = load(folder / f"{name}.json").predict(part)
        if not np.array_equal(again, answers.model.predict(part)):
            raise RuntimeError(f"{name}: the model read back predicts otherwise")
    save(found[best].model, folder / "recommended.json")


def compare(table, *, settings, seed, methods, tell=print):
    """(records, one per method; fold of every case; answers by method; the recommendation or None).

    `settings` has folds, cells, search_cells, work and memory_mb, as the section `methods` of the
    configuration.
    """
    dealt, folds = deal(table, settings, seed)
    records, found = [], {}
    for name in methods:
        record = {
            "method": name,
            "status": "unsuitable",
            "note": reason_against(METHODS[name], table),
        }
        if not record["note"]:
            try:
                found[name] = answers_of(name, table, dealt, folds, settings, seed)
                record = record_of(name, table, found[name], dealt)
            except MemoryError as fault:  # of the method, which says what is too large, or of numpy
                why = (
                    str(fault)
                    or f"it needs more than {settings['memory_mb']:,} MB; raise memory_mb"
                )
                record |= {"status": "memory_limit", "note": why}
            except (ValueError, ArithmeticError, RuntimeError) as fault:
                record |= {"status": "error", "note": f"{type(fault).__name__}: {fault}"}
        records.append(record)
        tell(told(record))
    judged = judge(found, table.labels, dealt, folds) if found else None
    for record in records:
        record["chosen"] = judged.chosen.count(record["method"]) if judged else None
    return records, dealt, found, judged


def record_of(name, table, found, dealt) -> dict:
    used = used_columns(found.model)
    return {
        "method": name,
        "status": "ok",
        "questions": found.questions[-1],
        "leaves": int(found.model.get_n_leaves()),
        "features": len(used),
        "cases": table.n_cases,
        "used": json.dumps(used, ensure_ascii=False),
        "model": f"models/{name}.json",
        "seconds": round(found.seconds, 3),
        **scores(table, found.of_unseen(dealt)),
        "note": found.note,
    }


def scores(table, said) -> dict:
    """Errors in percent, with the standard error, and as a mean over the classes."""
    wrong = said != table.labels
    counts, rate = table.class_counts(), float(wrong.mean())
    right = np.bincount(table.labels[~wrong], minlength=table.n_classes)
    recall = {
        name: round(100 * r / n, 2)
        for name, r, n in zip(table.class_names, right, counts, strict=True)
        if n
    }
    return {
        "test_error": round(100 * rate, 4),
        "test_error_se": round(100 * standard_error(rate, len(said)), 4),
        "balanced_error": round(100 - float(np.mean(list(recall.values()))), 4),
        "recall": json.dumps(recall, ensure_ascii=False),
    }


def told(record) -> str:
    """A record in one line for the terminal."""
    words = METHODS[record["method"]].words
    if record["status"] != "ok":
        return f"{words}: {record['status']}, {record['note']}"
    size = f"{record['questions']} questions on {record['features']} columns"
    error = f"wrong on {record['test_error']:.1f} % (± {record['test_error_se']:.1f})"
    return f"{words}: {error}, {size}" + (f" ({record['note']})" if record["note"] else "")
