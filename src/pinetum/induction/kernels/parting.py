"""Sending the cases of a node, and their entries in every row, down the branches of its split.

The last branch is written first, over the segments of the node: see `bundles`. A branch that nobody
wants, since it is a leaf, is left out.
"""

import numpy as np

from pinetum.constants import WEIGHT_UNIT
from pinetum.induction.kernels.bundles import LEFT, RIGHT
from pinetum.induction.kernels.cuts import index
from pinetum.induction.kernels.quality import branch_share
from pinetum.jit import kernel


@kernel
def weigh_cases(listed, first, last, bits, weight_of):
    """Set the weights of a node's cases; whether any differs from that of one case."""
    cases, weights, fractional = listed.cases, listed.weights, False
    for i in range(first, last):
        weight_of[index(cases[index(i)] >> bits)] = weights[index(i)]
        fractional |= weights[index(i)] != WEIGHT_UNIT
    return fractional


@kernel
def mark_by_row(segment, cut, mark, counts):
    """Mark the cases of a segment with the side that they take at a cut; count their classes."""
    entries, r, a, bits = segment.entries, segment.row, segment.first, segment.class_bits
    label = (np.int64(1) << bits) - 1
    for k in range(2):
        for c in range(counts.shape[1]):
            counts[k, c] = 0
    for p in range(a, a + segment.count):
        entry = entries[index(r), index(p)]
        goes = np.int64((entry >> segment.code_shift) > cut)
        mark[index((entry >> bits) & segment.case_mask)] = 1 + goes
        counts[index(goes), index(entry & label)] += 1


@kernel
def reaches(weight, known, known_total):
    """Whether `branch_share` is above 0, without a division."""
    return known > 0 and weight * known >= known_total - known_total // 2


@kernel
def count_branches(codes, bits, listed, first, now, parting):
    """Class weights and number of the listed cases from `first` on in each branch, and the weight
    there whose value is known: its sum.
    """
    f, cut, branches, weighted = now.feature, now.cut, now.branches, now.weighted > 0
    cases, weights, part, counts = listed.cases, listed.weights, parting.part, parting.counts
    label, n_classes = (np.int64(1) << bits) - 1, counts.shape[1]
    for k in range(branches):
        part[k].cases = 0
        for c in range(n_classes):
            counts[k, c] = 0
    lacking = False
    for i in range(first, now.listed_end):
        entry = cases[index(i)]
        code = np.int64(codes[index(f), index(entry >> bits)])
        if code < 0:
            lacking = True
            continue
        k = code if cut < 0 else np.int64(code > cut)
        counts[index(k), index(entry & label)] += weights[index(i)] if weighted else np.int64(1)
        part[index(k)].cases += 1
    known_total = np.int64(0)
    for k in range(branches):
        known = np.int64(0)
        for c in range(n_classes):
            known += counts[k, c]
        part[k].known = known
        known_total += known
    if lacking:
        for i in range(first, now.listed_end):
            entry = cases[i]
            if codes[f, entry >> bits] < 0:
                for k in range(branches):
                    share = np.int64(0)
                    if part[k].known > 0:
                        share = branch_share(weights[i], part[k].known, known_total)
                    counts[index(k), index(entry & label)] += share
                    part[k].cases += share > 0
    return known_total


@kernel(inline=True)
def lay_out_parts(part, branches):
    """Give every wanted branch its place in the buffer; the one entry behind all others takes what
    nobody wants.

    The number of entries.
    """
    to = np.int64(0)
    for k in range(branches - 1, -1, -1):
        part[k].at = to
        to += part[k].cases * part[k].wanted
    for k in range(branches):
        part[k].at = part[k].at if part[k].wanted else to
    return to


@kernel
def part_cases(codes, bits, listed, first, branch_waiting, parting, now):
    """Replace the listed cases from `first` on by those of the wanted branches, the last one first,
    and mark where each case goes.
    """
    f, cut, branches, weighted = now.feature, now.cut, now.branches, now.weighted > 0
    cases, weights, part = listed.cases, listed.weights, parting.part
    buffer, weight_buffer, mark, branch = (
        parting.buffer,
        parting.weight_buffer,
        parting.mark,
        parting.branch,
    )
    to = lay_out_parts(part, branches)
    end = np.int64(first)
    for k in range(branches - 1, -1, -1):
        branch_waiting[now.waiting + branches - 1 - k].begin = end
        end += part[k].cases * part[k].wanted
    for i in range(first, now.listed_end):
        entry = cases[index(i)]
        case = index(entry >> bits)
        code = np.int64(codes[index(f), case])
        if code >= 0:
            k = code if cut < 0 else np.int64(code > cut)
            branch[case] = k
            mark[case] = RIGHT if k else LEFT
            at = index(part[index(k)].at)
            buffer[at] = entry
            if weighted:
                weight_buffer[at] = weights[index(i)]
            part[index(k)].at += part[index(k)].wanted
            continue
        branch[case] = -1
        goes = 0
        for k in range(branches):
            if reaches(weights[i], part[k].known, now.known):
                goes |= RIGHT if k else LEFT
                if part[k].wanted:
                    buffer[part[k].at] = entry
                    weight_buffer[part[k].at] = branch_share(weights[i], part[k].known, now.known)
                    part[k].at += 1
        mark[case] = goes
    for i in range(to):
        cases[index(first + i)] = buffer[index(i)]
        if weighted:
            weights[index(first + i)] = weight_buffer[index(i)]
    return end


@kernel
def part_rows(features, rows, slot, active, n_active, parting):
    """Stable partition of every active row's segment by a split in two: what goes right stays, what
    goes left follows.

    The segments of the right and of the left belong to the waiting branches `slot` and `slot` + 1.
    """
    row, bits, case_mask = (
        features.row,
        features.class_bits,
        (np.int64(1) << features.case_bits) - 1,
    )
    entries, begins, ends = rows.entries, rows.begins, rows.ends
    buffer, mark = parting.buffer, parting.mark
    wants_left, wants_right = parting.part[0].wanted > 0, parting.part[1].wanted > 0
    for i in range(n_active):
        r = np.int64(row[active[i]])
        if r < 0:
            continue
        a, b = begins[slot, r], ends[r]
        if wants_left and wants_right:
            right, left = a, np.int64(0)
            for p in range(a, b):
                entry = entries[index(r), index(p)]
                goes = np.int64(mark[index((entry >> bits) & case_mask)])
                entries[index(r), index(right)] = entry
                buffer[index(left)] = entry
                right += goes >> 1
                left += goes & 1
            for p in range(left):
                entries[index(r), index(right + p)] = buffer[index(p)]
            begins[slot + 1, r], ends[r] = right, right + left
        else:
            to, side = a, 1 if wants_right else 0
            for p in range(a, b):
                entry = entries[index(r), index(p)]
                entries[index(r), index(to)] = entry
                to += (np.int64(mark[index((entry >> bits) & case_mask)]) >> side) & 1
            begins[slot + 1, r], ends[r] = to if wants_right else a, to


@kernel
def part_rows_in_many(features, rows, active, n_active, parting, weight_of, now):
    """The same by branch, the last first: branch k waits at `now.waiting` + branches - 1 - k."""
    row, bits, case_mask = (
        features.row,
        features.class_bits,
        (np.int64(1) << features.case_bits) - 1,
    )
    entries, begins, ends = rows.entries, rows.begins, rows.ends
    part, buffer, branch_of = parting.part, parting.buffer, parting.branch
    slot, branches = now.waiting, now.branches
    for i in range(n_active):
        r = np.int64(row[active[i]])
        if r < 0:
            continue
        to = lay_out_parts(part, branches)
        end = begins[slot, r]
        for p in range(end, ends[r]):
            entry = entries[index(r), index(p)]
            case = index((entry >> bits) & case_mask)
            goes = np.int64(branch_of[case])
            if goes >= 0:
                buffer[index(part[index(goes)].at)] = entry
                part[index(goes)].at += part[index(goes)].wanted
                continue
            for k in range(branches):
                if part[k].wanted and reaches(weight_of[case], part[k].known, now.known):
                    buffer[index(part[k].at)] = entry
                    part[k].at += 1
        to = np.int64(0)
        for k in range(branches - 1, -1, -1):
            begins[slot + branches - 1 - k, r] = end
            if part[k].wanted:
                for p in range(to, part[k].at):
                    entries[index(r), index(end)] = buffer[index(p)]
                    end += 1
                to += part[k].cases
        ends[r] = end
