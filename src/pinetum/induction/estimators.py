"""A scikit-learn compatible classifier on top of the grower."""

from pinetum.induction.base import Classifier, checked_weights
from pinetum.induction.grower import Grower
from pinetum.induction.options import PRESETS
from pinetum.induction.pruning import error_based


class TreeClassifier(Classifier):
    """A decision tree with multiway splits on discrete columns and missing values handled as in C4.5.

    preset     'yadt' (plain rules) or 'c45' (C4.5 Release 8)
    criterion  'gain', 'gain_ratio' or 'gini'; None: the preset's own
    m          yadt: a node with fewer cases is a leaf; c45: least cases in two branches
    max_depth  None or a number; a lone leaf has depth 0
    prune      False; True: by C4.5's error estimates; or any object whose `prune(tree)` gives a tree, such as a
               function that the program search found
    cf         confidence of C4.5's pruning; smaller prunes more
    raising    whether C4.5's pruning may replace a node by its largest branch

    Columns of a DataFrame whose dtype is category, object, string or bool are discrete; all other columns,
    and all columns of an array, are numbers. NaN and None are missing values; a discrete value that was not
    seen in training counts as missing. After `fit`, `tree_` is the Tree and `classes_` the class labels.
    """

    def __init__(self, preset="yadt", criterion=None, m=2, max_depth=None, prune=False, cf=0.25, raising=True):
        self.preset = preset
        self.criterion = criterion
        self.m = m
        self.max_depth = max_depth
        self.prune = prune
        self.cf = cf
        self.raising = raising

    def fit(self, X, y, sample_weight=None):
        if self.preset not in PRESETS:
            raise ValueError(f"preset {self.preset!r}: expected one of {', '.join(PRESETS)}")
        by_function = None if isinstance(self.prune, bool) else pruning_function(self.prune)
        table, labels = self._learned(X, y)
        weights = checked_weights(sample_weight, table)
        data = self._dataset(table, labels)
        options = PRESETS[self.preset](self.m, **({} if self.criterion is None else {"criterion": self.criterion}))
        tree = Grower(data, options.but(max_depth=self.max_depth), weights=weights).grow()
        if by_function is not None:
            tree = by_function.prune(tree)
        elif self.prune:
            tree = error_based(tree, data, weights=weights, cf=self.cf, raising=self.raising).tree
        self.tree_ = tree
        return self


def pruning_function(given):
    """An object with `prune(tree)`."""
    if hasattr(given, "prune"):
        return given
    raise ValueError(f"prune = {given!r}: expected True, False, or an object with `prune(tree)`")
