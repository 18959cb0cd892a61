"""Sorting keys in place."""

from pinetum.jit import kernel

RUN = 16  # runs that the merge sort begins with


@kernel
def sort_keys(keys, spare, n):
    """Sort keys[:n] in place: insertion sort of short runs, then merging."""
    for low in range(0, n, RUN):
        for i in range(low + 1, min(low + RUN, n)):
            key = keys[i]
            j = i - 1
            while j >= low and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
    width = RUN
    while width < n:
        for low in range(0, n - width, 2 * width):
            middle = low + width
            high = min(middle + width, n)
            if keys[middle - 1] <= keys[middle]:
                continue
            for i in range(low, middle):
                spare[i] = keys[i]
            i, j, to = low, middle, low
            while i < middle and j < high:
                if spare[i] <= keys[j]:
                    keys[to] = spare[i]
                    i += 1
                else:
                    keys[to] = keys[j]
                    j += 1
                to += 1
            while i < middle:
                keys[to] = spare[i]
                i += 1
                to += 1
        width *= 2
