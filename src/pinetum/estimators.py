"""The classifier that puts the grower and the pruners together."""

from typing import Any, ClassVar

import numpy as np

from pinetum.induction.base import Classifier, balanced_weights, checked_weights, seed_of
from pinetum.induction.grower import Grower
from pinetum.induction.options import PRESETS
from pinetum.induction.pruning import error_based
from pinetum.parameters import FLAG, LATER, Number, Words
from pinetum.pruning.library import prune
from pinetum.pruning.pruners import FOUND, find_pruner
from pinetum.trees.shrink import limit_leaves


class TreeClassifier(Classifier):
    """A decision tree with multiway splits on discrete columns and missing values handled as in
    C4.5.

    Parameters
    ----------
    preset : {"yadt", "c45"}, default "yadt"
        "yadt": plain rules; "c45": C4.5 Release 8.
    criterion : {"gain", "gain_ratio", "gini"}, optional
        What a split is worth; the preset's own when left out.
    min_cases : float, default 2
        yadt: a node with fewer cases is a leaf; c45: least cases in two branches.
    max_depth : int, optional
        Most tests on a path; a lone leaf has depth 0.
    max_leaves : int, optional
        The weakest links are cut until no more leaves are left; with prune="FRONT" the best tree of
        at most so many.
    min_weight_fraction_leaf : float, default 0
        At least two branches of a split weigh this share, at most a half, of all training cases.
    class_weight : "balanced" or dict, optional
        Weights of classes, multiplied into `sample_weight` and scaled so that all cases weigh
        together as before.
    prune : bool, str or object, default False
        True: C4.5's error-based pruning; the name of a pruner (`pinetum.PRUNERS`), "found:NAME" for
        a function that the program search found; or any object whose `prune(tree)` gives a tree.
    cf : float, default 0.25
        Confidence of error-based pruning (EBP, WEBP; where TWEBP starts); smaller prunes more.
    raising : bool, default True
        Whether C4.5's pruning may replace a node by its largest branch.
    n_jobs : int, optional
        Threads that sort the columns of a large array; -1: one per core. The tree is the same for
        any number.
    random_state : int, RandomState, Generator or None, default 0
        Draws the folds, or the third of the cases, of pruners that validate (TWEBP, CCP, FRONT,
        REP).

    Attributes
    ----------
    tree_ : pinetum.trees.Tree
    classes_ : array
    feature_importances_ : array of shape (columns,)
        Share of every column in the tree's whole gain of information.

    Notes
    -----
    Equal gains: the first column, then the lowest threshold. Missing values are shared out over
    branches by the weight of known cases, in growing and in prediction (Quinlan 1993, chapter 3).

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"sky": ["sun", "sun", "rain", "rain"], "wind": [1.0, 3.0, 1.0, 3.0]})
    >>> model = TreeClassifier().fit(X, ["yes", "yes", "yes", "no"])
    >>> print(model.to_text())
    sky = rain:
    |   wind <= 2: yes (1)
    |   wind > 2: no (1)
    sky = sun: yes (2)
    <BLANKLINE>
    >>> model.predict(pd.DataFrame({"sky": ["rain"], "wind": [9.0]})).tolist()
    ['no']
    """

    _ranges: ClassVar[dict[str, Any]] = {
        "preset": Words(tuple(PRESETS)),
        "criterion": LATER,
        "max_leaves": Number(1, whole=True, also=(None,)),
        "min_weight_fraction_leaf": Number(0, 0.5),
        "class_weight": LATER,
        "prune": LATER,
        "cf": Number(0, 1, above=True, below=True),
        "raising": FLAG,
    }

    def __init__(
        self,
        preset="yadt",
        *,
        criterion=None,
        min_cases=2,
        max_depth=None,
        max_leaves=None,
        min_weight_fraction_leaf=0.0,
        class_weight=None,
        prune=False,
        cf=0.25,
        raising=True,
        n_jobs=None,
        random_state=0,
    ):
        self.preset = preset
        self.criterion = criterion
        self.min_cases = min_cases
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.class_weight = class_weight
        self.prune = prune
        self.cf = cf
        self.raising = raising
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None, sample_weight=None):
        """Grow the tree on cases X of classes y.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, features), or Table
        y : array of shape (cases,); none for a Table, which knows its classes
        sample_weight : array of shape (cases,), optional
            A case of weight 2 counts as two cases.

        Returns
        -------
        self
        """
        if self.prune is not None and not isinstance(self.prune, (bool, np.bool_, str)):
            if not hasattr(self.prune, "prune"):
                raise ValueError(
                    f"prune = {self.prune!r}: expected True, False, a pruner's name or a"
                    " `prune(tree)`"
                )
        elif isinstance(self.prune, str) and not self.prune.startswith(FOUND):
            find_pruner(self.prune)
        data = self._learned(X, y)
        share = self.min_weight_fraction_leaf
        weights = checked_weights(sample_weight, data.n_cases)
        weights = balanced_weights(self.class_weight, self.classes_[data.labels], weights)
        options = PRESETS[self.preset](
            self.min_cases, **({} if self.criterion is None else {"criterion": self.criterion})
        )
        whole = data.n_cases if weights is None else weights.sum()
        least = max(options.min_branch, float(share * whole))
        options = options.but(max_depth=self.max_depth, min_branch=least)

        def grow(rows=None):
            chosen = weights if rows is None or weights is None else weights[rows]
            return Grower(data, options, cases=rows, weights=chosen).grow()

        tree = self._pruned(grow(), data, weights, grow)
        self.tree_ = tree if self.max_leaves is None else limit_leaves(tree, self.max_leaves)
        return self

    def _pruned(self, tree, data, weights, grow):
        """The tree after `prune`; `grow(rows)` grows one on some cases, for pruners that
        validate.
        """
        if (
            self.prune is None
            or self.prune is False
            or (isinstance(self.prune, np.bool_) and not self.prune)
        ):
            return tree
        if isinstance(self.prune, (bool, np.bool_)):
            return error_based(tree, data, weights=weights, cf=self.cf, raising=self.raising).tree
        if not isinstance(self.prune, str) or self.prune.startswith(FOUND):
            return prune(tree, self.prune)
        entry = find_pruner(self.prune)
        given = {"confidence": self.cf, "max_leaves": self.max_leaves}
        options = {name: value for name, value in given.items() if name in entry.reads}
        if not entry.needs:
            return prune(tree, self.prune, **options)
        if "cases" in entry.needs:
            return prune(tree, self.prune, data, sample_weight=weights, **options)
        return prune(
            tree, self.prune, data, grow=grow, random_state=seed_of(self.random_state), **options
        )
