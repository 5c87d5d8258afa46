"""Symbolic cells: boxes of devices that nothing in the asked bundles tells apart, and the links between them.

Exact for joins with holes, splits, selectors and single links taken out. Axes are lowered to the common refinement of the digits
that the bundles read; where two readings do not nest, or a spread does not divide, there are no such boxes (`NotSymbolic`) and
the numeric partition of `refine` answers instead.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from dcgen.design.model import Axis, Block, Deal, Design, DeviceGroup, End, Join, Line, Mesh, Pack, Table
from dcgen.design.pairs import between, digits
from dcgen.design.region import Box, interval_digits, meet
from dcgen.design.wiring import agreed, port_orders, taken_out

SubAxis = tuple[str, str, int]
"""(group, axis, stride): the digit of an axis that counts in steps of `stride`."""


MOST_BUNDLES = 64


class NotSymbolic(Exception):
    """These bundles have no cells that are boxes; the text says why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Alike devices of one group: a range for every digit of every axis."""

    group: str
    box: dict[SubAxis, range]

    @property
    def count(self) -> int:
        """Devices in the cell."""
        return prod(len(r) for r in self.box.values())


@dataclass(frozen=True, slots=True)
class Settled:
    """Cells and, between pairs of them, links by bundle: (cell, cell, bundle) -> links."""

    cells: tuple[Cell, ...]
    edges: dict[tuple[int, int, int], int]
    bundles: tuple[Join, ...]
    lowering: "Lowering"


def divided(design: Design, join: Join) -> Join:
    """A Deal or Pack that divides, rewritten as a plain join with the same ports; anything else unchanged."""
    spread = join.b.spread
    if spread is None or spread.start or join.pairs or (isinstance(spread, Deal) and spread.lane):
        return join
    a, b, size = agreed(design, join)
    order_a, order = port_orders(join, a, b)
    m = design.groups[join.b.group].sizes[spread.axis]
    if not order or spread.axis in size or design.groups[join.b.group].rulers[spread.axis] != m:
        return join  # dealt over the members there are, while a digit is measured with their room
    if isinstance(spread, Deal):
        return _divided_deal(join, spread.axis, m, size, order_a, order)
    return _divided_pack(join, spread, m, size, order)


def _divided_deal(join: Join, member: str, m: int, size: dict[str, int], order_a: tuple[str, ...], order: tuple[str, ...]) -> Join:
    low = order[-1]
    if size[low] % m:
        return join
    q = size[low] // m
    if low in join.ways:
        order_a = tuple(y for x in order_a for y in ((x, member) if x == low else (x,)))
        gone = _read_in_two(join, low, low, member, m)
        end_a, end_b = replace(join.a, order=order_a), replace(join.b, spread=None, order=order)
        return replace(join, a=end_a, b=end_b, ways={**join.ways, low: q}, gone=gone)
    if join.a.view.get(low, (low,)) != (low,) or any(low in v for ax, v in join.a.view.items() if ax != low):
        return join
    high = f"{low}."
    return replace(
        join,
        a=replace(join.a, view={**join.a.view, low: (high, member)}),
        b=replace(join.b, spread=None, order=(*order[:-1], high)),
        on=(*join.on, member),
        sizes={**join.sizes, high: q, member: m},
        gone=_read_in_two(join, low, high, member, m),
    )


def _divided_pack(join: Join, spread: Pack, m: int, size: dict[str, int], order: tuple[str, ...]) -> Join:
    first, below = order[0], prod(size[d] for d in order[1:])
    if spread.capacity % below or first in join.ways or join.a.view.get(first, (first,)) != (first,):
        return join
    if any(first in v for ax, v in join.a.view.items() if ax != first):
        return join
    fill, low = spread.capacity // below, f"{first}."
    return replace(
        join,
        a=replace(join.a, view={**join.a.view, first: (spread.axis, low)}),
        b=replace(join.b, spread=None, order=(low, *order[1:])),
        on=(*join.on, spread.axis),
        sizes={**join.sizes, low: fill, spread.axis: max(m, -(-size[first] // fill))},
        gone=_read_in_two(join, first, spread.axis, low, fill),
    )


def _read_in_two(join: Join, digit: str, high: str, low: str, n: int) -> tuple[dict[str, int], ...]:
    """The single links taken out, with one digit read as two."""
    return tuple({**{d: x for d, x in link.items() if d != digit}, high: link[digit] // n, low: link[digit] % n} for link in join.gone)


@dataclass
class Lowering:
    """Every axis cut at the strides that some bundle needs, and which of the resulting digits are one and the same."""

    groups: dict[str, DeviceGroup]
    bundles: tuple[Join, ...]
    cuts: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    parent: dict[SubAxis, SubAxis] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for join in self.bundles:
            for end in join.ends:
                if end.spread is not None:
                    raise NotSymbolic(f"{join.name}: a spread that does not divide")
                self._read(join, end)
            if isinstance(join.pairs, Mesh | Line) and self._read_in_blocks(join):
                raise NotSymbolic(f"{join.name}: neighbours along an axis that is read in blocks")
        while any([self._carry(join) for join in self.bundles]):
            pass
        for (group, axis), cuts in self.cuts.items():
            levels = sorted(cuts)
            if any(high % low for low, high in zip(levels, levels[1:], strict=False)):
                raise NotSymbolic(f"{group}.{axis} is read in blocks of {levels}, which do not nest")
        for join in self.bundles:
            for digit in join.on:
                self._unite(join, digit)

    def span(self, join: Join, side: int, digit: str) -> tuple[str, str, int, int]:
        """(group, axis, stride, next stride) that a digit of an end covers; next stride 0 is open."""
        end = join.ends[side]
        group = self.groups[end.group]
        for axis in group.sizes:
            names = end.view.get(axis, (axis,))
            if digit in names:
                below = names[names.index(digit) + 1 :]
                stride = prod(join.sizes[d] for d in below)
                return group.name, axis, stride, stride * join.sizes[digit] if names[0] != digit else 0
        raise NotSymbolic(f"{join.name}: {digit} is no digit of {end.group}")

    def _read(self, join: Join, end: End) -> None:
        group = self.groups[end.group]
        for axis in group.sizes:
            names = end.view.get(axis, (axis,))
            if end.shift.get(axis) and (len(names) > 1 or set(names) & set(join.on)):
                raise NotSymbolic(f"{join.name}: a shifted ruler on a shared or split axis")
            cuts = self.cuts.setdefault((group.name, axis), set())
            cuts |= {s for i in range(1, len(names)) if (s := prod(join.sizes[d] for d in names[i:])) > 1}

    def _read_in_blocks(self, join: Join) -> bool:
        """Whether the axis of a Mesh or Line is split, or held by another name at the other end."""
        assert isinstance(join.pairs, Mesh | Line)
        (g, axis, low, high), other = (self.span(join, side, d) for side, d in enumerate((join.pairs.a, join.pairs.b)))
        return bool(low != 1 or high or (g, axis, low, high) != other or self.cuts[g, axis])

    def _carry(self, join: Join) -> bool:
        """Cuts inside a digit that both ends share hold at both ends."""
        new = False
        for digit in join.on:
            spans = [self.span(join, side, digit) for side in (0, 1)]
            inner = {
                c // low for g, axis, low, high in spans for c in self.cuts[g, axis] if low < c and c % low == 0 and (not high or c < high)
            }
            for g, axis, low, high in spans:
                more = {low * c for c in inner if not high or low * c < high} - self.cuts[g, axis]
                self.cuts[g, axis] |= more
                new |= bool(more)
        return new

    def levels(self, group: str, axis: str) -> list[int]:
        """Strides of the digits of an axis, major first."""
        return sorted({1, *self.cuts.get((group, axis), set())}, reverse=True)

    def sizes(self, group: str, axis: str) -> list[int]:
        """Digit sizes, major first."""
        levels = self.levels(group, axis)
        top = -(-self.groups[group].rulers[axis] // levels[0])
        return [top, *(high // low for high, low in zip(levels, levels[1:], strict=False))]

    def pairs(self, join: Join, digit: str) -> list[tuple[SubAxis, SubAxis]]:
        """The lowered digits of a and of b that an agreed digit makes equal."""
        spans = [self.span(join, side, digit) for side in (0, 1)]
        inside = [[s for s in self.levels(g, axis) if s >= low and (not high or s < high)] for g, axis, low, high in spans]
        a, b = (dict.fromkeys(s // low for s in found) for found, (_, _, low, _) in zip(inside, spans, strict=True))
        return [((spans[0][0], spans[0][1], r * spans[0][2]), (spans[1][0], spans[1][1], r * spans[1][2])) for r in a if r in b]

    def _unite(self, join: Join, digit: str) -> None:
        for x, y in self.pairs(join, digit):
            self.parent[self.root(x)] = self.root(y)

    def root(self, sub: SubAxis) -> SubAxis:
        """The representative of all digits that are the same coordinate."""
        while self.parent.get(sub, sub) != sub:
            sub = self.parent[sub]
        return sub

    def boxes(self, group: str, box: Box) -> list[dict[SubAxis, range]]:
        """A box of axes as disjoint boxes of digits."""
        per_axis = []
        for axis, r in box.items():
            subs = [(group, axis, s) for s in self.levels(group, axis)]
            per_axis.append([dict(zip(subs, p, strict=True)) for p in interval_digits(r.start, r.stop, self.sizes(group, axis))])
        return [{k: v for piece in c for k, v in piece.items()} for c in product(*per_axis)]

    def places(self, join: Join, side: int, digit: str, x: int) -> dict[SubAxis, int]:
        """One value of a digit of an end, in lowered digits."""
        group, axis, low, high = self.span(join, side, digit)
        levels = [s for s in reversed(self.levels(group, axis)) if s >= low and (not high or s < high)]
        above = [*levels[1:], high]
        return {(group, axis, s): x * low // s % (t // s) if t else x * low // s for s, t in zip(levels, above, strict=True)}

    def digit(self, join: Join, side: int, digit: str, cell: Cell) -> range:
        """The range of a digit that a cell covers."""
        group, axis, low, high = self.span(join, side, digit)
        found = [(s, cell.box[group, axis, s]) for s in self.levels(group, axis) if s >= low and (not high or s < high)]
        start = sum(r.start * (s // low) for s, r in found)
        return range(start, start + prod(len(r) for _, r in found))

    def point(self, join: Join, side: int, link: Mapping[str, int]) -> dict[SubAxis, int]:
        """The digits at one end of a single link."""
        end, group, out = join.ends[side], self.groups[join.ends[side].group], {}
        for axis in group.sizes:
            x = 0
            for d in end.view.get(axis, (axis,)):
                x = x * join.sizes.get(d, 1) + link[d]
            x -= end.shift.get(axis, 0)
            for stride, size in zip(self.levels(group.name, axis), self.sizes(group.name, axis), strict=True):
                out[group.name, axis, stride] = x // stride % size
        return out


def settle(design: Design, bundles: Iterable[Join], apart: Mapping[str, Iterable[Box]] | None = None) -> Settled:
    """Cells of the groups that the bundles touch; `apart` lists, per group, boxes that must not be mixed with what is outside.

    Raises:
        NotSymbolic: use `refine` instead.
    """
    asked = tuple(divided(design, b) for b in bundles)
    if len(asked) > MOST_BUNDLES:
        raise NotSymbolic(f"{len(asked)} bundles: links that are written one by one are their own cells")
    names = dict.fromkeys(e.group for b in asked for e in b.ends)
    low = Lowering({n: design.groups[n] for n in names}, asked)
    regions = {n: [d for box in design.groups[n].boxes for d in low.boxes(n, box)] for n in names}
    cuts = _cuts(low, regions, apart or {})
    cells = tuple(Cell(n, dict(c)) for n, boxes in regions.items() for box in boxes for c in product(*_pieces(low, box, cuts)))
    return Settled(cells, _edges(low, cells), asked, low)


def _cuts(low: Lowering, regions: Mapping[str, list[dict[SubAxis, range]]], apart: Mapping[str, Iterable[Box]]) -> dict[SubAxis, list[int]]:
    found: dict[SubAxis, set[int]] = {}

    def note(box: Mapping[SubAxis, range]) -> None:
        for sub, r in box.items():
            found.setdefault(low.root(sub), set()).update((r.start, r.stop))

    for boxes in regions.values():
        for box in boxes:
            note(box)
    for group, kept in apart.items():
        for axes in kept:
            for box in low.boxes(group, axes):
                note(box)
    for join in low.bundles:
        for side, end in enumerate(join.ends):
            inside = meet(low.groups[end.group].full, end.where) if end.where else None
            for box in low.boxes(end.group, inside) if inside else []:
                note(box)
            for link in taken_out(join):
                note({sub: range(x, x + 1) for sub, x in low.point(join, side, link).items()})
            for row in join.pairs.rows if isinstance(join.pairs, Table) else ():
                for digit, x in zip(digits(join.pairs)[side], (row[0], row[1])[side], strict=True):
                    note({sub: range(y, y + 1) for sub, y in low.places(join, side, digit, x).items()})
    return {sub: sorted(c) for sub, c in found.items()}


def _pieces(low: Lowering, box: Mapping[SubAxis, range], cuts: Mapping[SubAxis, list[int]]) -> list[list[tuple[SubAxis, range]]]:
    out = []
    for sub, r in box.items():
        inside = [c for c in cuts[low.root(sub)] if r.start <= c <= r.stop]
        out.append([(sub, range(a, b)) for a, b in zip(inside, inside[1:], strict=False)])
    return out


def _edges(low: Lowering, cells: tuple[Cell, ...]) -> dict[tuple[int, int, int], int]:
    edges: dict[tuple[int, int, int], int] = {}
    by_group: dict[str, list[int]] = {}
    for i, cell in enumerate(cells):
        by_group.setdefault(cell.group, []).append(i)
    for k, join in enumerate(low.bundles):
        pairs = [p for d in join.on for p in low.pairs(join, d)]
        sides = [[i for i in by_group.get(e.group, []) if _inside(low, cells[i], e)] for e in join.ends]
        index: dict[tuple[range, ...], list[int]] = {}
        for j in sides[1]:
            index.setdefault(tuple(cells[j].box[y] for _, y in pairs), []).append(j)
        ways = prod(join.ways.values())
        points = [(low.point(join, 0, link), low.point(join, 1, link)) for link in taken_out(join)]
        for i in sides[0]:
            key = tuple(cells[i].box[x] for x, _ in pairs)
            for j in index.get(key, ()):
                n = cells[i].count * cells[j].count // prod(len(r) for r in key) * ways
                if join.pairs:
                    n = _paired(low, join, cells[i], cells[j], n)
                n -= sum(_holds(cells[i], p) and _holds(cells[j], q) for p, q in points)
                if n:
                    edges[i, j, k] = edges.get((i, j, k), 0) + n
    return edges


def _paired(low: Lowering, join: Join, one: Cell, other: Cell, n: int) -> int:
    """Of n links between all pairs, those that the bundle's pairs keep."""
    assert join.pairs is not None
    boxes: list[dict[str, range]] = []
    for side, cell in enumerate((one, other)):
        spans = {d: low.digit(join, side, d, cell) for d in digits(join.pairs)[side]}
        boxes.append(spans)
        n //= prod(len(r) for r in spans.values())
    sizes = {d: low.groups[join.ends[0].group].rulers[low.span(join, 0, d)[1]] for d in digits(join.pairs)[0]}
    return n * between(join.pairs, boxes[0], boxes[1], sizes)


def _inside(low: Lowering, cell: Cell, end: End) -> bool:
    if not end.where:
        return True
    inside = meet(low.groups[end.group].full, end.where)
    return inside is not None and any(all(r.start in box[s] for s, r in cell.box.items()) for box in low.boxes(end.group, inside))


def _holds(cell: Cell, point: Mapping[SubAxis, int]) -> bool:
    return all(x in cell.box[sub] for sub, x in point.items())


def within(settled: Settled, cell: Cell, box: Box) -> bool:
    """Whether a cell lies in a box of its group's axes (a box that it was settled apart from)."""
    return any(all(r.start in b[s] for s, r in cell.box.items()) for b in settled.lowering.boxes(cell.group, box))


def by_port(design: Design, bundles: Iterable[Join]) -> tuple[Design, tuple[Join, ...], dict[str, str]]:
    """The same links with every node port a device of its own, so that a node never relays.

    (design, bundles, group of ports -> group of the nodes they are on).
    """
    groups, out = dict(design.groups), []
    ports: dict[str, str] = {}
    for join in bundles:
        node = design.groups[join.a.group]
        if node.role != "node" or join.pairs is not None:
            out.append(join)  # switches, and nodes that are joined to each other and do relay
            continue
        a, b, size = agreed(design, join)
        order, _ = port_orders(join, a, b)
        name = f"{node.name}.{join.a.block.name}"
        if name in groups:
            name = f"{name}.{len(out)}"  # other ports, even where they have the same axes
        own = {d: f"{d}." if d in node.sizes else d for d in order}
        axes = (*node.axes, *(Axis(own[d], size[d]) for d in order))
        groups[name] = replace(node, name=name, axes=axes, role="port")
        view = {**join.a.view, **{axis: (d,) for d, axis in own.items() if axis != d}}
        end = replace(join.a, group=name, block=Block(join.a.block.name), order=(), view=view)
        on = (*join.on, *(d for d in order if d in b))
        order_b = port_orders(join, a, b)[1]
        out.append(replace(join, a=end, b=replace(join.b, order=order_b), on=on, ways={}, sizes={**join.sizes}))
        ports[name] = node.name
    return replace(design, groups=groups), tuple(out), ports


__all__ = ["Cell", "Lowering", "NotSymbolic", "Settled", "by_port", "divided", "settle", "within"]
