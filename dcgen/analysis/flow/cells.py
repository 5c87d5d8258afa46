"""Cells of devices that a symmetry can exchange, without looking at a single device.

An axis A stands *above* B when everything that mentions B mentions A too: every group, every set of axes on which a wire or a
demand asks for agreement. Then the coordinates of B may be permuted differently under every coordinate of A: SU 3 of pod 0 has
nothing to do with SU 3 of pod 1 when nothing is cabled by "same SU" alone. These permutations (a generalised wreath product of
symmetric groups) keep every link: what agrees on a set that holds everything above its members is moved on it by one permutation.
A *mark* is a box that must stay put; `cut` splits what it tells apart, only under its own coordinates. What is left are orbits.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import prod

from dcgen.analysis.flow.net import Box, Net, Wire, inside, volume


@dataclass(frozen=True, slots=True)
class Cell:
    """Devices of one group that are alike: a box whose sides are sets of coordinates."""

    group: str
    sides: Box
    parent: int = -1
    """Which cell of the coarser partition this one was cut from."""

    @property
    def count(self) -> int:
        """Devices in the cell."""
        return volume(self.sides)

    def device(self) -> dict[str, int]:
        """The first device: a representative of all."""
        return {axis: side.first for axis, side in self.sides.items()}


class Frame:
    """Which digit stands above which, for a net and the agreements (sets of digits) that its demands ask for."""

    def __init__(self, net: Net, agreements: Iterable[Iterable[str]] = ()) -> None:
        mentions = [frozenset(g.full) for g in net.groups.values()]
        mentions += [w.shared for w in net.wires] + [w.shared | {w.axis} for w in net.wires if w.axis] + [frozenset(a) for a in agreements]
        axes = list(dict.fromkeys(axis for g in net.groups.values() for axis in g.full))
        closure = {b: frozenset.intersection(*(m for m in mentions if b in m)) for b in axes}
        rank = {b: (len(closure[b]), i) for i, b in enumerate(axes)}
        self.order = sorted(axes, key=lambda b: rank[b])
        self.above = {b: [a for a in self.order if a in closure[b] and rank[a] < rank[b]] for b in axes}


def cut(cells: list[Cell], mark: Box, frame: Frame) -> list[Cell]:
    """Split on every axis of `mark`, top down, every cell that lies under the mark's own coordinates."""
    for axis in frame.order:
        if axis not in mark:
            continue
        over, here, out = [(a, mark[a]) for a in frame.above[axis]], mark[axis], []
        for cell in cells:
            side = cell.sides.get(axis)
            if side is None or not all(cell.sides[a] <= m for a, m in over):
                out.append(cell)
                continue
            inner = side & here
            if not inner or inner == side:
                out.append(cell)
            else:
                out += [Cell(cell.group, {**cell.sides, axis: part}, cell.parent) for part in (inner, side - inner)]
        cells = out
    return cells


def settle(net: Net, marks: Iterable[Box], frame: Frame) -> list[Cell]:
    """The cells of a net in which all extents, all ends of wires and all `marks` stay put; also of devices that do not exist."""
    cells = [Cell(g.name, g.full) for g in net.groups.values() if all(g.full.values())]
    fixed = [b for g in net.groups.values() for b in (g.full, *g.extents)]
    fixed += [b for w in net.wires for boxes in (w.at_a, w.at_b) for b in boxes or ()]
    seen: set[tuple[object, ...]] = set()
    for mark in (*fixed, *marks):
        key = tuple(sorted((a, s.parts) for a, s in mark.items()))
        if key not in seen:
            seen.add(key)
            cells = cut(cells, mark, frame)
    return [Cell(c.group, c.sides, i) for i, c in enumerate(cells)]


def exists(net: Net, cell: Cell) -> bool:
    """Whether the devices of a cell are there at all."""
    extents = net.groups[cell.group].extents
    return not extents or any(inside(cell.sides, box) for box in extents)


def arcs(net: Net, cells: list[Cell]) -> Iterator[tuple[int, int, int, int]]:
    """(wire, i, j, pairs): how many pairs of devices a wire joins from cell i to cell j; each direction."""
    by_group: dict[str, list[int]] = defaultdict(list)
    for i, cell in enumerate(cells):
        by_group[cell.group].append(i)
    for n, wire in enumerate(net.wires):
        shared = sorted(wire.shared)
        meets: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for j in by_group[wire.b]:
            if wire.at_b is None or any(inside(cells[j].sides, box) for box in wire.at_b):
                meets[tuple(cells[j].sides[a] for a in shared)].append(j)
        for i in by_group[wire.a]:
            if wire.at_a is not None and not any(inside(cells[i].sides, box) for box in wire.at_a):
                continue
            for j in meets.get(tuple(cells[i].sides[a] for a in shared), ()):
                pairs = _pairs(wire, cells[i], cells[j])
                if pairs:
                    yield n, i, j, pairs
                    if not wire.axis or wire.a != wire.b:
                        yield n, j, i, pairs


def _pairs(wire: Wire, one: Cell, other: Cell) -> int:
    """Pairs of devices that agree; of a mesh, ordered pairs that also differ on its axis."""
    pairs = one.count * other.count // prod(one.sides[x].size for x in wire.shared)
    if wire.axis and one.sides[wire.axis] == other.sides[wire.axis]:
        pairs -= pairs // one.sides[wire.axis].size
    return pairs
