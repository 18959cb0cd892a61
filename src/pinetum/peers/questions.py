"""The registry of questions: who answers each of them, how they are called, and what differs between them."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Contestant:
    """One way to answer a question: a class of `adapters` with options, and a grid where it is tuned."""

    label: str
    rival: str  # of `rivals.RIVALS`
    call: str  # file and class in `adapters`
    options: dict = field(default_factory=dict)
    grid: tuple = ()  # options among which inner cross-validation chooses
    differs: str = ""  # in what it asks, or gives, something else
    limit: str = ""  # its own option for a limit in seconds, where it has one


@dataclass(frozen=True)
class Question:
    """What is asked of all contestants alike; the first of them is ours."""

    title: str
    asks: str
    table: str  # how a data set is prepared: a function of `tables`
    measure: str  # column of the records that is compared beside the seconds
    stands_on: tuple[str, ...]  # studies whose kernels ours needs
    contestants: tuple[Contestant, ...]
    kind: str = "fit"  # or "folds"


QUESTIONS = {
    "speed": Question(
        title="Growing one tree",
        asks="one tree of thresholds, grown by information gain until no leaf can be split, from an array of numbers",
        table="numbers",
        measure="leaves",
        stands_on=("induction",),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:Tree", {"criterion": "gain", "min_cases": 2}),
            Contestant("scikit-learn", "scikit-learn", "trees:ScikitLearn", {"criterion": "entropy"}),
            Contestant(
                "lightgbm", "lightgbm", "trees:LightGbm", differs="at most 255 bins per column, a tree per class"
            ),
            Contestant(
                "ydf",
                "ydf",
                "trees:Ydf",
                {"max_depth": -1, "min_examples": 1, "validation_ratio": 0.0},
                differs="columns of 32-bit numbers",
            ),
            Contestant("obliquetree", "obliquetree", "trees:ObliqueTree", {"use_oblique": False}, differs="Gini"),
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
        asks="the tree of bounded depth with the fewest training errors over 0/1 columns, with a proof",
        table="binary",
        measure="errors",
        stands_on=("nbdt",),
        contestants=(
            Contestant("pinetum", "pinetum", "ours:DepthBounded", {"n0": 0}, limit="time_limit"),
            Contestant("pystreed", "pystreed", "optimal:Streed", {"optimization_task": "accuracy"}, limit="seconds"),
            Contestant("pycontree", "pycontree", "optimal:ConTree", limit="seconds"),
            Contestant("pydl8.5", "pydl8.5", "optimal:Dl85", limit="seconds"),
            Contestant(
                "gosdt",
                "gosdt",
                "optimal:Gosdt",
                differs="a penalty per leaf, all leaves together half an error",
                limit="seconds",
            ),
            Contestant("licketysplit", "licketysplit", "optimal:LicketySplit", differs="no proof"),
            Contestant("CART", "scikit-learn", "trees:ScikitLearn", {"criterion": "gini"}, differs="greedy, no proof"),
        ),
    ),
}
