"""The registry of questions: who answers each of them, how they are called, and what differs
between them.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Contestant:
    """One way to answer a question: a class of `adapters` with options, and a grid where it is
    tuned.
    """

    label: str
    rival: str  # of `rivals.RIVALS`
    call: str  # file and class in `adapters`
    options: dict = field(default_factory=dict)
    grid: tuple = ()  # options among which inner cross-validation chooses
    differs: str = ""  # in what it asks, or gives, something else


@dataclass(frozen=True)
class Question:
    """What is asked of all contestants alike; the first of them is ours."""

    title: str
    asks: str
    table: str  # how a data set is prepared: a function of `tables`
    # column of the records that is compared beside the seconds; less is better; empty: none
    measure: str
    stands_on: tuple[str, ...]  # studies whose kernels ours needs
    contestants: tuple[Contestant, ...]
    kind: str = "fit"  # or "folds"
    without_errors: bool = False  # a tree that errs is no answer


def variant_name(variant: dict) -> str:
    """What a form of a question is called in records and on the page.

    >>> variant_name({"search": "exhaustive", "width": 13})
    'search exhaustive, width 13'
    """
    return ", ".join(f"{key} {value}" for key, value in variant.items())


LEAF_PENALTIES = (0.0, 0.001, 0.003, 0.01, 0.03, 0.1)  # in errors as a share of the cases
LEAF_SHARES = (0.0, 0.01, 0.02, 0.03, 0.05, 0.1)  # least cases of a leaf, as a share of all

QUESTIONS = {
    "speed": Question(
        title="Growing one tree",
        asks=(
            "one tree of thresholds, grown by information gain until no leaf can be split, from an"
            " array of numbers"
        ),
        table="numbers",
        measure="leaves",
        stands_on=("induction",),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:Tree", {"criterion": "gain", "min_cases": 2}),
            Contestant(
                "scikit-learn", "scikit-learn", "trees:ScikitLearn", {"criterion": "entropy"}
            ),
            Contestant(
                "lightgbm",
                "lightgbm",
                "trees:LightGbm",
                differs="at most 255 bins per column, a tree per class",
            ),
            Contestant(
                "ydf",
                "ydf",
                "trees:Ydf",
                {"max_depth": -1, "min_examples": 1, "validation_ratio": 0.0},
                differs="columns of 32-bit numbers",
            ),
            Contestant(
                "obliquetree",
                "obliquetree",
                "trees:ObliqueTree",
                {"use_oblique": False},
                differs="Gini",
            ),
            Contestant(
                "J48 unpruned",
                "weka",
                "weka:J48",
                {"flags": ["-U", "-M", "1"]},
                differs="gain ratio; the table is handed over once, outside the clock",
            ),
        ),
    ),
    "optimal": Question(
        title="Fewest training errors of a depth",
        asks=(
            "the tree of bounded depth with the fewest training errors over 0/1 columns, with a"
            " proof"
        ),
        table="binary",
        measure="errors",
        stands_on=("nbdt",),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:DepthBounded", {"n0": 0}),
            Contestant("pystreed", "pystreed", "optimal:Streed", {"optimization_task": "accuracy"}),
            Contestant("pycontree", "pycontree", "optimal:ConTree"),
            Contestant("pydl8.5", "pydl8.5", "optimal:Dl85"),
            Contestant(
                "gosdt",
                "gosdt",
                "optimal:Gosdt",
                differs="a penalty per leaf, all leaves together half an error",
            ),
            Contestant("licketysplit", "licketysplit", "optimal:LicketySplit", differs="no proof"),
            Contestant(
                "CART",
                "scikit-learn",
                "trees:ScikitLearn",
                {"criterion": "gini"},
                differs="greedy, no proof",
            ),
        ),
    ),
    "small": Question(
        title="Small trees on new cases",
        asks=(
            "the error on new cases of a tree of bounded depth; every method chooses among six"
            " values of one option by cross-validation inside the training part"
        ),
        table="columns",
        measure="error",
        stands_on=("nbdt", "induction"),
        kind="folds",
        contestants=(
            Contestant(
                "pinetum",
                "pinetum",
                "ours:SmallTree",
                differs="the weight of Naive Bayes is chosen by its own folds",
            ),
            Contestant(
                "OPTNBDT",
                "pinetum",
                "ours:SmallTree",
                {"n0": float("inf")},
                grid=tuple({"alpha": value} for value in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)),
                differs="Naive Bayes alone, as in the paper",
            ),
            Contestant(
                "pystreed",
                "pystreed",
                "optimal:StreedOnColumns",
                {"optimization_task": "cost-complex-accuracy"},
                grid=tuple({"cost_complexity": value} for value in LEAF_PENALTIES),
                differs="a column of numbers at four quantiles",
            ),
            Contestant(
                "pycontree",
                "pycontree",
                "optimal:ConTreeOnColumns",
                grid=tuple({"complexity_cost": value} for value in LEAF_PENALTIES),
                differs="all cuts",
            ),
            Contestant(
                "pydl8.5",
                "pydl8.5",
                "optimal:Dl85OnColumns",
                grid=tuple({"share": value} for value in LEAF_SHARES),
                differs=(
                    "a column of numbers at four quantiles; it has no penalty, the least cases of a"
                    " leaf are tuned"
                ),
            ),
            Contestant(
                "gosdt",
                "gosdt",
                "optimal:GosdtOnColumns",
                grid=tuple({"penalty": value} for value in (0.001, 0.003, 0.01, 0.02, 0.03, 0.1)),
                differs="a column of numbers at four quantiles; every leaf must cost something",
            ),
            Contestant(
                "licketysplit",
                "licketysplit",
                "optimal:LicketySplitOnColumns",
                grid=tuple({"penalty": value} for value in LEAF_PENALTIES),
                differs="a column of numbers at four quantiles",
            ),
            Contestant(
                "CART",
                "scikit-learn",
                "trees:ScikitLearnOnColumns",
                grid=tuple({"ccp_alpha": value} for value in LEAF_PENALTIES),
                differs="greedy; all cuts",
            ),
        ),
    ),
    "minimum": Question(
        title="Fewest leaves without an error",
        asks=(
            "the tree over 0/1 columns with the fewest leaves that answers every distinct row"
            " rightly, with a proof"
        ),
        table="decisions",
        measure="leaves",
        without_errors=True,
        stands_on=("greedy_dp",),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:Minimal", {"cost": "leaves", "memory_mb": 1000}),
            Contestant(
                "pystreed",
                "pystreed",
                "optimal:Streed",
                {
                    "optimization_task": "cost-complex-accuracy",
                    "cost_complexity": 1e-6,
                    "max_depth": 20,
                },
                differs="at most 20 tests on a path",
            ),
            Contestant(
                "gosdt",
                "gosdt",
                "optimal:Gosdt",
                differs="a penalty per leaf, all leaves together half an error",
            ),
            Contestant(
                "CART",
                "scikit-learn",
                "trees:ScikitLearn",
                {"criterion": "entropy"},
                differs="greedy, no proof",
            ),
        ),
    ),
    "subsets": Question(
        title="Subsets of columns",
        asks=(
            "on given folds, with our tree as learner: the path of backward elimination down to one"
            " column, or the best of all subsets of the first eight columns, or of as many as the"
            " width says"
        ),
        table="numbers",
        measure="search_errors",
        stands_on=("distinct", "elimination"),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:Subsets"),
            Contestant("mlxtend", "mlxtend", "selection:Mlxtend"),
            Contestant(
                "scikit-learn SFS",
                "scikit-learn",
                "selection:ScikitLearn",
                differs=(
                    "backward alone; of equal columns the lowest goes; it does not keep the path"
                ),
            ),
        ),
    ),
    "near": Question(
        title="Sets of near-optimal trees",
        asks=(
            "all trees that are nearly as good as the best; what a tree is, and what is good,"
            " differs"
        ),
        table="binary",
        measure="",
        stands_on=("distinct",),
        contestants=(
            Contestant(
                "pinetum",
                "pinetum",
                "ours:NearOptimal",
                {"extra": 0.01, "cache_mb": 500},
                differs=(
                    "greedy trees of all subsets of columns, errors of five-fold cross-validation"
                ),
            ),
            Contestant(
                "treefarms",
                "treefarms",
                "near:TreeFarms",
                {"penalty": 0.01, "extra": 0.1, "max_depth": 3},
                differs="all trees of depth 3, training errors and a penalty per leaf",
            ),
            Contestant(
                "tree-praxis",
                "tree-praxis",
                "near:Praxis",
                {"penalty": 0.01, "extra": 0.1, "max_depth": 3},
                differs="as treefarms, found by look-ahead",
            ),
        ),
    ),
    "planes": Question(
        title="Planes",
        asks=(
            "the error on new cases of two classes, options chosen by inner cross-validation on the"
            " same folds"
        ),
        table="indicators",
        measure="error",
        stands_on=("induction",),
        kind="folds",
        contestants=(
            Contestant(
                "pinetum",
                "pinetum",
                "ours:Separator",
                grid=(
                    {"method": "FM_RLP-P", "max_depth": 1},
                    {"method": "FM_RLP-P", "max_depth": 2},
                    {"method": "RLP-P", "max_depth": 1},
                ),
            ),
            Contestant(
                "obliquetree",
                "obliquetree",
                "trees:ObliqueTree",
                grid=(
                    {"max_depth": 2},
                    {"max_depth": 3},
                    {"max_depth": 5},
                    {"max_depth": 3, "n_pair": 3},
                ),
            ),
            Contestant(
                "ydf oblique",
                "ydf",
                "trees:Ydf",
                {"split_axis": "SPARSE_OBLIQUE", "validation_ratio": 0.0, "random_seed": 1},
                grid=tuple(
                    {"max_depth": depth, "sparse_oblique_num_projections_exponent": power}
                    for depth in (3, 5)
                    for power in (1.0, 2.0)
                ),
            ),
            Contestant(
                "linear-tree",
                "linear-tree",
                "planes:LinearLeaves",
                {"max_bins": 10},
                grid=({"max_depth": 1}, {"max_depth": 3}),
            ),
            Contestant(
                "treeple",
                "treeple",
                "planes:RandomPlanes",
                grid=tuple(
                    {"max_depth": depth, "feature_combinations": 3} for depth in (2, 3, 5, 8)
                ),
            ),
            Contestant(
                "scikit-obliquetree",
                "scikit-obliquetree",
                "planes:Householder",
                grid=({"max_depth": 1}, {"max_depth": 3}),
                differs="a regression tree of the class",
            ),
            Contestant(
                "sparse line",
                "scikit-learn",
                "planes:SparseLine",
                grid=tuple({"C": value} for value in (0.01, 0.03, 0.1, 0.3, 1.0, 10.0)),
                differs="one plane, `LinearSVC` with the l1 penalty",
            ),
            Contestant(
                "CART",
                "scikit-learn",
                "trees:ScikitLearn",
                grid=tuple({"max_depth": depth} for depth in (1, 2, 3, 5, 8)),
                differs="tests of one column",
            ),
        ),
    ),
    "pruning": Question(
        title="Pruned trees",
        asks=(
            "the error on new cases and the leaves of a pruned tree, options chosen by inner"
            " cross-validation"
        ),
        table="numbers",
        measure="error",
        stands_on=("induction", "pruning"),
        kind="folds",
        contestants=(
            Contestant(
                "pinetum",
                "pinetum",
                "ours:Tree",
                {"preset": "c45", "prune": True},
                grid=tuple({"cf": value} for value in (0.25, 0.1, 0.03, 0.01)),
            ),
            Contestant(
                "pinetum SYNTH+",
                "pinetum",
                "ours:Tree",
                {"preset": "c45", "prune": "SYNTH+"},
                differs="a function that a program search found; nothing is tuned",
            ),
            Contestant(
                "J48",
                "weka",
                "weka:J48",
                grid=tuple({"flags": ["-C", value]} for value in ("0.25", "0.1", "0.03", "0.01")),
                differs="its time contains handing over the cases as text",
            ),
            Contestant(
                "scikit-learn ccp",
                "scikit-learn",
                "trees:Pruned",
                {"criterion": "entropy"},
                differs="20 values of its own path, tuned by itself",
            ),
            Contestant(
                "ydf",
                "ydf",
                "trees:Ydf",
                grid=tuple({"validation_ratio": 0.1, "min_examples": least} for least in (2, 5)),
                differs="prunes by a tenth of the cases kept aside",
            ),
            Contestant(
                "gplearn",
                "gplearn",
                "programs:Gplearn",
                differs="a pruning function by genetic programming for every training part",
            ),
        ),
    ),
    "j48": Question(
        title="Leaf for leaf with J48",
        asks="C4.5's pruned tree with its default options, fold by fold: leaves and predictions",
        table="own",
        measure="leaves",
        stands_on=("induction",),
        kind="folds",
        contestants=(
            Contestant("pinetum", "pinetum", "ours:C45", {"limits": "j48"}),
            Contestant(
                "pinetum as Release 8",
                "pinetum",
                "ours:C45",
                differs="C4.5's own table of confidence limits",
            ),
            Contestant(
                "J48",
                "weka",
                "weka:J48",
                differs="its time contains handing over the cases as text",
            ),
        ),
    ),
}
