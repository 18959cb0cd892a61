"""A study's own look at a data set, as the catalogue declares it.

Steps, in this order whatever the order in the file:
  ordered    discrete features whose values are numbers, from here on taken as such
  discretise `mdl`: cut numbers where the minimum description length asks for it (all cases and classes of the base)
  cases      [first, last) range of cases, such as one of the `parts` of the base
  values     keep the cases whose discrete cells are all among these
  classes    new class -> old classes; cases of other classes are left out
  missing    `value`: a value of its own, `?`; `mode`: the most frequent value (numbers: median); `drop`: complete cases
  sample     {cases, seed}: that many cases drawn at random, in their old order
  features   keep these; `binary`: keep the discrete features with two values
  constant   `drop`: leave out features with fewer than two values
  numbers    value -> number: discrete features become numbers
Values that no kept case has are no longer in a domain, unless `domains: base` says so.
"""  # noqa: E501

from dataclasses import replace

import numpy as np

from pinetum.constants import MISSING
from pinetum.data.dataset import Dataset
from pinetum.data.discretise import discretised
from pinetum.data.encode import rank
from pinetum.data.errors import DataError
from pinetum.randomness import stream

STEPS = (
    "ordered",
    "discretise",
    "cases",
    "values",
    "classes",
    "missing",
    "sample",
    "features",
    "constant",
    "numbers",
)
KEYS = {"of", "about", "domains", *STEPS}


def apply_view(name, dataset: Dataset, view: dict) -> Dataset:
    unknown = sorted(set(view) - KEYS)
    if unknown:
        raise DataError(
            f"view {name}: `{unknown[0]}` is not known",
            cure=f"use one of {', '.join(sorted(KEYS))}",
        )
    for step in STEPS:
        if step in view:
            dataset = _APPLY[step](dataset, view[step], name)
            if (
                step in ("cases", "values", "classes", "missing", "sample")
                and view.get("domains") != "base"
            ):
                dataset = without_unseen(dataset)
    return replace(dataset, name=name)


def without_unseen(dataset: Dataset) -> Dataset:
    """Domains and distinct values narrowed to what the cases have."""
    codes, values = np.empty_like(dataset.codes), []
    for feature, column in enumerate(dataset.codes):
        known = column != MISSING
        seen, new = np.unique(column[known], return_inverse=True)
        codes[feature] = MISSING
        codes[feature, known] = new
        old = dataset.values[feature]
        values.append(
            old[seen] if dataset.continuous[feature] else tuple(old[code] for code in seen)
        )
    return replace(dataset, codes=codes, values=tuple(values))


def _ordered(dataset, features, name):
    return as_numbers(
        dataset, [dataset.feature_names.index(feature) for feature in features], float
    )


def as_numbers(dataset, features, number_of):
    """Discrete features as continuous ones; `number_of` gives a value's number."""
    codes, values, continuous = (
        dataset.codes.copy(),
        list(dataset.values),
        dataset.continuous.copy(),
    )
    for feature in features:
        numbers = np.array(
            [*map(number_of, dataset.values[feature]), np.nan]
        )  # the last is missing
        values[feature] = rank(numbers[dataset.codes[feature]], codes[feature])
        continuous[feature] = True
    return replace(dataset, codes=codes, values=tuple(values), continuous=continuous)


def _cases(dataset, ranges, name):
    first, last = ranges
    if not 0 <= first < last <= dataset.n_cases:
        raise DataError(
            f"view {name}: cases {first} to {last} of {dataset.n_cases}", cure="correct `cases`"
        )
    return dataset.take_cases(np.arange(first, last))


def _values(dataset, allowed, name):
    keep = np.ones(dataset.n_cases, dtype=bool)
    for feature in np.flatnonzero(~dataset.continuous):
        wanted = np.array(
            [value in allowed for value in dataset.values[feature]] + [True]
        )  # the last is missing
        keep &= wanted[dataset.codes[feature]]
    return dataset.take_cases(np.flatnonzero(keep))


def _classes(dataset, groups, name):
    new = np.full(dataset.n_classes, MISSING, dtype=np.int32)
    for code, old_names in enumerate(groups.values()):
        for old in old_names:
            if old not in dataset.class_names:
                raise DataError(
                    f"view {name}: {old!r} is not a class of {dataset.name}",
                    cure="correct `classes`",
                )
            new[dataset.class_names.index(old)] = code
    chosen = np.flatnonzero(new[dataset.labels] != MISSING)
    narrowed = dataset.take_cases(chosen)
    return replace(narrowed, labels=new[narrowed.labels], class_names=tuple(groups))


def _missing(dataset, how, name):
    absent = dataset.codes == MISSING
    if how == "drop":
        return dataset.take_cases(np.flatnonzero(~absent.any(axis=0)))
    codes, values = dataset.codes.copy(), list(dataset.values)
    for feature in np.flatnonzero(absent.any(axis=1)):
        known = codes[feature][~absent[feature]]
        if how == "mode":
            if not len(known):
                continue  # nothing to fill in with: the feature stays unknown
            fill = (
                np.sort(known)[(len(known) - 1) // 2]
                if dataset.continuous[feature]
                else np.bincount(known).argmax()
            )
            codes[feature, absent[feature]] = fill
        elif how == "value":
            if dataset.continuous[feature]:
                what = (
                    f"view {name}: {dataset.feature_names[feature]} is a number and cannot have `?`"
                    " as a value"
                )
                raise DataError(what, cure="choose `missing: mode` or `missing: drop`")
            codes[feature, absent[feature]] = len(values[feature])
            values[feature] = (*values[feature], "?")
        else:
            raise DataError(f"view {name}: `missing: {how}`", cure="choose value, mode or drop")
    return replace(dataset, codes=codes, values=tuple(values))


def _sample(dataset, sample, name):
    rng = stream(sample["seed"], "view", name)
    count = min(sample["cases"], dataset.n_cases)
    return dataset.take_cases(np.sort(rng.choice(dataset.n_cases, count, replace=False)))


def _features(dataset, wanted, name):
    if wanted == "binary":
        return dataset.take_features(np.flatnonzero(~dataset.continuous & (dataset.arity == 2)))
    if wanted == "discrete":
        return dataset.take_features(np.flatnonzero(~dataset.continuous))
    return dataset.take_features([dataset.feature_names.index(feature) for feature in wanted])


def _constant(dataset, how, name):
    return dataset.take_features(np.flatnonzero(dataset.arity > 1))


def _numbers(dataset, meaning, name):
    return as_numbers(
        dataset, np.flatnonzero(~dataset.continuous), lambda value: float(meaning[value])
    )


_APPLY = {
    "ordered": _ordered,
    "discretise": lambda dataset, how, name: discretised(dataset),
    "cases": _cases,
    "values": _values,
    "classes": _classes,
    "missing": _missing,
    "sample": _sample,
    "features": _features,
    "constant": _constant,
    "numbers": _numbers,
}
