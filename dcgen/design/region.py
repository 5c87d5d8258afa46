"""Boxes of named coordinates: meet, carve, and read an axis in digits."""

from collections.abc import Iterable, Mapping, Sequence
from math import prod

Box = dict[str, range]
"""Axis -> half-open range. Every axis of the group is there."""


def meet(a: Box, b: Mapping[str, range]) -> Box | None:
    """The part of `a` inside `b` (axes that `b` does not name are open), or None."""
    out = dict(a)
    for axis, r in b.items():
        low, high = max(a[axis].start, r.start), min(a[axis].stop, r.stop)
        if low >= high:
            return None
        out[axis] = range(low, high)
    return out


def minus(a: Box, hole: Mapping[str, range]) -> list[Box]:
    """`a` without `hole`, as at most two disjoint boxes per axis."""
    inside = meet(a, hole)
    if inside is None:
        return [a]
    out, rest = [], dict(a)
    for axis in a:
        low, high = inside[axis].start, inside[axis].stop
        if rest[axis].start < low:
            out.append({**rest, axis: range(rest[axis].start, low)})
        if high < rest[axis].stop:
            out.append({**rest, axis: range(high, rest[axis].stop)})
        rest[axis] = range(low, high)
    return out


def carve(full: Box, holes: Iterable[Mapping[str, range]]) -> list[Box]:
    """Disjoint boxes of what is left of `full` without the holes; a thousand holes make thousands of boxes."""
    boxes = [full] if all(len(r) for r in full.values()) else []
    for hole in holes:
        boxes = [piece for box in boxes for piece in minus(box, hole)]
    return boxes


def volume(box: Mapping[str, range]) -> int:
    """Coordinates in a box; 1 for a box without axes."""
    return prod(len(r) for r in box.values())


def interval_digits(low: int, high: int, sizes: Sequence[int]) -> list[tuple[range, ...]]:
    """[low, high) of an axis as boxes of its digits, major first: at most 2k-1 of them for k digits.

    >>> interval_digits(3, 8, [2, 4])
    [(range(0, 1), range(3, 4)), (range(1, 2), range(0, 4))]
    """
    if len(sizes) == 1:
        return [(range(low, high),)] if high > low else []
    below = prod(sizes[1:])
    (q0, r0), (q1, r1) = divmod(low, below), divmod(high, below)
    if q0 == q1:
        return [(range(q0, q0 + 1), *p) for p in interval_digits(r0, r1, sizes[1:])]
    out: list[tuple[range, ...]] = []
    if r0:
        out += [(range(q0, q0 + 1), *p) for p in interval_digits(r0, below, sizes[1:])]
        q0 += 1
    if q0 < q1:
        out.append((range(q0, q1), *(range(s) for s in sizes[1:])))
    if r1:
        out += [(range(q1, q1 + 1), *p) for p in interval_digits(0, r1, sizes[1:])]
    return out
