"""What a join means, written a second time from its definition: loops over all pairs of devices, slow and without NumPy."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from dcgen.design import Deal, Design, DeviceGroup, End, Join


@dataclass(frozen=True)
class Link:
    """One link: device and port number at each end, and every digit of it."""

    a: int
    a_port: int
    b: int
    b_port: int
    digits: dict[str, int]

    @property
    def row(self) -> tuple[int, int, int, int]:
        return self.a, self.a_port, self.b, self.b_port


def exists(group: DeviceGroup, at: dict[str, int]) -> bool:
    inside = all(0 <= at[a.name] < a.size for a in group.axes)
    return inside and not any(all(low <= at[axis] <= high for axis, low, high in s.ranges) for s in group.absent)


def flat(group: DeviceGroup, at: dict[str, int]) -> int:
    n = 0
    for axis in group.axes:
        n = n * max(axis.size, axis.room) + at[axis.name]
    return n


def devices(group: DeviceGroup) -> set[int]:
    """Flat indexes of the devices that exist."""
    return {flat(group, at) for at in _points(group, "") if exists(group, at)}


def in_box(group: DeviceGroup, box: dict[str, range]) -> set[int]:
    return {flat(group, at) for at in _points(group, "") if exists(group, at) and all(at[a] in r for a, r in box.items())}


def _points(group: DeviceGroup, member: str) -> Iterator[dict[str, int]]:
    axes = [a for a in group.axes if a.name != member]
    for xs in product(*(range(a.size) for a in axes)):
        yield dict(zip((a.name for a in axes), xs, strict=True))


def _member(end: End) -> str:
    return end.spread.axis if end.spread else ""


def digit_sizes(group: DeviceGroup, end: End, join: Join) -> dict[str, int]:
    """Size of each digit that an end has: as stated, else the coordinates there is room for, up to the last one selected."""
    out = {}
    for axis in group.axes:
        if axis.name != _member(end):
            for d in end.view.get(axis.name, (axis.name,)):
                reach = end.where[axis.name].stop if axis.name in end.where else max(axis.size, axis.room)
                out[d] = join.sizes.get(d, min(reach, max(axis.size, axis.room)) + end.shift.get(axis.name, 0))
    return out


def _digits(group: DeviceGroup, end: End, join: Join, at: dict[str, int]) -> dict[str, int]:
    out = {}
    for axis, x in at.items():
        names = end.view.get(axis, (axis,))
        x += end.shift.get(axis, 0)
        for d in reversed(names[1:]):
            x, out[d] = x // join.sizes[d], x % join.sizes[d]
        out[names[0]] = x
    return out


def lacked(design: Design, join: Join) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of the port numbers where no order is given: what the other end has in the order of its axes, then the ways."""
    a, b = (digit_sizes(design.groups[e.group], e, join) for e in join.ends)
    ways = sorted(join.ways)
    return (*(d for d in b if d not in a), *ways), (*(d for d in a if d not in b), *ways)


def numbers(design: Design, join: Join) -> tuple[int, int]:
    """How many port numbers the rulers of the digits make room for, at each end."""
    size = {**digit_sizes(design.groups[join.a.group], join.a, join), **digit_sizes(design.groups[join.b.group], join.b, join), **join.ways}
    a, b = lacked(design, join)
    return prod(size[d] for d in a), prod(size[d] for d in b)


def whole_links(design: Design, join: Join) -> Iterator[tuple[Link, tuple[int, int]]]:
    """Every link as if nothing were absent or taken out, with the numbers n before a spread."""
    groups = [design.groups[e.group] for e in join.ends]
    sizes = [digit_sizes(g, e, join) for g, e in zip(groups, join.ends, strict=True)]
    size = {**sizes[0], **sizes[1], **join.ways}
    orders = [lack if e.order is None else e.order for e, lack in zip(join.ends, lacked(design, join), strict=True)]
    sides = []
    for g, e in zip(groups, join.ends, strict=True):
        kept = [at for at in _points(g, _member(e)) if all(at[x] in r for x, r in e.where.items())]
        sides.append([(at, _digits(g, e, join, at)) for at in kept])
    for (at_a, xa), (at_b, xb) in product(*sides):
        if any(xa[d] != xb[d] for d in join.on):
            continue
        for ways in product(*(range(n) for n in join.ways.values())):
            xs = {**xa, **xb, **dict(zip(join.ways, ways, strict=True))}
            ends, ns = [], []
            for g, e, at, order in zip(groups, join.ends, (at_a, at_b), orders, strict=True):
                n = 0
                for d in order:
                    n = n * size[d] + xs[d]
                ns.append(n)
                ends.append(_placed(g, e, at, n))
            if ends[0] and ends[1]:
                yield Link(*ends[0], *ends[1], xs), (ns[0], ns[1])


def _placed(group: DeviceGroup, end: End, at: dict[str, int], n: int) -> tuple[int, int] | tuple[()]:
    """(device, port), or nothing beyond the last member of a Pack."""
    if end.spread is None:
        return flat(group, at), n
    n += end.spread.start
    m = group.sizes[end.spread.axis]
    member, port = (n % m, n // m) if isinstance(end.spread, Deal) else (n // end.spread.capacity, n % end.spread.capacity)
    return (flat(group, {**at, end.spread.axis: member}), port) if member < m else ()


def links(design: Design, join: Join) -> list[Link]:
    """Every link that is there."""
    here = [devices(design.groups[e.group]) for e in join.ends]
    return [x for x, _ in whole_links(design, join) if x.a in here[0] and x.b in here[1] and x.digits not in join.gone]


def position(end: End, port: int) -> tuple[int, int]:
    """(cage from 0, position in the cage) of a port number."""
    n = port if end.block.ports is None else end.block.ports[port]
    return end.block.first + n // end.block.split, n % end.block.split


def lanes(end: End, port: int) -> set[tuple[int, int]]:
    """(cage, lane) that a port takes."""
    cage, place = position(end, port)
    width = end.block.lanes // end.block.split
    return {(cage, lane) for lane in range(place * width, (place + 1) * width)}
