"""What a branch, a node, or a tree that begins with a test is worth at most.

Every case that some tree can classify rightly is, and the prior earns its own best. A test that
sends few cases elsewhere than one that was tried is worth little more.
"""

from pinetum.jit import kernel
from pinetum.nbdt.kernels.pairs import gain_masses, leaf_worth
from pinetum.nbdt.kernels.shares import NONE, SEVERAL, loose_after


@kernel
def line_worth(line, minus, plus):
    """The line at the share of the second class, times both masses."""
    whole = minus + plus
    if whole <= 0.0:
        return 0.0
    x = plus / whole * (len(line) - 1)
    point = min(int(x), len(line) - 2)
    x -= point
    return whole * (line[point] + x * (line[point + 1] - line[point]))


@kernel
def relaxed_worth(tests, mass, prior, problem):
    """The most that the prior can be worth under a node, if tested features have all their values
    or one left.
    """
    if prior.relaxed.shape[1] < 2:
        total = 0.0
        for c in range(len(mass)):
            total += mass[c] * problem.best_gain[c]
        return total
    return line_worth(prior.relaxed[tests], mass[0], mass[1])


@kernel
def worth_by_value(line, mass, feature, literal, negated, cells, literals):
    """The most that the prior is worth if a feature's value were known, over its values on a branch
    (-1: all).
    """
    worth, first = 0.0, literals.cell_start[feature]
    for cell in range(first, literals.cell_start[feature + 1]):
        if literal < 0 or literals.holds[literal, cell - first] != negated:
            worth += line_worth(line, mass[0] * cells[0, cell], mass[1] * cells[1, cell])
    return worth


@kernel
def branch_worth(line, mass, inside, literal, negated, loose, cells, literals):
    """The most that the prior is worth on a branch of a node with this mass, of which so much is
    `inside`.

    The line knows no feature of which some values are left: with one such feature each value is
    looked at alone.
    """
    left, own = (loose_after(loose, literal, negated, cells, literals), literals.feature[literal])
    if left == NONE:
        return line_worth(line, inside[0], inside[1])
    if left == SEVERAL:
        return inside[0] + inside[1]
    if left != own:
        return worth_by_value(line, inside, left, -1, False, cells, literals)
    return worth_by_value(line, mass, left, literal, negated, cells, literals)


@kernel
def node_worth(tests, mass, loose, cells, literals, prior, problem):
    """The most that the prior is worth under a node."""
    if prior.relaxed.shape[1] < 2 or loose == NONE:
        return relaxed_worth(tests, mass, prior, problem)
    if loose == SEVERAL:
        return mass[0] + mass[1]
    return worth_by_value(prior.relaxed[tests], mass, loose, -1, False, cells, literals)


@kernel
def branch_of(branch, level, depth, loose, task, held, room):
    """Most and least that a branch with so many tests below is worth, and its weight of cases."""
    literals, tests, problem = task.literals, task.tests, task.problem
    table, counts, prior = held.tables[level], held.counts[level], task.prior
    mass, share, total = held.mass[level], held.share[level], room.total
    part, literal, negated = room.part, tests.literal[branch], tests.negated[branch]
    classes, width = len(mass), table.shape[1] - 1
    most = 0.0
    total[classes] = 0.0
    for c in range(classes):
        part[c] = table[c, literal, literal]
        free = table[c, literal, width]
        total[c] = mass[c] * share[c, literal]
        if negated:
            part[c] = counts[c] - part[c]
            free = table[c, width, width] - free
            total[c] = mass[c] - total[c]
        most += problem.data * free * problem.best_gain[c]
        total[classes] += part[c]
    if prior.relaxed.shape[1] < 2:
        most += relaxed_worth(depth, total[:classes], prior, problem)
    else:
        line = prior.relaxed[depth]
        most += branch_worth(
            line, mass, total, literal, negated, loose, held.cells[level], literals
        )
    most -= problem.penalty
    for c in range(classes):
        total[c] += problem.data * part[c]
    if not problem.plain:
        gain_masses(total[:classes], problem.gain, room.lines[0, :classes])
    return most, leaf_worth(total, classes, problem.least, problem.penalty), total[classes]


@kernel(inline=True)
def bound_alike(test, worth, literals, tests, problem, table, mass, share, reach):
    """Lower `reach` of the other tests of a feature by what a tree that begins with this one is
    worth at most.

    All have two branches. A tree under the other test is a tree under this one too, but for the
    cases that the two send apart: moved, each gains at most the difference between its best and its
    worst decision.
    """
    own = tests.literal[tests.start[test]]
    for step in (-1, 1):
        other = test + step
        while 0 <= other < len(tests.cost) and tests.start[other + 1] - tests.start[other] == 2:
            literal = tests.literal[tests.start[other]]
            if literals.feature[literal] != literals.feature[own]:
                break
            nested = literals.low[own] >= 0 and literals.low[own] == literals.low[literal]
            moved = worth
            for c in range(len(mass)):
                both = table[c, min(own, literal), max(own, literal)]
                apart = problem.data * (table[c, own, own] + table[c, literal, literal] - 2 * both)
                if nested:
                    apart += mass[c] * abs(share[c, own] - share[c, literal])
                else:
                    apart += mass[c] * (share[c, own] + share[c, literal])
                moved += apart * (problem.best_gain[c] - problem.worst_gain[c])
            reach[other] = min(reach[other], moved)
            other += step
