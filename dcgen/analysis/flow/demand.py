"""What terminals want to send, said in digits: uniform traffic, rings, shifts, pairs. Never a matrix of devices.

A demand gives every source `weight` (1 unless said) in all; throughput times that is what each source sends. It says which sets of
digits it asks two terminals to agree on (they restrict the symmetry), along which it has an order, and which boxes it tells apart.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import Protocol

from dcgen.analysis.flow.cells import Cell
from dcgen.analysis.flow.net import Box, Net, inside
from dcgen.analysis.flow.span import Span


@dataclass(frozen=True, slots=True)
class Shift:
    """Where along which digit a class of sources sends: coordinate `own` of `src` to `next` of `dst`, one to one."""

    axis: str
    src: Span
    dst: Span
    own: int
    next: int


@dataclass(frozen=True, slots=True)
class Source:
    """A class of `count` alike sources, and one of them (`device`, in cell number `cell`).

    `points` are the devices to isolate for it: itself, and whom it singles out. `wants` gives the part of its traffic that an
    isolated cell gets.
    """

    cell: int
    count: int
    device: Box
    points: tuple[Box, ...]
    wants: Callable[[Cell], float]
    shift: Shift | None = None


class Demand(Protocol):
    """What the solver asks of a demand."""

    def ordered(self) -> tuple[str, ...]:
        """Digits along which nothing may be renumbered."""

    def hosts(self) -> set[str]:
        """Groups that send or receive."""

    def agreements(self, net: Net) -> list[tuple[str, ...]]:
        """Sets of digits on which it asks two terminals to agree."""

    def marks(self, net: Net) -> list[Box]:
        """Boxes that it tells apart."""

    def classes(self, cells: Sequence[Cell]) -> Iterator[Source]:
        """The classes of sources among live cells."""


def _point(cell: Cell) -> Box:
    return {axis: Span.of(x) for axis, x in cell.device().items()}


@dataclass(frozen=True)
class Uniform:
    """Every device of `sources` sends alike to every other device of `targets` that agrees with it on `share`.

    All-to-all: the targets are the sources. Expert parallel: `share` numbers the group. Many-to-one: one target.
    """

    sources: tuple[tuple[str, Box], ...]
    targets: tuple[tuple[str, Box], ...]
    share: tuple[str, ...] = ()
    weight: float = 1.0

    def ordered(self) -> tuple[str, ...]:
        """See Demand."""
        return ()

    def hosts(self) -> set[str]:
        """See Demand."""
        return {name for side in (self.sources, self.targets) for name, _ in side}

    def agreements(self, net: Net) -> list[tuple[str, ...]]:
        """See Demand."""
        return [self.share] if self.share else []

    def marks(self, net: Net) -> list[Box]:
        """See Demand."""
        return [box for side in (self.sources, self.targets) for _, box in side]

    def classes(self, cells: Sequence[Cell]) -> Iterator[Source]:
        """See Demand."""
        getting = [c for c in cells if _chosen(c, self.targets)]
        for cell in cells:
            if not _chosen(cell, self.sources):
                continue
            device = _point(cell)
            peers = sum(self._agreeing(c, cell) for c in getting) - _chosen(cell, self.targets)
            if peers:
                yield Source(cell.parent, cell.count, device, (device,), self._wants(device, peers, cell.group))

    def _wants(self, device: Box, peers: int, group: str) -> Callable[[Cell], float]:
        def wants(c: Cell) -> float:
            if (c.group == group and c.sides == device) or not _chosen(c, self.targets):
                return 0.0
            return self.weight * c.count / peers if all(c.sides[a] == device[a] for a in self.share) else 0.0

        return wants

    def _agreeing(self, target: Cell, source: Cell) -> int:
        """Devices of a cell that agree with one device of another."""
        if any(target.sides[a] != source.sides[a] for a in self.share):
            return 0
        return target.count // prod(target.sides[a].size for a in self.share)


def _chosen(cell: Cell, side: Iterable[tuple[str, Box]]) -> bool:
    return any(cell.group == name and inside(cell.sides, box) for name, box in side)


@dataclass(frozen=True)
class Ring:
    """Every device of `group` in `box` sends to the one `by` places further along `axis`, cyclically, among those that agree with
    it on all its other digits and are alive: a ring heals around a lost member."""

    group: str
    box: Box
    axis: str
    by: int = 1
    weight: float = 1.0

    def ordered(self) -> tuple[str, ...]:
        """See Demand."""
        return (self.axis,)

    def hosts(self) -> set[str]:
        """See Demand."""
        return {self.group}

    def agreements(self, net: Net) -> list[tuple[str, ...]]:
        """See Demand."""
        return [tuple(a for a in net.groups[self.group].full if a != self.axis)]

    def marks(self, net: Net) -> list[Box]:
        """Where a mesh runs along the ring's own axis a link has two coordinates on it, and only spelling them out is exact."""
        out = [self.box]
        if any(w.axis == self.axis for w in net.wires):
            out += [{**self.box, self.axis: Span.of(x)} for x in self.box[self.axis]]
        return out

    def classes(self, cells: Sequence[Cell]) -> Iterator[Source]:
        """See Demand."""
        rings: dict[tuple[tuple[str, Span], ...], list[Cell]] = defaultdict(list)
        for cell in cells:
            if cell.group == self.group and inside(cell.sides, self.box):
                rings[tuple((a, s) for a, s in sorted(cell.sides.items()) if a != self.axis)].append(cell)
        for others, members in rings.items():
            many = prod(side.size for _, side in others)
            rest = {a: Span.of(side.first) for a, side in others}
            runs = [(c.sides[self.axis], c.parent) for c in members]
            for (i, _), (src, dst) in shifts(runs, self.by).items():
                yield self._source(i, many, rest, src, dst)

    def _source(self, cell: int, many: int, rest: Box, src: list[tuple[int, int]], dst: list[tuple[int, int]]) -> Source:
        x, y = src[0][0], dst[0][0]  # the pieces of both run in step
        here, there = Span.union(src), Span.union(dst)
        device, target = {**rest, self.axis: Span.of(x)}, {**rest, self.axis: Span.of(y)}

        def wants(c: Cell) -> float:
            return self.weight if c.group == self.group and c.sides == target else 0.0

        return Source(cell, many * here.size, device, (device, target), wants, Shift(self.axis, here, there, x, y))


def shifts(sides: Iterable[tuple[Span, int]], by: int) -> dict[tuple[int, int], tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
    """Sides along one ring -> (cell of the source, cell of the target) -> (pieces of the source's axis, of the target's)."""
    runs = sorted((low, high, i) for side, i in sides for low, high in side.parts)
    total = sum(high - low for low, high, _ in runs)
    starts, n = [], 0
    for low, high, _ in runs:
        starts.append(n)
        n += high - low
    by %= max(total, 1)
    found: dict[tuple[int, int], tuple[list[tuple[int, int]], list[tuple[int, int]]]] = defaultdict(lambda: ([], []))
    if by:
        edges = sorted({*starts, total, *((s - by) % total for s in starts), (total - by) % total})
        for a, b in pairwise(edges):
            j, k = _run(starts, a), _run(starts, (a + by) % total)
            x, y = runs[j][0] + a - starts[j], runs[k][0] + (a + by) % total - starts[k]
            src, dst = found[runs[j][2], runs[k][2]]
            src.append((x, x + b - a))
            dst.append((y, y + b - a))
    return found


def _run(starts: Sequence[int], k: int) -> int:
    return max(j for j, s in enumerate(starts) if s <= k)


@dataclass(frozen=True)
class Pairs:
    """Devices of `group` in the first box of a row send their weight to the one that has the digits `axes` as the second says, and all
    others alike: a tree, or any list of pairs along an axis. A pair of which one is not there is left out."""

    group: str
    axes: tuple[str, ...]
    rows: tuple[tuple[Box, Box, float], ...]

    def ordered(self) -> tuple[str, ...]:
        """See Demand."""
        return self.axes

    def hosts(self) -> set[str]:
        """See Demand."""
        return {self.group}

    def agreements(self, net: Net) -> list[tuple[str, ...]]:
        """See Demand."""
        return [tuple(a for a in net.groups[self.group].full if a not in self.axes)]

    def marks(self, net: Net) -> list[Box]:
        """See Demand."""
        full = net.groups[self.group].full
        return [{**full, **box} for x, y, _ in self.rows for box in (x, y)]

    def classes(self, cells: Sequence[Cell]) -> Iterator[Source]:
        """See Demand."""
        mine = [c for c in cells if c.group == self.group]
        for cell in mine:
            device = _point(cell)
            out = [({**device, **y}, rate) for x, y, rate in self.rows if inside(cell.sides, x)]
            out = [(t, rate) for t, rate in out if any(inside(t, c.sides) for c in mine)]
            if out:
                yield Source(cell.parent, cell.count, device, (device, *(t for t, _ in out)), self._wants(out))

    def _wants(self, out: list[tuple[Box, float]]) -> Callable[[Cell], float]:
        def wants(c: Cell) -> float:
            return sum(rate for target, rate in out if c.group == self.group and c.sides == target)

        return wants
