"""Which part of the prior's mass lies in each literal, at every node on the way down.

Features are independent within a class; literals of one feature share values.
"""

from pinetum.jit import kernel

NONE, SEVERAL = (-1, -2)  # tested features with more than one value left, where it is not one


@kernel
def fill_prefix(cells, feature, literals, prefix):
    """prefix[first + feature + k]: the shares of the first k values of a feature whose values begin
    at `first`.
    """
    first, last = literals.cell_start[feature], literals.cell_start[feature + 1]
    prefix[first + feature] = 0.0
    for cell in range(first, last):
        prefix[cell + feature + 1] = prefix[cell + feature] + cells[cell]


@kernel
def joint_share(a, b, cells, literals, prefix):
    """Share of the values that two literals of one feature have in common."""
    feature = literals.feature[a]
    first, last = literals.cell_start[feature], literals.cell_start[feature + 1]
    low, high = (max(literals.low[a], literals.low[b]), min(literals.high[a], literals.high[b]))
    if low >= 0 and literals.low[a] >= 0 and literals.low[b] >= 0:
        shares = prefix[first + feature :]
        return max(shares[high] - shares[low], 0.0) if high > low else 0.0
    total = 0.0
    for cell in range(first, last):
        if literals.holds[a, cell - first] and literals.holds[b, cell - first]:
            total += cells[cell]
    return total


@kernel
def fill_shares(cells, share, feature, start, literals, prefix):
    """Shares of the literals of one feature, from `start`, for one class."""
    fill_prefix(cells, feature, literals, prefix)
    for literal in range(start, literals.feature_end[feature]):
        share[literal] = joint_share(literal, literal, cells, literals, prefix)


@kernel
def loose_after(loose, literal, negated, cells, literals):
    """Which tested feature has several values left behind a branch: `NONE`, one, or `SEVERAL`."""
    own, left = literals.feature[literal], 0
    first = literals.cell_start[own]
    for cell in range(first, literals.cell_start[own + 1]):
        if literals.holds[literal, cell - first] != negated:
            for c in range(len(cells)):
                if cells[c, cell] > 0.0:
                    left += 1
                    break
    if loose in (NONE, own):
        return own if left > 1 else NONE
    return SEVERAL if left > 1 else loose


@kernel
def descend_prior(literal, negated, literals, held, prefix, level, to):
    """Prior mass and shares on a branch, from one level to another (or the same)."""
    cells, share = held.cells[level], held.share[level]
    to_cells, to_share = held.cells[to], held.share[to]
    feature = literals.feature[literal]
    first, last = literals.cell_start[feature], literals.cell_start[feature + 1]
    start = literals.feature_end[feature - 1] if feature > 0 else 0
    for c in range(cells.shape[0]):
        part = 0.0
        for cell in range(first, last):
            if literals.holds[literal, cell - first] != negated:
                part += cells[c, cell]
        held.mass[to, c] = held.mass[level, c] * part
        if to != level:
            for cell in range(cells.shape[1]):
                to_cells[c, cell] = cells[c, cell]
            for other in range(share.shape[1]):
                to_share[c, other] = share[c, other]
        for cell in range(first, last):
            stays = literals.holds[literal, cell - first] != negated
            to_cells[c, cell] = to_cells[c, cell] / part if stays and part > 0.0 else 0.0
        fill_shares(to_cells[c], to_share[c], feature, start, literals, prefix[c])
