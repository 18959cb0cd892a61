"""Folds, splits and the statistics that compare methods."""

from pinetum.validation.folds import (
    load_splits,
    repeated_folds,
    save_splits,
    stratified_folds,
    stratified_split,
)
from pinetum.validation.statistics import (
    Outcome,
    average_ranks,
    corrected_resampled_t_test,
    critical_difference,
    friedman,
    holm,
    iman_davenport,
    mean_se,
    paired_t_test,
)

__all__ = [
    "Outcome",
    "average_ranks",
    "corrected_resampled_t_test",
    "critical_difference",
    "friedman",
    "holm",
    "iman_davenport",
    "load_splits",
    "mean_se",
    "paired_t_test",
    "repeated_folds",
    "save_splits",
    "stratified_folds",
    "stratified_split",
]
