"""The small graphs a linear programme runs on: classes of arcs of the settled net, and one quotient per class of sources."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dcgen.analysis.flow.cells import Cell, Frame, arcs, cut, exists, settle
from dcgen.analysis.flow.demand import Demand, Shift, Source
from dcgen.analysis.flow.net import Box, Cut, Loss, Lost, Net, inside
from dcgen.analysis.flow.span import Span

Relay: TypeAlias = Mapping[str, Literal[True] | frozenset[tuple[int, int]]]
"""Host group -> True, or the pairs of wires (in, out) between which it passes the traffic of others on."""

Kind: TypeAlias = dict[str, tuple[Span, Span]]
"""Digit -> (part, whole side): a kind of arcs inside a class."""


class Setting:
    """A net with its losses, settled: live cells, and classes of arcs with their pairs and capacities."""

    def __init__(
        self,
        net: Net,
        demands: Sequence[Demand],
        relay: Relay | None = None,
        losses: Sequence[Loss] = (),
        extra: Sequence[Box] = (),
        renumbered: frozenset[str] = frozenset(),
    ) -> None:
        self.net, self.demands, self.relay, self.renumbered = net, demands, relay or {}, renumbered
        self.frame = Frame(net, [a for d in demands for a in d.agreements(net)])
        self.hosts = net.hosts.union(*(d.hosts() for d in demands)) | set(self.relay)
        marks = [m for d in demands for m in d.marks(net)] + [m for x in losses for m in x.marks(net)]
        self.cells = settle(net, marks + list(extra), self.frame)
        dead = [(x.group, x.box) for x in losses if isinstance(x, Lost)]
        self.live = [c for c in self.cells if exists(net, c) and not any(c.group == g and inside(c.sides, m) for g, m in dead)]
        self.pairs: list[int] = []
        self.times: list[int] = []
        self.gbps: list[float] = []
        self.ends: list[tuple[int, int]] = []
        self.wires: list[int] = []
        self.of: dict[tuple[int, int, int], int] = {}
        alive, cuts = {c.parent for c in self.live}, defaultdict(list)
        for x in losses:
            if isinstance(x, Cut):
                cuts[x.wire].append(x)
        for n, i, j, pairs in arcs(net, self.cells):
            if i in alive and j in alive:
                self._add(n, i, j, pairs, net.wires[n].times - self._missing(n, i, j, cuts[n]))

    def _add(self, n: int, i: int, j: int, pairs: int, times: int) -> None:
        if times > 0 and self.net.wires[n].rate_gbps > 0:
            self.of[n, i, j] = len(self.pairs)
            self.pairs.append(pairs)
            self.times.append(times)
            self.gbps.append(times * self.net.wires[n].rate_gbps)
            self.ends.append((i, j))
            self.wires.append(n)

    def _missing(self, n: int, i: int, j: int, cuts: Iterable[Cut]) -> int:
        """Links lost of a wire between a device of one cell and one of another."""
        wire, lost = self.net.wires[n], 0
        for x in cuts:
            ways = ((i, j), (j, i)) if wire.a == wire.b else ((i, j),) if self.cells[i].group == wire.a else ((j, i),)
            if any(inside(self.cells[p].sides, x.a) and inside(self.cells[q].sides, x.b) for p, q in ways):
                lost += wire.times if x.times is None else x.times
        return lost

    def name(self, k: int) -> str:
        """A class of arcs in the design's words."""
        return " → ".join(self.said(self.cells[i]) for i in self.ends[k])

    def said(self, cell: Cell) -> str:
        """A cell in the design's words."""
        return self.net.groups[cell.group].said(cell.sides, self.renumbered)

    def sources(self) -> list[Source]:
        """All classes of sources."""
        return [s for d in self.demands for s in d.classes(self.live)]


@dataclass(frozen=True, slots=True)
class Edge:
    """An arc between two cells as one source sees it.

    `k` is its class (None: from the entry of a host into the host itself), `side` its side on the digit of the source's shift,
    where that singles it out.
    """

    tail: int
    head: int
    k: int | None
    pairs: int
    side: Span | None


@dataclass(frozen=True, slots=True)
class Commodity:
    """One class of sources: the quotient by what leaves one of them, and whom it singles out, in place.

    `want` is node -> part of the traffic; `edges` are only those on a walk from the root to where it wants to go.
    """

    source: Source
    cells: list[Cell]
    root: int
    want: dict[int, float]
    edges: list[Edge]


def commodity(setting: Setting, source: Source) -> Commodity:
    """Isolate the representative, drop what is dead, let no traffic through hosts except where declared.

    A host that relays only between some wires gets an entry node per wire that traffic may continue from.
    """
    cells, hosts = setting.live, setting.hosts
    for point in source.points:
        cells = cut(cells, point, setting.frame)
    home = setting.cells[source.cell].group
    root = next(i for i, c in enumerate(cells) if c.group == home and c.sides == source.device)
    want = {i: w for i, c in enumerate(cells) if c.group in hosts and (w := source.wants(c))}
    edges: list[Edge] = []
    entry: dict[tuple[int, int], int] = {}

    def node(i: int, n: int) -> int:
        return entry.setdefault((i, n), len(cells) + len(entry))

    for n, i, j, pairs in arcs(setting.net, cells):
        k = setting.of.get((n, cells[i].parent, cells[j].parent))
        if k is None or j in (root, i):
            continue
        passes = _rules(setting, cells[i]) if i != root else True
        tails = [i] if passes is True else [node(i, into) for into, out in sorted(passes) if out == n]
        entered = _rules(setting, cells[j])
        head = node(j, n) if entered is not True and any(into == n for into, _ in entered) else j
        side = stands_out(setting, source.shift, cells[i], cells[j])
        edges += [Edge(tail, head, k, pairs, side) for tail in tails]
    edges += [Edge(at, cell, None, 0, None) for (cell, _), at in entry.items()]
    return Commodity(source, cells, root, want, _prune(edges, root, want))


def _rules(setting: Setting, cell: Cell) -> Literal[True] | frozenset[tuple[int, int]]:
    return setting.relay.get(cell.group, frozenset()) if cell.group in setting.hosts else True


def stands_out(setting: Setting, shift: Shift | None, *ends: Cell) -> Span | None:
    """The side of an arc on the shifted digit, if isolating the source or its target has cut it there."""
    for c in ends if shift else ():
        side = c.sides.get(shift.axis) if shift else None
        if side is not None and shift and side != setting.cells[c.parent].sides[shift.axis]:
            return side
    return None


def _prune(edges: list[Edge], root: int, want: Iterable[int]) -> list[Edge]:
    ahead = _reach([root], [(e.tail, e.head) for e in edges])
    back = _reach(want, [(e.head, e.tail) for e in edges])
    return [e for e in edges if e.tail in ahead and e.head in back]


def _reach(starts: Iterable[int], pairs: Iterable[tuple[int, int]]) -> set[int]:
    following: dict[int, list[int]] = defaultdict(list)
    todo = list(starts)
    seen = set(todo)
    for a, b in pairs:
        following[a].append(b)
    while todo:
        for b in following[todo.pop()]:
            if b not in seen:
                seen.add(b)
                todo.append(b)
    return seen


def kinds(setting: Setting, k: int, uses: Iterable[tuple[Commodity, Edge]]) -> list[Kind]:
    """The kinds of arcs of class k that shifts load differently; one empty kind if all are alike."""
    found = [(c.source.shift, e.side) for c, e in uses if c.source.shift is not None]
    out: list[Kind] = [{}]
    for axis in sorted({shift.axis for shift, side in found if side is not None}):
        side = next(setting.cells[i].sides[axis] for i in setting.ends[k] if axis in setting.cells[i].sides)
        parts = [side]
        for shift in dict.fromkeys(s for s, cut_ in found if cut_ is not None and s.axis == axis):
            for span in (shift.src, shift.dst):
                parts = [q for p in parts for q in (p & span, p - span) if q]
        out = [{**kind, axis: (p, side)} for kind in out for p in parts]
    return out


def seen_by(source: Source, edge: Edge, kind: Kind) -> float:
    """How many sources see this kind of arc as this edge, over the average of the arc's class."""
    shift = source.shift
    if shift is None or edge.side is None or shift.axis not in kind:
        return 1.0
    part, side = kind[shift.axis]
    leaves, enters, n = part <= shift.src, part <= shift.dst, shift.src.size
    if edge.side == Span.of(shift.own):
        return leaves * side.size / n
    if edge.side == Span.of(shift.next):
        return enters * side.size / n
    return (n - leaves - enters) * side.size / (n * edge.side.size)
