"""Which method is recommended for a table, and how often it is wrong on cases it has not seen.

One scheme for all methods. The cases are dealt to folds; every method learns without each fold, and
without each two folds. A fold is then answered by the method that was chosen without it: the choice
goes by the models that learnt without two folds, its answer comes from the one that learnt without
this fold alone. So what is chosen among many is judged outside the choice, by the same rule.
"""

import time
import warnings
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import binom

from pinetum.own.methods import METHODS, fit_within, questions_of, used_columns
from pinetum.progress import Progress
from pinetum.randomness import stream
from pinetum.validation.folds import stratified_folds
from pinetum.validation.samples import joined

FEW_FOLDS = 5
MANY_CELLS = 20_000  # from which so few folds are enough
RULE = (
    "Of all methods whose error on unseen cases is within one standard error of the lowest, the one"
    " with the fewest questions; of equal ones, the one with the lower error. Always the most"
    " frequent class is one of them, and is taken where the choice does not beat it beyond chance"
    " (sign test, 5 %)."
)
BEYOND_CHANCE = 0.05


@dataclass
class Answers:
    """What one method says.

    said       (folds, cases) class of every case by the model that learnt without the case's own
               fold and without this one
    questions  of the models that learnt without each fold, then of the model of all cases
    used       columns of the models that learnt without each fold
    """

    said: np.ndarray
    questions: list = field(default_factory=list)
    used: list = field(default_factory=list)
    model: object = None
    note: str = ""
    seconds: float = 0.0

    def of_unseen(self, dealt) -> np.ndarray:
        """The class of every case by the model that learnt without the case's fold alone."""
        return self.said[dealt, np.arange(len(dealt))]


def deal(table, settings, seed):
    """(fold of every case, folds)."""
    folds = min(settings["folds"], table.n_cases)
    if table.n_cases * table.n_features > MANY_CELLS:
        folds = min(folds, FEW_FOLDS)
    return stratified_folds(table.labels, folds, stream(seed, "own", "folds")), folds


def answers_of(name, table, dealt, folds, settings, seed) -> Answers:
    """A method on all but each two folds, on all but each one, and on all cases."""
    method, seconds = METHODS[name], []
    found = Answers(np.empty((folds, table.n_cases), dtype=np.int16), used=[None] * folds)
    found.questions = [0] * folds
    progress = Progress(folds * (folds + 1) // 2 + 1, f"fits of {name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a search has met its limit stands in the note
        for one in range(folds):
            for other in range(one, folds):
                rest = table.take_cases(np.flatnonzero((dealt != one) & (dealt != other)))
                begun = time.process_time()
                model, _ = fit_within(method, rest, settings, stream(seed, "own", name, one, other))
                seconds.append(time.process_time() - begun)
                for fold, beside in {(one, other), (other, one)}:
                    test = np.flatnonzero(dealt == fold)
                    found.said[beside, test] = codes_of(table, model, test)
                if one == other:
                    found.questions[one] = questions_of(model)
                    found.used[one] = used_columns(model)
                progress.step()
        found.model, note = fit_within(method, table, settings, stream(seed, "own", name, "all"))
    found.note = joined(note, not_proved(found.model))
    found.questions.append(questions_of(found.model))
    found.seconds = float(np.median(seconds))
    return found


def not_proved(model) -> str:
    """How far a model is from being proved the best, or nothing."""
    status = getattr(model, "status_", "optimal")
    if status in ("optimal", "ok"):
        return ""
    said = model._said() if hasattr(model, "_said") else ""
    return said or f"not proved to be the best ({status})"


def codes_of(table, model, cases) -> np.ndarray:
    index = {name: code for code, name in enumerate(table.class_names)}
    return np.array([index[str(name)] for name in model.predict(table.take_cases(cases))])


def choose(wrong: dict, questions: dict) -> str:
    """The method that `RULE` takes, by the cases on which each one is wrong."""
    errors = {name: float(each.mean()) for name, each in wrong.items()}
    least = min(errors.values())
    cases = len(next(iter(wrong.values())))
    near = [name for name in errors if errors[name] <= least + standard_error(least, cases)]
    return min(near, key=lambda name: (questions[name], errors[name]))


def standard_error(rate, cases) -> float:
    return float(np.sqrt(rate * (1 - rate) / cases))


@dataclass
class Judged:
    """The recommended method, the one chosen without each fold, and what these say of it."""

    name: str
    chosen: list
    said: np.ndarray


def judge(found: dict, labels, dealt, folds) -> Judged:
    """The recommendation, and its answers on cases that neither model nor choice has seen."""
    said, chosen = np.empty(len(labels), dtype=np.int16), []
    for fold in range(folds):
        rest, test = dealt != fold, dealt == fold
        wrong = {name: (each.said[fold] != labels)[rest] for name, each in found.items()}
        chosen.append(choose(wrong, {name: each.questions[fold] for name, each in found.items()}))
        said[test] = found[chosen[-1]].said[fold, test]
    wrong = {name: each.of_unseen(dealt) != labels for name, each in found.items()}
    best = choose(wrong, {name: each.questions[-1] for name, each in found.items()})
    if "majority" in found and sign_test(said != labels, wrong["majority"]) > BEYOND_CHANCE:
        best = "majority"
    return Judged(best, chosen, said)


def sign_test(before, after) -> float:
    """How likely chance makes at least so many more cases wrong, of those answered differently."""
    worse, better = np.count_nonzero(after & ~before), np.count_nonzero(before & ~after)
    return float(binom.sf(worse - 1, worse + better, 0.5)) if worse else 1.0
