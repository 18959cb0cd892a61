"""What decides a tree, and the two named presets."""

from dataclasses import dataclass, replace

from pinetum.constants import QUALITY_GRID, WEIGHT_UNIT
from pinetum.criteria import find_criterion
from pinetum.induction.kernels.quality import Rules
from pinetum.parameters import AMOUNT, check


@dataclass(frozen=True)
class Options:
    """Rules of growing a tree. Weights are in cases.

    The paper's Assumptions 4.1 and 4.2 (a feature's quality depends on the feature and the cases
    only; whatever stops with some features stops with fewer) hold unless `average_gain` or
    `collapse` is set; then a tree may change when an unused feature is dropped, and trees cannot be
    grown again in part.
    """

    criterion: str = "gain"  # an entry of `criteria.CRITERIA`
    min_cases: float = 2.0  # a node with fewer cases is a leaf
    min_branch: float = 0.0  # at least two branches must weigh this much
    min_gain: float = 0.0  # a feature must gain at least this much
    zero_gain: bool = False  # a feature that gains nothing may be chosen
    average_gain: bool = (
        False  # C4.5's filter: only features of average gain or more; BREAKS Assumption 4.1
    )
    penalty: bool = False  # a continuous split pays log2(cuts tried) / cases
    side_share: bool = False  # C4.5's minimum weight on both sides of a cut
    min_gap: float = 0.0  # neighbouring values must differ by more than this
    max_depth: int | None = None
    collapse: bool = False  # while growing, a subtree that errs no less than a leaf becomes one
    lowest_class: bool = False  # majority ties: lowest class instead of the parent's class first
    training_thresholds: bool = (
        False  # the threshold is the largest training value up to the midpoint
    )

    def __post_init__(self):
        criterion = find_criterion(self.criterion)
        for name in ("min_cases", "min_branch", "min_gain", "min_gap"):
            value = getattr(self, name)
            if not AMOUNT.takes(value):
                raise ValueError(f"{name} = {value!r}: expected {AMOUNT}")
        check(max_depth=self.max_depth)
        if self.penalty and not criterion.in_bits:
            raise ValueError(
                f"penalty: counted in bits, which the criterion {self.criterion!r} is not"
            )
        if self.average_gain and not criterion.is_ratio:
            raise ValueError("average_gain: a rule of the criterion 'gain_ratio' only")

    @property
    def keeps_assumptions(self) -> bool:
        """Whether Assumptions 4.1 and 4.2 hold."""
        return not (self.average_gain or self.collapse)

    def rules(self, unit: int = WEIGHT_UNIT) -> Rules:
        """For kernels, weights in units of 1 / `unit` cases."""
        return Rules(
            criterion=find_criterion(self.criterion).code,
            unit=unit,
            min_cases=_up(self.min_cases * unit),
            min_branch=_up(self.min_branch * unit),
            min_gain=round(self.min_gain * QUALITY_GRID),
            zero_gain=int(self.zero_gain),
            average_gain=int(self.average_gain),
            penalty=int(self.penalty),
            side_share=int(self.side_share),
            min_gap=float(self.min_gap),
            max_depth=-1 if self.max_depth is None else min(int(self.max_depth), 1 << 60),
            collapse=int(self.collapse),
            lowest_class=int(self.lowest_class),
        )

    def but(self, **changes) -> "Options":
        return replace(self, **changes)


def _up(number: float) -> int:
    """The least whole number not below.

    More than any table weighs is cut to what a kernel can hold.
    """
    return min(-int(-number // 1), 1 << 60)


def yadt(min_cases: float = 2, criterion: str = "gain") -> Options:
    """The trees of the enumeration papers: plain gain, a node with fewer than `min_cases` cases is
    a leaf.
    """
    return Options(criterion=criterion, min_cases=min_cases)


def c45(min_branch: float = 2, criterion: str = "gain_ratio") -> Options:
    """C4.5 Release 8 before pruning; criterion 'gain' is its option -g."""
    return Options(
        criterion=criterion,
        min_cases=2 * min_branch,
        min_branch=min_branch,
        zero_gain=True,
        average_gain=criterion == "gain_ratio",
        penalty=True,
        side_share=True,
        min_gap=1e-5,
        collapse=True,
        lowest_class=True,
        training_thresholds=True,
    )


PRESETS = {"yadt": yadt, "c45": c45}
