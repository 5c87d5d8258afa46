"""Symbolic cells: boxes of devices that nothing in the asked bundles tells apart, and the links between them.

Exact for joins with holes, splits, selectors and single links taken out. Axes are lowered to the common refinement of the digits
that the bundles read; where two readings do not nest, or a spread does not divide, there are no such boxes (`NotSymbolic`) and
the numeric partition of `refine` answers instead.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from dcgen.design.lowering import Cell, Lowering, NotSymbolic, SubAxis
from dcgen.design.model import Design, End, Join, Table
from dcgen.design.pairs import between, digits
from dcgen.design.region import Box, meet
from dcgen.design.rewrite import divided
from dcgen.design.wiring import taken_out

MOST_BUNDLES = 64
"""Bundles beyond which cells are not looked for: links that are written one by one are their own cells."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Cells and, between pairs of them, links by bundle: (cell, cell, bundle) -> links."""

    cells: tuple[Cell, ...]
    edges: dict[tuple[int, int, int], int]
    bundles: tuple[Join, ...]
    lowering: Lowering


def settle(design: Design, bundles: Iterable[Join], apart: Mapping[str, Iterable[Box]] | None = None, most: int | None = None) -> Settled:
    """Cells of the groups that the bundles touch; `apart` lists, per group, boxes that must not be mixed with what is outside.

    Raises:
        NotSymbolic: no cells, or more than `most` of them: use `refine` instead.
    """
    asked = tuple(divided(design, b) for b in bundles)
    if len(asked) > MOST_BUNDLES:
        raise NotSymbolic(f"{len(asked)} bundles: links that are written one by one are their own cells")
    names = dict.fromkeys(e.group for b in asked for e in b.ends)
    low = Lowering({n: design.groups[n] for n in names}, asked)
    regions = {n: [d for box in design.groups[n].boxes for d in low.boxes(n, box)] for n in names}
    cuts = _cuts(low, regions, apart or {})
    pieces = [(n, _pieces(low, box, cuts)) for n, boxes in regions.items() for box in boxes]
    number = sum(prod(len(p) for p in each) for _, each in pieces)
    if most is not None and number > most:
        raise NotSymbolic(f"{number} cells")
    cells = tuple(Cell(n, dict(c)) for n, each in pieces for c in product(*each))
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
