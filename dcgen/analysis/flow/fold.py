"""Moves alike losses to the same coordinates by a symmetry, and unites their boxes: 24 dead links in 24 pods are one box."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeAlias

from dcgen.analysis.flow.cells import Cell, Frame
from dcgen.analysis.flow.net import Box, Cut, Loss, Lost, Net, inside
from dcgen.analysis.flow.span import Span

_Item: TypeAlias = tuple[str | int, int, Box, Box]
"""(group that lost devices, or number of the wire that lost links; links of each pair; box, box)."""
_Key: TypeAlias = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]


def fold(
    net: Net, losses: Sequence[Loss], frame: Frame, cells: list[Cell], fixed: Collection[str] = ()
) -> tuple[list[Loss], frozenset[str]]:
    """The same losses, renumbered and united, and the axes on which coordinates were renumbered.

    Every axis that stands below another is renumbered under each of its contexts in order of appearance; nothing moves out of its
    cell of the intact net (`cells`), nor along the axes `fixed`, where order matters. A box moves that is a single coordinate or a
    cell's whole side on every axis; where anything else was lost, all stays where it is.
    """
    places = _Places(frame, cells, fixed)
    times: dict[tuple[str | int, _Key, _Key], int] = defaultdict(int)
    try:
        for x in sorted(losses, key=_crowded(losses, frame.order)):
            if isinstance(x, Lost):
                times[x.group, _key(places.move(x.group, x.box)), ()] = 0
                continue
            wire = net.wires[x.wire]
            if wire.axis or not all(side.size == 1 for box in (x.a, x.b) for side in box.values()):
                return list(losses), frozenset()
            key = (x.wire, _key(places.move(wire.a, x.a)), _key(places.move(wire.b, x.b)))
            times[key] += wire.times if x.times is None else x.times
    except _Unlike:
        return list(losses), frozenset()
    items = [(what, n, _box(a), _box(b)) for (what, a, b), n in times.items()]
    out: list[Loss] = []
    for what, n, one, other in _united(items, list(reversed(frame.order))):
        out.append(Lost(what, one) if isinstance(what, str) else Cut(what, one, other, n))
    return out, places.renumbered


def _key(box: Box) -> _Key:
    return tuple(sorted((axis, side.parts) for axis, side in box.items()))


def _box(key: _Key) -> Box:
    return {axis: Span(parts) for axis, parts in key}


class _Unlike(Exception):
    """A box that no permutation of single coordinates moves."""


class _Places:
    """Numbers given so far: (axis, its context, its side of the cell) -> coordinate -> number."""

    def __init__(self, frame: Frame, cells: list[Cell], fixed: Collection[str]) -> None:
        self._frame, self._cells, self._fixed = frame, cells, fixed
        self._given: dict[tuple[str, tuple[Span, ...], Span], dict[int, int]] = defaultdict(dict)
        self._open: dict[str, tuple[bool, ...]] = {}

    @property
    def renumbered(self) -> frozenset[str]:
        return frozenset(axis for axis, _, _ in self._given)

    def move(self, group: str, box: Box) -> Box:
        """Where a box goes. Raises _Unlike: it cannot be moved, or not in step with those before it."""
        home = next((c for c in self._cells if c.group == group and inside(box, c.sides)), None)
        if home is None:
            raise _Unlike
        new: Box = {}
        for axis, at in box.items():
            side, above = home.sides[axis], self._frame.above[axis]
            if at.size > 1 and at != side:
                raise _Unlike
            if at == side or not above or axis in self._fixed:
                new[axis] = at
                continue
            is_open = tuple(box[a].size > 1 for a in above)
            if self._open.setdefault(axis, is_open) != is_open:
                raise _Unlike  # under each coordinate of an axis above, or under all alike: not both
            seen = self._given[axis, tuple(box[a] for a in above), side]
            n = seen.setdefault(at.first, len(seen))
            new[axis] = Span.of(next(y for i, y in enumerate(side) if i == n))
        return new


def _crowded(losses: Iterable[Loss], axes: list[str]) -> Callable[[Loss], list[tuple[int, str]]]:
    """Sorting key: where most was lost comes first, axis by axis, so that places that look alike are numbered alike."""
    at = {id(x): x.box if isinstance(x, Lost) else {**x.a, **x.b} for x in losses}
    along = {i: [box[axis].parts if axis in box else () for axis in axes] for i, box in at.items()}
    crowd = Counter(tuple(parts[:n]) for parts in along.values() for n in range(1, len(axes) + 1))

    def key(loss: Loss) -> list[tuple[int, str]]:
        parts = along[id(loss)]
        return [(-crowd[tuple(parts[:n])], str(parts[n - 1])) for n in range(1, len(axes) + 1)] + [(0, repr(loss))]

    return key


def _united(items: list[_Item], axes: list[str]) -> list[_Item]:
    """Unite boxes that differ on one axis only."""
    for axis in axes:
        groups: dict[tuple[object, ...], list[_Item]] = defaultdict(list)
        for what, times, a, b in items:
            rest = tuple(tuple(sorted((x, s.parts) for x, s in side.items() if x != axis)) for side in (a, b))
            groups[what, times, axis in a, axis in b, rest].append((what, times, a, b))
        items = []
        for (_, _, in_a, in_b, _), found in groups.items():
            apart = in_a and in_b and any(a[axis] != b[axis] for _, _, a, b in found)  # a link along this very axis
            if apart or not (in_a or in_b):
                items += found
                continue
            union = Span.union(p for _, _, a, b in found for p in (a if in_a else b)[axis].parts)
            what, times, a, b = found[0]
            items.append((what, times, {**a, axis: union} if in_a else a, {**b, axis: union} if in_b else b))
    return items
