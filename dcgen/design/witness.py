"""How far devices are from each other, on a few witnesses: per cell one device and one other, on every digit.

Coordinates inside an interval that nothing tells apart are exchangeable, so the distance between two devices depends, digit by
digit, only on the intervals and on whether the two share the coordinate: two witnesses per interval stand for all.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod

from dcgen.design.lowering import Cell, NotSymbolic
from dcgen.design.model import Design, Join, Mesh
from dcgen.design.pairs import digits
from dcgen.design.settle import Settled, settle

Vertex = tuple[int, tuple[int, ...]]
"""(cell, offset 0 or 1 on every digit of its box)."""

MOST_WITNESSES = 20_000


@dataclass(frozen=True, slots=True)
class Witnesses:
    """`weight` is how many devices a vertex stands for, seen from the vertex of offsets 0 of any cell.

    `near` are its neighbours, and `over` the bundles that join it to them, in the same order.
    """

    cells: tuple[Cell, ...]
    weight: dict[Vertex, int] = field(default_factory=dict)
    near: dict[Vertex, list[Vertex]] = field(default_factory=dict)
    over: dict[Vertex, list[str]] = field(default_factory=dict)


def witnesses(design: Design, bundles: Iterable[Join]) -> Witnesses:
    """Witnesses of all devices that the bundles touch.

    Raises:
        NotSymbolic: no cells, or too many of them.
    """
    settled = settle(design, bundles, most=MOST_WITNESSES)
    seen = Witnesses(settled.cells)
    for i, cell in enumerate(settled.cells):
        lengths = [len(r) for r in cell.box.values()]
        for offsets in _offsets(cell):
            seen.weight[i, offsets] = prod(n - 1 if offset else 1 for n, offset in zip(lengths, offsets, strict=True))
            seen.near[i, offsets], seen.over[i, offsets] = [], []
        if len(seen.weight) > MOST_WITNESSES:
            raise NotSymbolic("too many witnesses")
    for i, j, k in settled.edges:
        _join(seen, settled, i, j, settled.bundles[k])
    return seen


def _join(seen: Witnesses, settled: Settled, i: int, j: int, join: Join) -> None:
    one, other = settled.cells[i], settled.cells[j]
    low = settled.lowering
    same = [(_place(one, x), _place(other, y)) for d in join.on for x, y in low.pairs(join, d)]
    apart = None
    if join.pairs is not None:
        if not isinstance(join.pairs, Mesh):
            raise NotSymbolic(f"{join.name}: distances along a line or a table are counted on devices")
        (a,), (b,) = digits(join.pairs)
        spans = [low.span(join, side, d) for side, d in enumerate((a, b))]
        apart = tuple(_place(c, (g, axis, 1)) for c, (g, axis, _, _) in zip((one, other), spans, strict=True))
    for p in _offsets(one):
        for q in _offsets(other):
            if all(p[x] == q[y] for x, y in same) and (apart is None or i != j or p[apart[0]] != q[apart[1]]):
                seen.near[i, p].append((j, q))
                seen.near[j, q].append((i, p))
                seen.over[i, p].append(join.name)
                seen.over[j, q].append(join.name)


def _place(cell: Cell, sub: tuple[str, str, int]) -> int:
    return list(cell.box).index(sub)


def _offsets(cell: Cell) -> list[tuple[int, ...]]:
    return list(product(*(range(min(len(r), 2)) for r in cell.box.values())))


def _distances(seen: Witnesses, start: Vertex) -> dict[Vertex, int]:
    """Links from one vertex to every other that can be reached."""
    far, front = {start: 0}, [start]
    while front:
        step = far[front[0]] + 1
        front = list(dict.fromkeys(w for v in front for w in seen.near[v] if w not in far))
        far |= dict.fromkeys(front, step)
    return far


def parts_apart(design: Design, bundles: Iterable[Join], groups: Iterable[str]) -> int:
    """Connected parts that hold a linked device of these groups: all devices of a cell lie in parts of one size.

    Raises:
        NotSymbolic: no witnesses; count on devices instead.
    """
    seen = witnesses(design, bundles)
    wanted, shares = set(groups), Fraction(0)
    for i, cell in enumerate(seen.cells):
        start = (i, tuple(0 for _ in cell.box))
        if cell.group in wanted and seen.near[start]:
            part = _distances(seen, start)
            shares += Fraction(cell.count, sum(seen.weight[v] for v in part if seen.cells[v[0]].group in wanted))
    return int(shares)


def hop_classes(design: Design, bundles: Iterable[Join], groups: Iterable[str]) -> dict[int, int]:
    """Switches passed -> how many other devices of the groups are that far, from the device that is farthest off.

    Devices that cannot be reached are counted under -1.

    Raises:
        NotSymbolic: no witnesses; count on devices instead.
    """
    seen = witnesses(design, bundles)
    wanted = set(groups)
    worst: dict[int, int] = {}
    for i, cell in enumerate(seen.cells):
        if cell.group not in wanted:
            continue
        start = (i, tuple(0 for _ in cell.box))
        far = _distances(seen, start)
        found: Counter[int] = Counter()
        for vertex, weight in seen.weight.items():
            if seen.cells[vertex[0]].group in wanted and vertex != start:
                found[far[vertex] - 1 if vertex in far else -1] += weight
        if max(found, default=0) > max(worst, default=-2) or (not worst and found):
            worst = dict(sorted(found.items()))
    return worst
