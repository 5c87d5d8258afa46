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


def carve(full: Box, holes: Iterable[Mapping[str, range]]) -> list[Box]:
    """Disjoint boxes of what is left of `full` without the holes, in the order of coordinates; a thousand holes make thousands.

    The first axis is cut into slabs that the same holes cross, and each slab is carved along the axes that are left: the cost
    grows with the boxes that come out.

    >>> carve({"x": range(4), "y": range(3)}, [{"x": range(1, 2), "y": range(1, 2)}])[:2]
    [{'x': range(0, 1), 'y': range(0, 3)}, {'x': range(1, 2), 'y': range(0, 1)}]
    """
    if not all(len(r) for r in full.values()):
        return []
    return _carved(tuple(full.items()), list({tuple(h.items()): h for hole in holes if (h := meet(full, hole)) is not None}.values()))


def _carved(axes: tuple[tuple[str, range], ...], holes: list[Box]) -> list[Box]:
    if not holes:
        return [dict(axes)]
    if not axes:
        return []
    (axis, whole), rest = axes[0], axes[1:]
    begin: dict[int, list[int]] = {}
    end: dict[int, list[int]] = {}
    for n, hole in enumerate(holes):
        begin.setdefault(hole[axis].start, []).append(n)
        end.setdefault(hole[axis].stop, []).append(n)
    cuts = sorted({whole.start, whole.stop, *begin, *end})
    slabs: list[tuple[range, list[Box]]] = []
    crossing: dict[int, None] = {}
    for low, high in zip(cuts, cuts[1:], strict=False):
        for n in end.get(low, ()):
            del crossing[n]
        crossing |= dict.fromkeys(begin.get(low, ()))
        left = _carved(rest, [holes[n] for n in crossing])
        if slabs and slabs[-1][1] == left:
            low = slabs.pop()[0].start
        slabs.append((range(low, high), left))
    return [{axis: slab, **box} for slab, left in slabs for box in left]


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
