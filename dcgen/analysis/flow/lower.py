"""A projected fabric in digits: groups, wires, and what is absent or taken out as losses. Exact, or it says why it cannot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod

from dcgen.analysis.flow.net import Box, Cut, Group, Loss, Lost, Net, Wire
from dcgen.analysis.flow.project import Projection
from dcgen.analysis.flow.span import Span
from dcgen.design.lowering import Lowering, NotSymbolic, SubAxis
from dcgen.design.model import DeviceGroup, End, Join, Mesh
from dcgen.design.pairs import digits, rows
from dcgen.design.region import meet
from dcgen.design.rewrite import divided
from dcgen.design.wiring import agreed, taken_out

MOST_WIRES = 300
"""Stated rows beyond which a net of joins is the wrong form."""


@dataclass(frozen=True)
class Lowered:
    """The net, what is missing from it already, and where a bundle's wires are: name -> their numbers."""

    net: Net
    missing: tuple[Loss, ...]
    wires: dict[str, tuple[int, ...]]
    joins: dict[str, Join]
    reading: Lowering

    def boxes(self, group: str, box: Mapping[str, range]) -> list[Box]:
        """A box of a group's axes (open where it is silent) in digits; disjoint, nothing where it meets no coordinate."""
        here = meet(self.reading.groups[group].full, box)
        return [_spans(self.reading, b) for b in self.reading.boxes(group, here)] if here is not None else []

    def digits(self, group: str, axis: str) -> tuple[str, ...]:
        """The digits of one axis, major first."""
        return tuple(d for d, _, _ in self.net.groups[group].reading[axis])


def lower(projection: Projection) -> Lowered:
    """Groups, wires and what is missing.

    Raises:
        NotSymbolic: the wiring is no join of digits; the text says why.
    """
    design = projection.design
    asked = tuple(divided(design, b) for b in projection.joins)
    names = dict.fromkeys(e.group for b in asked for e in b.ends)
    here = {n: design.groups[n] for n in names}
    reading = Lowering(here, tuple(replace(b, pairs=None) if b.pairs else b for b in asked))
    groups = {n: _group(reading, g) for n, g in here.items()}
    wires: list[Wire] = []
    missing: list[Loss] = [Lost(n, b) for n, g in here.items() for s in g.absent for b in _boxes(reading, g, s.box)]
    places: dict[str, tuple[int, ...]] = {}
    for join in asked:
        first = len(wires)
        wires += _wires(projection, reading, groups, join)
        places[join.name] = (*places.get(join.name, ()), *range(first, len(wires)))
        missing += [x for link in taken_out(join) for x in _cut(reading, join, link, wires, range(first, len(wires)))]
        if len(wires) > MOST_WIRES:
            raise NotSymbolic(f"more than {MOST_WIRES:,} links that are stated one by one")
    net = Net(groups, tuple(wires), projection.hosts & set(groups))
    return Lowered(net, tuple(missing), places, {j.name: j for j in asked}, reading)


def _canonical(reading: Lowering, sub: SubAxis) -> str:
    group, axis, stride = reading.root(sub)
    return f"{group}.{axis}/{stride}"


def _spans(reading: Lowering, box: Mapping[SubAxis, range]) -> Box:
    return {_canonical(reading, sub): Span.of(r) for sub, r in box.items()}


def _group(reading: Lowering, group: DeviceGroup) -> Group:
    extents = [_spans(reading, b) for b in reading.boxes(group.name, group.full)]
    full: Box = {}
    for extent in extents:
        for d, side in extent.items():
            full[d] = full.get(d, Span(())) | side
    if sum(len(reading.levels(group.name, axis)) for axis in group.sizes) != len(full) and extents:
        raise NotSymbolic(f"two digits of {group.name} are one and the same coordinate")
    read = {}
    for axis in group.sizes:
        levels, sizes = reading.levels(group.name, axis), reading.sizes(group.name, axis)
        read[axis] = tuple((_canonical(reading, (group.name, axis, s)), s, n) for s, n in zip(levels, sizes, strict=True))
    return Group(group.name, full, tuple(extents) if len(extents) > 1 else (), read)


def _boxes(reading: Lowering, group: DeviceGroup, box: Mapping[str, range]) -> list[Box]:
    here = meet(group.full, box)
    return [_spans(reading, b) for b in reading.boxes(group.name, here)] if here is not None else []


def _end(reading: Lowering, end: End) -> tuple[Box, ...] | None:
    """The boxes of an end's selection; None where everything is selected."""
    return tuple(_boxes(reading, reading.groups[end.group], end.where)) if end.where else None


def _wires(projection: Projection, reading: Lowering, groups: Mapping[str, Group], join: Join) -> list[Wire]:
    a, b = _end(reading, join.a), _end(reading, join.b)
    shared = frozenset(_canonical(reading, x) for d in join.on for x, _ in reading.pairs(join, d))
    times = prod(join.ways.values())
    plain = Wire(join.name, join.a.group, join.b.group, shared, times, join.rate_gbps, "", a, b)
    if join.pairs is None:
        if join.a.group == join.b.group:
            raise NotSymbolic(f"{join.name} joins a group to itself")
        return _told_apart(plain, groups)
    if isinstance(join.pairs, Mesh):
        one, other = (_single(reading, join, side, d) for side, d in enumerate((join.pairs.a, join.pairs.b)))
        if one != other or join.a.group != join.b.group or a != b:
            raise NotSymbolic(f"{join.name}: the two ends of the mesh read different coordinates")
        if set(groups[join.a.group].full) - shared - {one}:
            raise NotSymbolic(f"{join.name}: a mesh across another axis")
        return [replace(plain, axis=one)]
    size = agreed(projection.design, join)[2]
    out: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for x, y, *_ in rows(join.pairs, size):
        out[x, y] = out.get((x, y), 0) + 1
    if len(out) > MOST_WIRES:
        raise NotSymbolic(f"{join.name}: {len(out):,} links that are stated one by one")
    mine, theirs = digits(join.pairs)
    made = []
    for (x, y), n in out.items():
        at_a = _at(reading, groups, join, 0, dict(zip(mine, x, strict=True)), a)
        at_b = _at(reading, groups, join, 1, dict(zip(theirs, y, strict=True)), b)
        made += _told_apart(replace(plain, times=times * n, at_a=at_a, at_b=at_b), groups)
    return made


def _told_apart(wire: Wire, groups: Mapping[str, Group]) -> list[Wire]:
    """A wire whose ends have a digit in common that it does not ask for is two: between devices that agree on it, and that do not."""
    free = (set(groups[wire.a].full) & set(groups[wire.b].full)) - wire.shared
    pinned = [d for d in free if all(boxes and all(b[d].size == 1 for b in boxes) for boxes in (wire.at_a, wire.at_b))]
    if not free - set(pinned):
        return [wire]
    if len(free) > 1 or wire.a == wire.b:
        raise NotSymbolic(f"{wire.name}: its ends have digits in common on which they need not agree")
    (axis,) = free
    return [replace(wire, shared=wire.shared | {axis}), replace(wire, axis=axis)]


def _single(reading: Lowering, join: Join, side: int, digit: str) -> str:
    """The one digit that a digit of an end is."""
    group, axis, low, high = reading.span(join, side, digit)
    levels = [s for s in reading.levels(group, axis) if s >= low and (not high or s < high)]
    if len(levels) != 1:
        raise NotSymbolic(f"{join.name}: neighbours along an axis that is read in blocks")
    return _canonical(reading, (group, axis, levels[0]))


def _at(
    reading: Lowering, groups: Mapping[str, Group], join: Join, side: int, values: Mapping[str, int], where: tuple[Box, ...] | None
) -> tuple[Box, ...]:
    """The box of a row's values at one end, inside the selection."""
    group = groups[join.ends[side].group]
    at = {_canonical(reading, sub): Span.of(v) for d, x in values.items() for sub, v in reading.places(join, side, d, x).items()}
    bases = (group.full,) if where is None else where
    found = [{**base, **{d: base[d] & v for d, v in at.items()}} for base in bases]
    return tuple(box for box in found if all(box.values()))


def _cut(reading: Lowering, join: Join, link: Mapping[str, int], wires: list[Wire], mine: range) -> Iterable[Cut]:
    """A single link that is taken out, on the wire that holds it."""
    ends = [{_canonical(reading, sub): Span.of(x) for sub, x in reading.point(join, side, link).items()} for side in (0, 1)]
    for n in mine:
        held = [
            boxes is None or any(all(p[d] <= box[d] for d in p) for box in boxes)
            for p, boxes in zip(ends, (wires[n].at_a, wires[n].at_b), strict=True)
        ]
        if all(held):
            yield Cut(n, ends[0], ends[1], 1)
