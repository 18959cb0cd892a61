"""What a study sets beside the numbers of its paper: one contract for all studies.

A study makes `ReproducedRows(published)` from its file in config/published and adds, for each
number that it has,

    exact       a value without sampling error: a count, a constant, a text
    measured    a value with a standard error of its own
    repeated    one value per repeat of the whole experiment: mean, standard errors and tail share
                follow from them
    ranked      the ranks of several methods in repeats of the whole experiment, judged together
    statement   whether a sentence of the paper holds, and by how many standard errors
    bounded     a value that leaves the published number an interval
    timing      a speed, which is never judged
    absent      no value, and why

`frame()` then has one row per published number, in the order of the published file.
"""

import itertools
import math

import numpy as np
import pandas as pd

from pinetum.report.printed import half_unit, number

KEY = ["item", "row", "column"]
REPRODUCED_COLUMNS = [
    *KEY,
    "reproduced",
    "se",
    "published_se",
    "n",
    "share",
    "margin",
    "chance",
    "low",
    "high",
    "status",
    "note",
]
REASONS = {"not_run": "left out by the configuration", "no_data": "no source could serve the data"}


def blank(value) -> bool:
    return (
        value is None
        or (isinstance(value, float) and np.isnan(value))
        or (isinstance(value, str) and not value)
    )


def tail_share(values, published: float, half: float) -> float:
    """Share of repeats at or beyond the published number, on its side."""
    values = np.asarray(values, dtype=float)
    at_most, at_least = (values <= published + half).sum(), (values >= published - half).sum()
    return float(min(at_most, at_least) / len(values))


def rank_shares(table, published) -> tuple[float, float]:
    """How far printed ranks lie from ours, among our own repeats, and how far wrong ones would.

    `table` has a line per repeat and a column per method. The first is the share of repeats that
    lie as far as the printed ranks from the mean of the others, by the sum of squares; the second
    the share of the printed ranks' other orders that would be found no farther than all but a
    hundredth of the repeats.
    """
    table, published = np.asarray(table, dtype=float), np.asarray(published, dtype=float)
    mean, n = table.mean(axis=0), len(table)
    others = (table.sum(axis=0) - table) / max(1, n - 1)
    own = np.sort(((table - others) ** 2).sum(axis=1))
    distance = ((published - mean) ** 2).sum()
    farthest = own[max(0, math.ceil(0.99 * n) - 1)]
    orders = set(itertools.permutations(published.tolist())) - {tuple(published.tolist())}
    passing = [((np.array(order) - mean) ** 2).sum() <= farthest + 1e-9 for order in orders]
    return float((own >= distance - 1e-9).mean()), float(np.mean(passing)) if passing else 1.0


class ReproducedRows:
    """Our side of a study's published numbers.

    `published` has at least the columns item, row, column, published.
    """

    def __init__(self, published: pd.DataFrame):
        self.published = {
            tuple(line[:3]): line[3] for line in published[[*KEY, "published"]].values.tolist()
        }
        self.found: dict[tuple, dict] = {}

    def __contains__(self, key) -> bool:
        return tuple(key) in self.published

    def wanted(self, item=None) -> list[tuple]:
        """(item, row, column) of every published number, or of those of one item."""
        return [key for key in self.published if item is None or key[0] == item]

    def exact(self, key, value, *, n=None, note=""):
        self._add(key, reproduced=value, n=n, note=note)

    def measured(self, key, value, *, se, published_se=0.0, n=None, note=""):
        """`published_se`: of the paper's own number, from what our repeats say of an experiment of
        its size.
        """
        self._add(key, reproduced=value, se=se, published_se=published_se, n=n, note=note)

    def repeated(self, key, values, *, published_repeats=1, value=None, note=""):
        """One value per repeat of the whole experiment.

        The paper's number is a mean of `published_repeats`.
        """
        values = np.asarray(values, dtype=float)
        values = values[~np.isnan(values)]
        if not len(values):
            return self.absent(key, note=note)
        deviation = float(values.std(ddof=1)) if len(values) > 1 else np.nan
        theirs = number(self.published[tuple(key)])
        self._add(
            key,
            reproduced=float(values.mean()) if value is None else value,
            se=deviation / np.sqrt(len(values)),
            published_se=deviation / np.sqrt(published_repeats),
            n=len(values),
            share=(
                None
                if theirs is None
                else tail_share(values, theirs, half_unit(self.published[tuple(key)]))
            ),
            note=note,
        )

    def ranked(self, keys, table, *, note=""):
        """The ranks of several methods in every repeat, a column per key: one verdict for all."""
        table = np.asarray(table, dtype=float)
        printed = [number(self.published[tuple(key)]) for key in keys]
        share, chance = rank_shares(table, printed)
        said = f"of other orders of these ranks {chance:.0%} would pass"
        for key, values in zip(keys, table.T, strict=True):
            self._add(
                key,
                reproduced=float(values.mean()),
                n=len(values),
                share=share,
                chance=chance,
                note="; ".join(filter(None, (note, said))),
            )

    def statement(self, key, holds, *, margin=None, n=None, note=""):
        """`margin`: how far the measured difference lies on the sentence's side, in its standard
        errors.
        """
        self._add(
            key,
            reproduced=None if holds is None else ("yes" if holds else "no"),
            margin=margin,
            n=n,
            note=note,
        )

    def bounded(self, key, value, low, high, *, n=None, note=""):
        self._add(key, reproduced=value, low=low, high=high, n=n, note=note)

    def timing(self, key, value, *, n=None, note=""):
        self._add(key, reproduced=value, n=n, note=note)

    def absent(self, key, status="not_run", note=""):
        self._add(key, reproduced=None, status=status, note=note)

    def _add(self, key, *, reproduced, status="ok", note="", **cells):
        key = tuple(key)
        if key not in self.published:
            raise ValueError(
                f"{', '.join(map(str, key))}: no such number in the study's file in"
                " config/published"
            )
        if blank(reproduced):
            reproduced, status = None, status if status != "ok" else "not_run"
        self.found[key] = {
            "reproduced": reproduced,
            "status": status,
            "note": note or REASONS.get(status, ""),
            **cells,
        }

    def frame(self) -> pd.DataFrame:
        """One row per published number; one without a value says why."""
        nothing = {"reproduced": None, "status": "not_run", "note": REASONS["not_run"]}
        rows = [
            dict(zip(KEY, key, strict=True)) | self.found.get(key, nothing)
            for key in self.published
        ]
        return pd.DataFrame(rows, columns=REPRODUCED_COLUMNS).astype(
            {"n": "Int64", "reproduced": object}
        )
