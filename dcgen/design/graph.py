"""networkx views of a design: cells for flow at any size, devices for small pictures and as the oracle in tests."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import networkx as nx

from dcgen.design.lowering import NotSymbolic
from dcgen.design.model import Design, Join
from dcgen.design.region import Box
from dcgen.design.settle import settle, within

if TYPE_CHECKING:
    from dcgen.design.refine import Arcs

MOST_CELLS = 500
MOST_DEVICES = 20_000


class TooManyDevices(ValueError):
    """A device graph that would be a wrong place to compute; carve a slice instead."""


def cell_graph(design: Design, bundles: Iterable[Join], apart: Mapping[str, Iterable[Box]] | None = None) -> tuple[nx.Graph, str]:
    """(graph, engine): vertices carry `group`, `count` and `boxes` (indexes of the boxes of `apart` they lie in); edges
    `gbps`, the capacity between the two cells. Symbolic where that is exact and small, else the numeric partition."""
    return next(cell_graphs(design, bundles, [apart or {}]))


def cell_graphs(design: Design, bundles: Iterable[Join], aparts: Iterable[Mapping[str, Iterable[Box]]]) -> Iterator[tuple[nx.Graph, str]]:
    """One cell graph per question; links are expanded at most once for all of them."""
    asked, links = tuple(bundles), None
    for apart in aparts:
        kept = {g: list(b) for g, b in apart.items()}
        try:
            if links is None:
                yield _symbolic(design, asked, kept), "settled cells"
                continue
        except NotSymbolic:
            from dcgen.design.refine import arcs

            links = arcs(design, asked)
        yield _numeric(design, links, kept), "equitable partition of the links"


def _symbolic(design: Design, bundles: tuple[Join, ...], apart: Mapping[str, list[Box]]) -> nx.Graph:
    settled = settle(design, bundles, apart, MOST_CELLS)
    graph = nx.Graph()
    for i, cell in enumerate(settled.cells):
        boxes = [k for k, box in enumerate(apart.get(cell.group, ())) if within(settled, cell, box)]
        graph.add_node(i, group=cell.group, count=cell.count, boxes=boxes)
    for (i, j, k), links in settled.edges.items():
        _add(graph, i, j, links * settled.bundles[k].rate_gbps)
    return graph


def _numeric(design: Design, links: "Arcs", apart: Mapping[str, list[Box]]) -> nx.Graph:
    import numpy as np

    from dcgen.design.columns import device_ids
    from dcgen.design.refine import flat_of_box, refine

    colour = refine(design, links, apart).colour
    graph = nx.Graph()
    for name, start in links.offsets.items():
        found, counts = np.unique(colour[device_ids(design.groups[name]) + start], return_counts=True)
        for c, n in zip(found.tolist(), counts.tolist(), strict=True):
            graph.add_node(c, group=name, count=n, boxes=[])
        for k, box in enumerate(apart.get(name, ())):
            for c in np.unique(colour[flat_of_box(design, name, box) + start]).tolist():
                if c >= 0:
                    graph.nodes[c]["boxes"].append(k)
    size = int(colour.max(initial=0)) + 1
    a, b = colour[links.u], colour[links.v]
    keys, inverse = np.unique(np.minimum(a, b) * size + np.maximum(a, b), return_inverse=True)
    for key, gbps in zip(keys.tolist(), np.bincount(inverse, weights=links.capacity, minlength=len(keys)).tolist(), strict=True):
        _add(graph, key // size, key % size, gbps)
    return graph


def _add(graph: nx.Graph, i: int, j: int, gbps: float) -> None:
    if i == j or not gbps:
        return  # links inside a cell carry nothing between cells
    if graph.has_edge(i, j):
        graph[i][j]["gbps"] += gbps
    else:
        graph.add_edge(i, j, gbps=gbps)


def device_graph(design: Design, bundles: Iterable[Join] | None = None) -> nx.MultiGraph:
    """One vertex per device (its address), one edge per link with `gbps`, `bundle` and both port numbers.

    Raises:
        TooManyDevices: above a limit; use cells, or a slice of the design.
    """
    from dcgen.design.columns import columns, device_ids
    from dcgen.naming import address

    asked = design.bundles if bundles is None else tuple(bundles)
    names = dict.fromkeys(e.group for b in asked for e in b.ends) if bundles is not None else design.groups
    total = sum(design.groups[n].count for n in names)
    if total > MOST_DEVICES:
        raise TooManyDevices(f"{total:,} devices; a device graph is for at most {MOST_DEVICES:,}: ask for one fabric, or a slice")
    graph = nx.MultiGraph()
    label: dict[str, dict[int, str]] = {}
    for name in names:
        group = design.groups[name]
        label[name] = {i: address(name, group.coordinates(i)) for i in device_ids(group).tolist()}
        graph.add_nodes_from(label[name].values(), group=name)
    for join in asked:
        c = columns(design, join)
        for a, p, b, q in zip(c.a.tolist(), c.a_port.tolist(), c.b.tolist(), c.b_port.tolist(), strict=True):
            graph.add_edge(label[join.a.group][a], label[join.b.group][b], gbps=join.rate_gbps, bundle=join.name, ports=(p, q))
    return graph
