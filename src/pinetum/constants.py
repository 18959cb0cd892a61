"""Tolerances and codes that every layer shares."""

MISSING = -1  # code of a missing cell, discrete or continuous
# Codes of `criteria.CRITERIA`: those up to GAIN_RATIO count bits, the others are made of class
# terms.
GAIN, GAIN_RATIO = 0, 1
GINI = 2

# Sums of case weights are integers, so they do not depend on the order of addition: a subtree grown
# again by itself equals, bit for bit, the same subtree of a tree grown from scratch.
WEIGHT_UNIT = 1 << 20  # weight of one case
INFO_UNIT = (
    1 << 36
)  # impurity masses (bits, or Gini, times cases) are whole multiples of 1 / INFO_UNIT
QUALITY_GRID = (
    1 << 30
)  # qualities are rounded to multiples of 1 / QUALITY_GRID and then compared exactly
MOST_CASES = (
    4_000_000  # of any weight: so that no n log n and no shared-out weight outgrows 63 bits
)
# that weigh one each: their n log n may wrap around, a difference of masses never does
MOST_WHOLE_CASES = 16_000_000
SPLIT_INFO_TOLERANCE = 0.001  # bits: a gain ratio needs more split information than this
VOTE_TOLERANCE = 1e-9  # class shares closer than this are a tie when a case ends in several leaves
