"""The tree of least cost as a scikit-learn estimator."""

import warnings
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from pinetum.data.dataset import Dataset
from pinetum.data.errors import DataError
from pinetum.data.schema import CURE, validated, whole_numbers
from pinetum.greedy_dp.analysis import Analysis, TooLarge
from pinetum.greedy_dp.building import costs_of_tree, names_of
from pinetum.greedy_dp.costs import COSTS, cost_of
from pinetum.greedy_dp.minimal import WAYS, Minimizer, relative_gap
from pinetum.greedy_dp.names import MEANINGS
from pinetum.greedy_dp.optimum import Limits
from pinetum.greedy_dp.rules import all_rules, attribute_name, fewest_rules, reduct
from pinetum.greedy_dp.tables import from_dataset
from pinetum.induction.base import Classifier, check_is_fitted
from pinetum.parameters import LARGEST, LATER, Number, Words
from pinetum.progress import watched
from pinetum.trees import Tree


class MinimalTree(Classifier):
    """The decision tree of least cost that answers every case of the table rightly, with a proof or
    a proved gap.

    For decision tables: diagnosis, fault isolation, keys, selection of tests. It describes the
    table; a tree that shall answer new cases is better grown with pruning.

    Parameters
    ----------
    cost : {"nodes", "leaves", "tests", "depth", "average_depth"}, default "nodes"
        What the tree has least of.
    then : list of such costs, optional
        Among the trees of least `cost`, the least of these in turn. Needs the graph of all
        subtables in memory.
    inconsistent : {"most_common", "any", "all", "refuse"}, default "most_common"
        What equal cases of different classes mean: the most common class, any of the classes, all
        of them together as a class of its own (then `predict` gives the first of them), or an
        error.
    alpha_rows : int, default 0
        Cases that every leaf may answer wrongly.
    alpha_share : float, default 0
        Share of the cases of every leaf that it may answer wrongly beside them.
    prices : dict or array, optional
        What testing a column costs, whole numbers; by name (others cost 1) or for every column of
        X.
    weights : {None, "cases"} or array of shape (cases,)
        Whether the average depth and alpha count every distinct case once, or as often as it
        occurs; or what each case counts: whole numbers, or probabilities with a common denominator
        up to a million.
    thresholds : int, optional
        Most thresholds tried of a column of numbers; all if None.
    way : {"auto", "graph", "branch"}, default "auto"
        Dynamic programming, branch and bound, or whichever gets there.
    work : int, default 500 million
        Effort after which the best tree known is taken: some hundred million a second.
    time_limit : float, optional
        The same in CPU seconds. At a limit, and after Ctrl-C, `cost_` and `bound_` say what is
        proved.
    memory_mb : float, default 100
        Memory of the search.
    verbose : int, default 0
        1 tells the standard error how far the search has come.

    Attributes
    ----------
    tree_ : pinetum.trees.Tree
    status_ : str
        "optimal", "work_limit", "time_limit", "memory_limit" or "interrupted".
    cost_, bound_, gap_ : float
        What the tree costs, what no tree goes below, and their difference as a share of the bound.
    costs_ : dict
        All five costs of the tree.
    classes_ : array
    n_features_in_ : int
    feature_names_in_ : array of str
        Only where `fit` was given a DataFrame with such names, or a Table.
    feature_importances_ : array of shape (columns,)
        Share of every column in the tree's whole gain of information.

    Notes
    -----
    Columns of a DataFrame with categories, text or truth values branch into all their values, with
    a branch for missing cells where training had them; columns of numbers are tested against
    thresholds between neighbouring numbers, and a missing number goes where the least of them goes:
    where it shall be told apart, add a column that says so.

    Examples
    --------
    >>> import pandas as pd
    >>> X = pd.DataFrame({"lamp": ["on", "on", "off", "off"], "fuse": ["ok", "blown", "ok", "blown"]})
    >>> model = MinimalTree("depth").fit(X, ["fine", "fine", "lamp", "fuse"])
    >>> print(model.to_text(), end="")
    lamp = off:
    |   fuse = blown: fuse (1)
    |   fuse = ok: lamp (1)
    lamp = on: fine (2)
    >>> model.status_, model.count("depth")
    ('optimal', 2)
    """  # noqa: E501

    _ranges: ClassVar[dict[str, Any]] = {
        "cost": LATER,
        "then": LATER,
        "inconsistent": Words(tuple(MEANINGS)),
        "prices": LATER,
        "weights": LATER,
        "alpha_rows": Number(0, LARGEST, whole=True),
        "alpha_share": Number(0, 1, below=True),
        "thresholds": Number(1, whole=True, also=(None,)),
        "way": Words(tuple(WAYS)),
    }

    def __init__(
        self,
        cost="nodes",
        *,
        then=None,
        inconsistent="most_common",
        alpha_rows=0,
        alpha_share=0.0,
        prices=None,
        weights=None,
        thresholds=None,
        way="auto",
        work=500_000_000,
        time_limit=None,
        memory_mb=100.0,
        verbose=0,
    ):
        self.cost = cost
        self.then = then
        self.inconsistent = inconsistent
        self.alpha_rows = alpha_rows
        self.alpha_share = alpha_share
        self.prices = prices
        self.weights = weights
        self.thresholds = thresholds
        self.way = way
        self.work = work
        self.time_limit = time_limit
        self.memory_mb = memory_mb
        self.verbose = verbose

    def fit(self, X, y=None):
        """Find the tree.

        Parameters
        ----------
        X : DataFrame or array of shape (cases, columns), or Table
        y : array of shape (cases,); none for a Table, which knows its classes

        Returns
        -------
        self
        """
        self._data = self._learned(X, y)
        self.table_ = from_dataset(
            self._data,
            missing="value",
            numbers="thresholds",
            thresholds=self.thresholds,
            inconsistent=self.inconsistent,
            alpha_rows=self.alpha_rows,
            alpha_share=self.alpha_share,
            weights=self.weights,
            prices=self._per_feature("prices", self._data),
        )
        self._analysis = None
        self.groups_ = self.table_.groups
        cost = cost_of(self.cost)
        limit = float("inf") if self.time_limit is None else float(self.time_limit)
        minimizer = Minimizer(
            self.table_, way=self.way, work=self.work, memory_mb=self.memory_mb, time_limit=limit
        )
        with watched(type(self).__name__, self.verbose):
            found = minimizer.minimum(cost)
            if self.then and found.status == "optimal":
                self.tree_ = self.analysis_.tree([cost, *self.then], self._data, counts="cases")
            else:
                self.tree_ = found.tree(self._data, counts="cases")
        self.status_, self.cost_, self.bound_, self.gap_ = (
            found.status,
            found.value,
            found.bound,
            found.gap,
        )
        if found.status != "optimal":
            warnings.warn(
                f"{cost.label} between {found.bound:.6g} and {found.value:.6g}, not proved; raise"
                " work",
                ConvergenceWarning,
                2,
            )
        counted = costs_of_tree(self.table_, self.tree_)
        self.costs_ = {
            cost.label: (
                counted[cost.place].item() / int(self.table_.weight.sum())
                if cost.path
                else counted[cost.place].item()
            )
            for cost in COSTS.values()
        }
        return self

    @property
    def analysis_(self) -> Analysis:
        """The graph of all subtables: sequences of costs, fronts, numbers of optimal trees."""
        table = self._own_table()
        if self._analysis is None:
            try:
                self._analysis = Analysis.of(table, Limits(memory_mb=self.memory_mb))
            except TooLarge as reason:
                raise ValueError(
                    f"the graph of all subtables is too large ({reason}); raise memory_mb"
                ) from None
        return self._analysis

    def pareto_front(self, first="depth", second="nodes") -> list[tuple[tuple[float, float], Tree]]:
        """Pairs of costs that no tree betters in both, each with a tree that has them."""
        check_is_fitted(self)
        units = [self.table_.weight.sum() if cost_of(cost).path else 1 for cost in (first, second)]
        points = self.analysis_.pareto_trees(first, second, self._data)
        return [((point[0] / units[0], point[1] / units[1]), tree) for point, tree in points]

    def count(self, *costs) -> int:
        """How many trees are best in these costs in turn."""
        check_is_fitted(self)
        return self.analysis_.count(*(costs or [self.cost]))

    def sample(self, n=1, *, costs=None, random_state=0) -> list[Tree]:
        """Trees drawn uniformly from all that are best in the costs in turn."""
        check_is_fitted(self)
        return self.analysis_.sample(costs or [self.cost], n, random_state, self._data)

    def rules(self, aim="short", *, greedy=False, fewest=True):
        """Decision rules of the table, beside the tree: each true without exception, whatever alpha
        is.

        Parameters
        ----------
        aim : {"short", "wide"}
            For every case the rule with the fewest tests, or the one that covers most cases;
            proved.
        greedy : bool
            Greedy rules instead.
        fewest : bool
            As few of them as cover every case (proved unless `greedy`), not one for every distinct
            case.

        Returns
        -------
        DataFrame
            "rule", "class", "length" (tests) and "covers" (distinct cases).

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"lamp": ["on", "on", "off", "off"], "fuse": ["ok", "blown", "ok", "blown"]})
        >>> print(MinimalTree().fit(X, ["fine", "fine", "lamp", "fuse"]).rules().to_string(index=False))
                               rule class  length  covers
        lamp = off and fuse = blown  fuse       2       1
           lamp = off and fuse = ok  lamp       2       1
                          lamp = on  fine       1       2
        """  # noqa: E501
        import pandas as pd

        table = self._own_table()
        rules = all_rules(table, aim, greedy=greedy)
        if fewest:
            rules = fewest_rules(table, rules, greedy=greedy)
        classes = names_of(table, self._data)[1]
        lines = [
            (
                rule.conditions_text(table, self._data),
                classes[rule.decision],
                rule.length,
                len(rule.covers),
            )
            for rule in rules
        ]
        return pd.DataFrame(lines, columns=["rule", "class", "length", "covers"])

    def reduct(self, *, greedy=False) -> list[str]:
        """The fewest (cheapest, by `prices`) tests that, fixed beforehand, tell all classes apart.

        Proved or `greedy`.

        Examples
        --------
        >>> import pandas as pd
        >>> X = pd.DataFrame({"lamp": ["on", "on", "off", "off"], "fuse": ["ok", "blown", "ok", "blown"]})
        >>> MinimalTree().fit(X, ["fine", "fine", "lamp", "fuse"]).reduct()
        ['lamp', 'fuse']
        """  # noqa: E501
        table = self._own_table()
        return [attribute_name(table, a, self._data) for a in reduct(table, greedy=greedy)]

    def _own_table(self):
        check_is_fitted(self)
        if not hasattr(self, "table_"):
            raise ValueError(
                "a model that was loaded has its tree, not its decision table; fit it again"
            )
        return self.table_

    def predict(self, X):
        """Class of every case."""
        check_is_fitted(self)
        return self.classes_[self._first_of(self.tree_.predict(self._cases(X)))]

    def predict_proba(self, X):
        """Class shares (cases, classes) of the training cases in the leaf."""
        check_is_fitted(self)
        return self._shared_out(self.tree_.predict_proba(self._cases(X)))

    def _class_of_nodes(self):
        labels, shares = super()._class_of_nodes()
        return self._first_of(labels), self._shared_out(shares)

    def _first_of(self, labels):
        """The first class of each group."""
        if self.groups_ is None:
            return labels
        return np.array([group[0] for group in self.groups_])[labels]

    def _shared_out(self, shares):
        """Shares of classes from shares of groups of them."""
        if self.groups_ is None:
            return shares
        spread = np.zeros((len(self.groups_), len(self.classes_)))
        for place, group in enumerate(self.groups_):
            spread[place, list(group)] = 1 / len(group)
        return shares @ spread

    def _cases(self, X):
        table = np.array(super()._cases(X))
        for f, domain in enumerate(self._data.values):
            unknown = np.isnan(table[:, f])
            if self._data.continuous[f]:
                table[unknown, f] = -np.inf
            elif len(self.tree_.values[f]) > len(domain):
                table[unknown, f] = len(domain)
        return table

    def _class_values(self) -> list:
        if self.groups_ is None:
            return list(self.classes_)
        return [self.classes_[group[0]] for group in self.groups_]

    def _branch_of_missing(self) -> dict:
        branches = {}
        for f, domain in enumerate(self._data.values):
            if self._data.continuous[f]:
                branches[f] = 0
            elif len(self.tree_.values[f]) > len(domain):
                branches[f] = len(domain)
        return branches

    def _state(self) -> dict:
        data = self._data
        return {
            "tree": self.tree_.to_dict(),
            "domains": [
                None if c else list(v) for c, v in zip(data.continuous, data.values, strict=True)
            ],
            "groups": (
                None if self.groups_ is None else [list(map(int, group)) for group in self.groups_]
            ),
            "status": self.status_,
            "cost": float(self.cost_),
            "bound": float(self.bound_),
            "costs": {name: float(cost) for name, cost in self.costs_.items()},
        }

    def _restore(self, state):
        validated(state, STATE)
        self.tree_ = Tree.from_dict(state["tree"])
        domains, groups, classes = state["domains"], state["groups"], len(self.classes_)
        width, labels = len(self.tree_.feature_names), classes if groups is None else len(groups)
        if not width == self._width() == len(domains) or self.tree_.n_classes != labels:
            raise DataError("the tree does not fit the columns and classes beside it", cure=CURE)
        self._check_known(self.tree_.feature_names)
        for group in groups or ():
            whole_numbers(group, "groups", 0, classes - 1)
        for domain, values in zip(domains, self.tree_.values, strict=True):
            if (domain is None) != (values is None):
                raise DataError(
                    "domains: numbers where the tree has values, or values where it has numbers",
                    cure=CURE,
                )
        self.groups_ = groups
        self.status_, self.cost_, self.bound_ = state["status"], state["cost"], state["bound"]
        self.gap_ = relative_gap(self.bound_, self.cost_)
        self.costs_ = state["costs"]
        self._data = Dataset(
            name="model",
            codes=np.empty((width, 0), dtype=np.int32),
            labels=np.empty(0, dtype=np.int32),
            continuous=np.array([domain is None for domain in domains]),
            values=tuple(np.empty(0) if domain is None else tuple(domain) for domain in domains),
            feature_names=self.tree_.feature_names,
            class_names=self.tree_.class_names,
        )


STATE = {
    "type": "object",
    "required": ["tree", "domains", "groups", "status", "cost", "bound", "costs"],
    "properties": {
        "tree": {"type": "object"},
        "domains": {
            "type": "array",
            "items": {"type": ["array", "null"], "items": {"type": "string"}},
        },
        "groups": {
            "type": ["array", "null"],
            "minItems": 1,
            "items": {"type": "array", "minItems": 1},
        },
        "status": {"type": "string"},
        "cost": {"type": "number"},
        "bound": {"type": "number"},
        "costs": {"type": "object", "additionalProperties": {"type": "number"}},
    },
}
