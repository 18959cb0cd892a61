"""Algorithm 1: all subsets between R and R + S, by reverse binary counting."""


def subsets(required, optional):
    """Yield every set of R x Pow(S) once, as a frozenset, as the paper's `subset(R, S)` does.

    An explicit stack stands for the recursion; at most len(optional) + 1 frames are kept.
    """
    required, optional = frozenset(required), list(optional)
    yield required | frozenset(optional)
    stack = [(required | frozenset(optional), [], iter(optional))]
    while stack:
        keep, free, rest = stack.pop()
        for element in rest:
            keep = keep - {element}
            yield keep | frozenset(free)
            stack.append((keep, [*free, element], rest))
            stack.append((keep | frozenset(free), [], iter(list(free))))
            break
