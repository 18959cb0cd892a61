"""How the paper is read: every choice its text leaves open, as one value.

The defaults reproduce its tables.
"""

from dataclasses import dataclass, fields

from pinetum.parameters import Number, Words, check
from pinetum.pruning.estimates import C45, CHARGE, GRIDS, NAIVE, SLACK
from pinetum.pruning.kernels.id3 import Rules
from pinetum.pruning.kernels.networks import Variant

CHOICES = {
    "portions": ("halved", "printed"),
    "equal_rows": ("kept", "once"),
    "tested": ("outside_portion", "all_others"),
    "gain_ties": ("last", "first"),
    "constant_attributes": ("chosen", "skipped"),
    "majority_ties": ("lowest", "parent"),
    "naive": tuple(NAIVE),
    "c45": tuple(C45),
    "tuning_grid": tuple(GRIDS),
    "tuning_ties": ("nearest_default", "lowest", "highest"),
    "outer_folds": ("plain", "stratified"),
    "empty_leaves": ("counted", "not_counted"),
}
LEAVES = Number(1, whole=True, also=(None,))
RANGES = {
    "naive_z": (0.0, 10.0),
    "naive_slack": (0.0, 10.0),
    "confidence": (0.0001, 0.9999),
    "slack": (0.0, 10.0),
    "charge": (0.0, 10.0),
    "m_estimate": (0.0, 1000.0),
}


@dataclass(frozen=True)
class Reading:
    """Choices by name; an unknown one is refused."""

    portions: str = "halved"  # training portions of the networks: those printed, or half of them
    equal_rows: str = "kept"  # rows that removal makes equal: all kept, or one of each kept `once`
    tested: str = (  # rows of the networks: outside the printed portion, or all that do not train
        "outside_portion"
    )
    bias: bool = False  # output nodes with a bias weight
    gain_ties: str = "last"  # equal gain: `first` or `last` attribute
    constant_attributes: str = (
        "chosen"  # an attribute with one value at the node may be `chosen` or is `skipped`
    )
    majority_ties: str = (
        "lowest"  # a leaf's equal classes: the `lowest`, or the `parent`'s majority
    )
    naive: str = "wilson"  # bound of NEBP: wilson, wald, continuity
    naive_z: float = 0.69
    naive_slack: float = 0.0
    c45: str = "c45"  # errors of WEBP and TWEBP: c45, exact_binomial
    confidence: float = 0.25
    slack: float = SLACK  # errors a leaf of WEBP and TWEBP may be worse by
    charge: float = CHARGE  # what SYNTH+ adds per kept split
    tuning_grid: str = (
        "0.001 to 0.45"  # confidence levels TWEBP chooses among, a key of `estimates.GRIDS`
    )
    tuning_ties: str = (
        "highest"  # equal cross-validated hits: nearest_default, lowest, highest level
    )
    stratified_tuning: bool = False  # folds of the tuning keep the proportions of the classes
    outer_folds: str = "plain"  # cross-validations of Tables 2 and 3: plain, or stratified by class
    empty_leaves: str = "counted"  # leaves without cases are nodes, or `not_counted`
    max_leaves: int | None = None  # of FRONT; the paper has no such pruner
    m_estimate: float = 2.0  # weight of the prior in MEP, in cases; the paper has no MEP

    def __post_init__(self):
        """Refuse a choice that does not exist and a number out of its range."""
        for name, known in CHOICES.items():
            if not Words(known).takes(getattr(self, name)):
                raise ValueError(f"{name} = {getattr(self, name)!r}: expected {Words(known)}")
        for name, (low, high) in RANGES.items():
            if not Number(low, high).takes(getattr(self, name)):
                raise ValueError(
                    f"{name} = {getattr(self, name)!r}: expected a number from {low} to {high}"
                )
        check({"max_leaves": LEAVES}, max_leaves=self.max_leaves)

    @classmethod
    def of(cls, base, **changes):
        return cls(**{**base, **changes})

    @property
    def rules(self):
        return Rules(
            ties_last=self.gain_ties == "last",
            skip_constant=self.constant_attributes == "skipped",
            ties_to_parent=self.majority_ties == "parent",
        )

    @property
    def variant(self):
        return Variant(
            distinct_rows=self.equal_rows == "once",
            bias=self.bias,
            stratified=self.stratified_tuning,
            set_aside=self.tested == "outside_portion",
        )

    @property
    def growing(self):
        """The part that decides the trees themselves.

        Readings that share it share their forests.
        """
        return (self.portions, self.rules, self.variant)


FIELDS = tuple(field.name for field in fields(Reading))
