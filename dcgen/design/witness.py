"""How far devices are from each other, on a few witnesses: per cell one device and one other, on every digit.

Coordinates inside an interval that nothing tells apart are exchangeable, so the distance between two devices depends, digit by
digit, only on the intervals and on whether the two share the coordinate: two witnesses per interval stand for all.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import networkx as nx

from dcgen.design.model import Design, Join, Mesh
from dcgen.design.pairs import digits
from dcgen.design.settle import Cell, NotSymbolic, Settled, settle

Vertex = tuple[int, tuple[int, ...]]
"""(cell, offset 0 or 1 on every digit of its box)."""

MOST_WITNESSES = 20_000


def witness_graph(design: Design, bundles: Iterable[Join]) -> tuple[nx.Graph, Settled]:
    """Vertices carry `group` and `weight`: how many devices they stand for, seen from the vertex of offsets 0 of any cell.

    Raises:
        NotSymbolic: bundles without cells, or too many of them.
    """
    settled = settle(design, bundles)
    graph = nx.Graph()
    for i, cell in enumerate(settled.cells):
        lengths = [len(r) for r in cell.box.values()]
        for offsets in product(*(range(min(n, 2)) for n in lengths)):
            weight = 1
            for n, offset in zip(lengths, offsets, strict=True):
                weight *= n - 1 if offset else 1
            graph.add_node((i, offsets), group=cell.group, weight=weight)
        if len(graph) > MOST_WITNESSES:
            raise NotSymbolic("too many witnesses")
    for i, j, k in settled.edges:
        _join(graph, settled, i, j, settled.bundles[k])
    return graph, settled


def _join(graph: nx.Graph, settled: Settled, i: int, j: int, join: Join) -> None:
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
                graph.add_edge((i, p), (j, q))


def _place(cell: Cell, sub: tuple[str, str, int]) -> int:
    return list(cell.box).index(sub)


def _offsets(cell: Cell) -> list[tuple[int, ...]]:
    return list(product(*(range(min(len(r), 2)) for r in cell.box.values())))


def parts_apart(design: Design, bundles: Iterable[Join], groups: Iterable[str]) -> int:
    """Connected parts that hold a linked device of these groups: all devices of a cell lie in parts of one size.

    Raises:
        NotSymbolic: no witnesses; count on devices instead.
    """
    graph, settled = witness_graph(design, bundles)
    wanted, shares = set(groups), Fraction(0)
    for i, cell in enumerate(settled.cells):
        start = (i, tuple(0 for _ in cell.box))
        if cell.group in wanted and graph.degree(start):
            part = nx.node_connected_component(graph, start)
            shares += Fraction(cell.count, sum(graph.nodes[v]["weight"] for v in part if graph.nodes[v]["group"] in wanted))
    return int(shares)


def hop_classes(design: Design, bundles: Iterable[Join], groups: Iterable[str]) -> dict[int, int]:
    """Switches passed -> how many other devices of the groups are that far, from the device that is farthest off.

    Devices that cannot be reached are counted under -1.

    Raises:
        NotSymbolic: no witnesses; count on devices instead.
    """
    graph, settled = witness_graph(design, bundles)
    wanted = set(groups)
    worst: dict[int, int] = {}
    for i, cell in enumerate(settled.cells):
        if cell.group not in wanted:
            continue
        start = (i, tuple(0 for _ in cell.box))
        far = nx.single_source_shortest_path_length(graph, start)
        found: Counter[int] = Counter()
        for vertex, data in graph.nodes(data=True):
            if data["group"] in wanted and vertex != start:
                found[far[vertex] - 1 if vertex in far else -1] += data["weight"]
        if max(found, default=0) > max(worst, default=-2) or (not worst and found):
            worst = dict(sorted(found.items()))
    return worst
