"""What a join means, written a second time from its definition: loops over all pairs of devices, slow and without NumPy."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from dcgen.design import Deal, Design, DeviceGroup, End, Join, Mesh, Table


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


def paired(join: Join) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of either end that the bundle's pairs are of."""
    if join.pairs is None:
        return (), ()
    return (join.pairs.a, join.pairs.b) if isinstance(join.pairs, Table) else ((join.pairs.a,), (join.pairs.b,))


def ranks(join: Join, a: dict[str, int], b: dict[str, int], size: dict[str, int]) -> list[tuple[int, int]]:
    """For every link that the pairs keep between these digits: the how-manieth pair it is of the device at a, and at b."""
    pairs = join.pairs
    if pairs is None:
        return [(0, 0)]
    if isinstance(pairs, Table):
        out, seen_a, seen_b = [], list[tuple[int, ...]](), list[tuple[int, ...]]()
        here, there = tuple(a[d] for d in pairs.a), tuple(b[d] for d in pairs.b)
        for x, y, times in pairs.rows:
            for _ in range(times):
                if (x, y) == (here, there):
                    out.append((seen_a.count(x), seen_b.count(y)))
                seen_a.append(x)
                seen_b.append(y)
        return out
    x, y, n = a[pairs.a], b[pairs.b], size[pairs.a]
    if isinstance(pairs, Mesh):
        others = [[z for z in range(n) if z != me] for me in (x, y)]
        return [(others[0].index(y), others[1].index(x))] if x < y else []
    closed = pairs.wrap and n > 2 and x == n - 1
    return [(0, 1)] if y == (0 if closed else x + 1) else []


def peers(join: Join, size: dict[str, int]) -> tuple[int, int]:
    """The most pairs that the rulers make room for, of one coordinate at either end."""
    if join.pairs is None:
        return 1, 1
    if isinstance(join.pairs, Table):
        kept = [[row[side] for row in join.pairs.rows for _ in range(row[2])] for side in (0, 1)]
        return max((kept[0].count(x) for x in kept[0]), default=1), max((kept[1].count(y) for y in kept[1]), default=1)
    return (size[join.pairs.a] - 1,) * 2 if isinstance(join.pairs, Mesh) else (2, 2)


def lane(end: End) -> str:
    return end.spread.lane if isinstance(end.spread, Deal) else ""


def lacked(design: Design, join: Join) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of the port numbers where no order is given: what the other end has in the order of its axes, pairs, then the ways."""
    a, b = (digit_sizes(design.groups[e.group], e, join) for e in join.ends)
    mine, far, peer = (a, b), paired(join), ("peer",) if join.pairs else ()
    out = []
    for side, end in enumerate(join.ends):
        other = [d for d in mine[1 - side] if d not in mine[side] and d not in far[1 - side] and d != lane(end)]
        out.append((*other, *peer, *(w for w in sorted(join.ways) if w != lane(end))))
    return out[0], out[1]


def numbers(design: Design, join: Join) -> tuple[int, int]:
    """How many port numbers the rulers of the digits make room for, at each end."""
    size = {**digit_sizes(design.groups[join.a.group], join.a, join), **digit_sizes(design.groups[join.b.group], join.b, join), **join.ways}
    found = [prod({**size, "peer": most}[d] for d in names) for names, most in zip(lacked(design, join), peers(join, size), strict=True)]
    return found[0], found[1]


def whole_links(design: Design, join: Join) -> Iterator[tuple[Link, tuple[int, int]]]:
    """Every link as if nothing were absent or taken out, with the numbers n before a spread."""
    groups = [design.groups[e.group] for e in join.ends]
    sizes = [digit_sizes(g, e, join) for g, e in zip(groups, join.ends, strict=True)]
    size = {**sizes[0], **sizes[1], **join.ways}
    orders = [lack if e.order is None else e.order for e, lack in zip(join.ends, lacked(design, join), strict=True)]
    most, totals = peers(join, size), numbers(design, join)
    sides = []
    for g, e in zip(groups, join.ends, strict=True):
        kept = [at for at in _points(g, _member(e)) if all(at[x] in r for x, r in e.where.items())]
        sides.append([(at, _digits(g, e, join, at)) for at in kept])
    for (at_a, xa), (at_b, xb) in product(*sides):
        if any(xa[d] != xb[d] for d in join.on):
            continue
        for ways, rank in product(product(*(range(n) for n in join.ways.values())), ranks(join, xa, xb, size)):
            xs = {**xa, **xb, **dict(zip(join.ways, ways, strict=True))}
            ends, ns = [], []
            for side, (g, e, at) in enumerate(zip(groups, join.ends, (at_a, at_b), strict=True)):
                n = 0
                for d in orders[side]:
                    n = n * {**size, "peer": most[side]}[d] + {**xs, "peer": rank[side]}[d]
                ns.append(n)
                ends.append(_placed(g, e, at, n, xs.get(lane(e), 0), size.get(lane(e), 1), totals[side]))
            if ends[0] and ends[1]:
                yield Link(*ends[0], *ends[1], xs), (ns[0], ns[1])


def _placed(group: DeviceGroup, end: End, at: dict[str, int], n: int, j: int, lanes: int, total: int) -> tuple[int, int] | tuple[()]:
    """(device, port), or nothing beyond the last member of a Pack."""
    if end.spread is None:
        return flat(group, at), n
    m = group.sizes[end.spread.axis]
    if lane(end):
        member, port = _walked(total, lanes, m, end.spread.start)[n, j]
        return flat(group, {**at, end.spread.axis: member}), port
    n += end.spread.start
    member, port = (n % m, n // m) if isinstance(end.spread, Deal) else (n // end.spread.capacity, n % end.spread.capacity)
    return (flat(group, {**at, end.spread.axis: member}), port) if member < m else ()


@cache
def _walked(total: int, lanes: int, m: int, start: int) -> dict[tuple[int, int], tuple[int, int]]:
    """(number, lane) -> (member, port): numbers in order, of each the lanes in order, always the next port that is free."""
    taken, out = [0] * m, {}
    for n, j in product(range(total), range(lanes)):
        member = (n + start + j) % m
        out[n, j] = member, taken[member]
        taken[member] += 1
    return out


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
