"""Which columns the recommended model needs, and which could stand in for them at that quality.

The method learns again on the same folds without a column. Whether it is wrong on more cases then
is a sign test on the cases that the two answer differently, at a level shared by all columns that
were offered: a column that is used by chance does not pass it.
"""

import warnings

import numpy as np

from pinetum.own.judging import codes_of, sign_test, standard_error
from pinetum.own.methods import METHODS, fit_within, used_columns
from pinetum.progress import Progress
from pinetum.randomness import stream

LEVEL = 0.05  # of all columns together
MOST = 20  # columns that are left out in turn, most important first; of methods that search 8
CANDIDATES = 3  # columns that are tried as stand-ins of one
COLUMNS = (
    "column",
    "verdict",
    "models",
    "folds",
    "without",
    "others",
    "stand_in",
    "stand_in_error",
)


def columns_needed(table, name, answers, dealt, settings, seed) -> list[dict]:
    """A row per column of the model: errors in percent without it (`without`), and with the other
    columns of the model alone (`others`).

    The verdict is needed, replaceable (by `stand_in`), or open.
    """
    used, folds = used_columns(answers.model), len(answers.used)
    shares = dict(
        zip(answers.model.feature_names_in_, answers.model.feature_importances_, strict=True)
    )
    order = sorted(used, key=lambda column: -shares[column])[
        : 8 if METHODS[name].searches else MOST
    ]
    wrong = answers.of_unseen(dealt) != table.labels
    least, level = float(wrong.mean()), LEVEL / table.n_features
    near = least + standard_error(least, len(wrong))
    again = Again(table, name, dealt, settings, seed)
    progress, rows = Progress(len(order), "columns left out in turn"), []
    for column in order:
        rest = [other for other in table.feature_names if other != column]
        mine = [other for other in used if other != column]
        without, others = again.wrong(rest), again.wrong(mine)
        row = {
            "column": column,
            "verdict": "open",
            "models": sum(column in names for names in answers.used),
            "folds": folds,
            "without": 100 * float(without.mean()),
            "others": 100 * float(others.mean()),
        }
        if sign_test(wrong, without) < level:
            row["verdict"] = "needed"
        elif sign_test(wrong, others) < level:
            row |= again.stand_in(mine, rest, near)
        rows.append(row)
        progress.step()
    return rows


class Again:
    """The recommended method on some of the columns, on the same folds."""

    def __init__(self, table, name, dealt, settings, seed):
        self.table, self.name, self.dealt = table, name, dealt
        self.settings, self.seed = settings, seed
        self.place = {column: place for place, column in enumerate(table.feature_names)}

    def fit(self, columns, cases):
        # Without a column what is left to say is the most frequent class.
        name, columns = (self.name, columns) if columns else ("majority", list(self.place)[:1])
        part = self.table.take_features([self.place[column] for column in columns])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            rng = stream(self.seed, "own", self.name, "again")
            return fit_within(METHODS[name], part.take_cases(cases), self.settings, rng)[0]

    def wrong(self, columns) -> np.ndarray:
        """The cases on which it errs when it has not learnt from them."""
        said = np.empty(len(self.dealt), dtype=np.int16)
        for fold in range(int(self.dealt.max()) + 1):
            test = np.flatnonzero(self.dealt == fold)
            model = self.fit(columns, np.flatnonzero(self.dealt != fold))
            said[test] = codes_of(self.table, model, test)
        return said != self.table.labels

    def stand_in(self, mine, rest, near) -> dict:
        """The column that the method takes in place of one, if with it the error is as low."""
        model = self.fit(rest, np.arange(len(self.dealt)))
        shares = dict(zip(model.feature_names_in_, model.feature_importances_, strict=True))
        new = [column for column in used_columns(model) if column not in mine]
        for column in sorted(new, key=lambda name: -shares[name])[:CANDIDATES]:
            error = float(self.wrong([*mine, column]).mean())
            if error <= near:
                return {"verdict": "replaceable", "stand_in": column, "stand_in_error": 100 * error}
        return {}
