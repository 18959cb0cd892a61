"""What the study compares and which searches there are: one entry each.

Names, colours, schemas and tables derive.
"""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Method:
    """A kind of classifier that the study cross-validates.

    depths   key of the configuration with the depths it is grown to; None: it has none
    pattern  its name, with {depth}
    colours  depth -> place in the figures' palette
    about    one line on what it is
    names    depth -> a name of its own
    paper    depths at which the paper shows it
    """

    depths: str | tuple | None
    pattern: str
    about: str
    colours: dict = field(default_factory=dict)
    names: dict = field(default_factory=dict)
    paper: tuple = ()

    def name(self, depth=None) -> str:
        return self.names.get(depth, self.pattern.format(depth=depth))

    def depths_in(self, settings) -> list:
        """Depths that a configuration asks for."""
        if self.depths is None:
            return [None]
        if isinstance(self.depths, tuple):
            return list(self.depths)
        found = settings
        for key in self.depths.split("."):
            found = found[key]
        return found


METHODS = {
    "optnbdt": Method(
        "depths",
        "{depth}-OPTNBDT",
        "the tree that is best if Naive Bayes is true",
        {1: 1, 2: 4, 3: 0, 4: 2, 5: 8},
        names={1: "1-NBDT"},
        paper=(1, 2, 3, 4),  # 1-OPTNBDT and 1-NBDT are the same stump
    ),
    "id3": Method(
        (3,), "{depth}-ID3", "information gain until nodes are pure or depth 3", {3: 5}, paper=(3,)
    ),
    "naive_bayes": Method(None, "NB", "Naive Bayes itself", {None: 7}, paper=(None,)),
    "greedy": Method("greedy_depths", "{depth}-greedy", "greedy trees of the same depths"),
    "optimal": Method(
        "optimal_depths", "{depth}-optimal", "fewest training errors, binary tests, by our search"
    ),
    "blend_0": Method(
        "blend.depths",
        "{depth}-blend-0",
        "fewest training errors, a branch per value, by our search",
    ),
    "blend_cv": Method(
        "blend.depths",
        "{depth}-blend-cv",
        "between data and Naive Bayes, the weight by inner cross-validation",
    ),
}
COLOURS = {m.name(depth): place for m in METHODS.values() for depth, place in m.colours.items()}
PAPER_METHODS = tuple(
    m.name(depth) for m in METHODS.values() for depth in m.paper
)  # in the order of its figure 4


def method_names(settings) -> list[str]:
    """All methods of a study in the order of its tables."""
    return [
        method.name(depth) for method in METHODS.values() for depth in method.depths_in(settings)
    ]


def weight_names(settings) -> dict[str, float]:
    """Name of the tree for every weight of the prior and depth that a configuration asks for -> the
    weight.
    """
    blend = settings["blend"]
    return {
        f"{depth}-blend-{weight}": float(weight)
        for depth in blend["depths"]
        for weight in blend["weights"]
    }


@dataclass(frozen=True)
class Search:
    """A way to the tree that is best under Naive Bayes; all give the same.

    code   what the kernels call it (`SCAN`, `LIST`, `BOUND`); they are not imported here, for
           figures' sake
    about  one line on how it works
    """

    code: int
    about: str


SEARCHES = {
    "nbdt": Search(0, "plain dynamic programming"),
    "optnbdt": Search(1, "the last test from the opt-feature list"),
    "bound": Search(2, "branch and bound"),
}
