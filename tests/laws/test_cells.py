"""Cells = devices: symbolic cells, numeric cells and the device graph carry the same flow between the same devices."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import replace
from unittest.mock import patch

import networkx as nx
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join
from dcgen.design import graph as graphs
from dcgen.design.columns import columns
from dcgen.design.lowering import Cell, NotSymbolic
from dcgen.design.region import Box
from dcgen.design.settle import Settled, settle, within
from dcgen.naming import Selector
from tests.laws import oracle
from tests.laws.designs import Wild, boxes, designs, law

NESTING = Wild(spreads=False, nesting=True)
PAIRED = Wild(pairs=True)
REASONS = "do not nest|does not divide|shifted ruler|neighbours along an axis"


def flow(graph: nx.Graph, sources: Iterable[Hashable], sinks: Iterable[Hashable]) -> float:
    one = nx.Graph()
    for u, v, data in graph.edges(data=True):
        if u != v:
            one.add_edge(u, v, gbps=data["gbps"] + (one[u][v]["gbps"] if one.has_edge(u, v) else 0))
    one.add_nodes_from(["from", "to"])
    one.add_edges_from(("from", s) for s in sources)
    one.add_edges_from((t, "to") for t in sinks)
    if not nx.has_path(one, "from", "to"):
        return 0
    return float(nx.maximum_flow_value(one, "from", "to", capacity="gbps", flow_func=nx.algorithms.flow.dinitz))


def symbolic(design: Design, bundles: tuple[Join, ...], apart: Mapping[str, list[Box]]) -> nx.Graph:
    """Settled cells, however many."""
    with patch.object(graphs, "MOST_CELLS", 10**9):
        cells, engine = graphs.cell_graph(design, bundles, apart)
    assert engine == "settled cells"
    return cells


def numeric(design: Design, bundles: tuple[Join, ...], apart: Mapping[str, list[Box]]) -> nx.Graph:
    """The numeric partition, also where cells would be boxes."""
    with patch.object(graphs, "MOST_CELLS", -1):
        cells, engine = graphs.cell_graph(design, bundles, apart)
    assert engine == "equitable partition of the links"
    return cells


def expanded(design: Design, bundles: Iterable[Join]) -> nx.Graph:
    """Every device a vertex (group, flat index), from pairs of devices one by one."""
    graph = nx.Graph()
    for join in bundles:
        for end in join.ends:
            graph.add_nodes_from((end.group, i) for i in oracle.devices(design.groups[end.group]))
        for x in oracle.links(design, join):
            u, v = (join.a.group, x.a), (join.b.group, x.b)
            graph.add_edge(u, v, gbps=join.rate_gbps + (graph[u][v]["gbps"] if graph.has_edge(u, v) else 0))
    return graph


def same_flows(design: Design, bundles: tuple[Join, ...], cells: nx.Graph, apart: Mapping[str, list[Box]], full: nx.Graph) -> None:
    """Counts, and the flow from every box of `apart` to the groups without one, on cells as on devices."""
    count: dict[str, int] = defaultdict(int)
    for _, data in cells.nodes(data=True):
        count[data["group"]] += data["count"]
    names = {e.group for b in bundles for e in b.ends}
    assert {n: count[n] for n in names} == {n: len(oracle.devices(design.groups[n])) for n in names}
    (first, cut), *_ = apart.items()
    for k, box in enumerate(cut):
        inside = oracle.in_box(design.groups[first], box)
        mine = [v for v, data in cells.nodes(data=True) if data["group"] == first and k in data["boxes"]]
        assert sum(cells.nodes[v]["count"] for v in mine) == len(inside)
        if names == {first}:
            continue
        other = max(names - {first})
        theirs = [v for v, data in cells.nodes(data=True) if data["group"] == other]
        want = flow(full, [(first, i) for i in inside], [(other, i) for i in oracle.devices(design.groups[other])])
        assert flow(cells, mine, theirs) == pytest.approx(want)
    rest = [v for v, data in cells.nodes(data=True) if data["group"] == first and 0 not in data["boxes"]]
    mine = [v for v, data in cells.nodes(data=True) if data["group"] == first and 0 in data["boxes"]]
    inside = oracle.in_box(design.groups[first], cut[0])
    outside = oracle.devices(design.groups[first]) - inside
    assert flow(cells, mine, rest) == pytest.approx(flow(full, [(first, i) for i in inside], [(first, i) for i in outside]))


def cut_somewhere(design: Design, data: st.DataObject) -> tuple[tuple[Join, ...], dict[str, list[Box]]]:
    """Some of the bundles, and one or two boxes (that may overlap) of one of their groups."""
    kept = data.draw(st.sets(st.integers(0, len(design.bundles) - 1), min_size=1))
    bundles = tuple(design.bundles[i] for i in sorted(kept))
    name = data.draw(st.sampled_from(sorted({e.group for b in bundles for e in b.ends})))
    return bundles, {name: data.draw(st.lists(boxes(design.groups[name]), min_size=1, max_size=2))}


@law(60)
@given(st.one_of(designs(NESTING), designs(replace(NESTING, pairs=True))), st.data())
def test_symbolic_cells_carry_what_devices_carry(design: Design, data: st.DataObject) -> None:
    bundles, apart = cut_somewhere(design, data)
    try:
        settle(design, bundles, apart)
    except NotSymbolic as e:
        event("not symbolic")
        assert any(r in str(e) for r in REASONS.split("|"))
        return
    same_flows(design, bundles, symbolic(design, bundles, apart), apart, expanded(design, bundles))


@law(50)
@given(st.one_of(designs(), designs(PAIRED)), st.data())
def test_numeric_cells_carry_what_devices_carry(design: Design, data: st.DataObject) -> None:
    bundles, apart = cut_somewhere(design, data)
    same_flows(design, bundles, numeric(design, bundles, apart), apart, expanded(design, bundles))


@law(50)
@given(st.one_of(designs(), designs(PAIRED)), st.data())
def test_whichever_engine_answers_the_flow_is_that_of_the_device_graph(design: Design, data: st.DataObject) -> None:
    bundles, apart = cut_somewhere(design, data)
    full = graphs.device_graph(design, bundles)
    assert full.number_of_nodes() == sum(len(oracle.devices(design.groups[n])) for n in {e.group for b in bundles for e in b.ends})
    assert full.number_of_edges() == sum(len(columns(design, b)) for b in bundles)
    cells, engine = graphs.cell_graph(design, bundles, apart)
    event(engine)
    same_flows(design, bundles, cells, apart, expanded(design, bundles))
    names = sorted({e.group for b in bundles for e in b.ends})
    if len(names) == 1:
        return
    got = flow(cells, _of(cells, names[0]), _of(cells, names[-1]))
    assert got == pytest.approx(flow(full, _of(full, names[0]), _of(full, names[-1])))


def _of(graph: nx.Graph, name: str) -> list[Hashable]:
    return [v for v, data in graph.nodes(data=True) if data["group"] == name]


@law(50)
@given(designs(NESTING), st.data())
def test_settled_cells_hold_each_device_and_each_link_once(design: Design, data: st.DataObject) -> None:
    bundles, apart = cut_somewhere(design, data)
    try:
        settled = settle(design, bundles, apart)
    except NotSymbolic:
        assume(False)
    for name in {e.group for b in bundles for e in b.ends}:
        assert sum(c.count for c in settled.cells if c.group == name) == len(oracle.devices(design.groups[name]))
    for name, cut in apart.items():
        for box in cut:
            inside = sum(c.count for c in settled.cells if c.group == name and within(settled, c, box))
            assert inside == len(oracle.in_box(design.groups[name], box))
    cell_of = {device: i for i, cell in enumerate(settled.cells) for device in members(design, settled, cell)}
    assert len(cell_of) == sum(c.count for c in settled.cells)
    graph = expanded(design, bundles)
    for i, cell in enumerate(settled.cells):  # equitable: devices of a cell have the same capacity to every cell
        views = []
        for u in (d for d, c in cell_of.items() if c == i):
            seen: Counter[int] = Counter()
            for _, v, link in graph.edges(u, data=True):
                seen[cell_of[v]] += link["gbps"]
            views.append(seen)
        assert len(views) == cell.count
        assert all(seen == views[0] for seen in views)
    for k, join in enumerate(bundles):
        assert sum(n for (_, _, bundle), n in settled.edges.items() if bundle == k) == len(oracle.links(design, join))


def members(design: Design, settled: Settled, cell: Cell) -> list[tuple[str, int]]:
    """The devices of a cell, by reading the coordinates of every device in the cell's digits."""
    group, low = design.groups[cell.group], settled.lowering
    size = {(cell.group, a, s): n for a in group.sizes for s, n in zip(low.levels(cell.group, a), low.sizes(cell.group, a), strict=True)}
    at = {i: group.coordinates(i) for i in oracle.devices(group)}
    return [(cell.group, i) for i, xs in at.items() if all(xs[sub[1]] // sub[2] % size[sub] in r for sub, r in cell.box.items())]


def _pair(join: Join, size: int = 4) -> Design:
    here = {n: DeviceGroup(n, "part", (Axis("x", size),)) for n in ("a", "b")}
    return Design("pair", here, (replace(join, name="one", rate_gbps=1),))


def test_cells_do_not_tell_one_ring_from_two_and_flow_does_not_mind() -> None:
    """Colour refinement sees every device alike in a ring of eight and in two rings of four; flow between groups is the same.

    Connectivity is not: it must never be read from cells. Once a device is set apart its distances tell the rings apart.
    """
    two = _pair(
        Join("", End("a", Block("p"), {"x": ("h", "l")}), End("b", Block("p"), {"x": ("h", "m")}), ("h",), sizes={"h": 2, "l": 2, "m": 2})
    )
    straight = Join("one", End("a", Block("p"), order=()), End("b", Block("p"), order=()), ("x",), rate_gbps=1)
    around = Join("two", End("a", Block("p", 1)), End("b", Block("p", 1), spread=Deal("x", 1)), rate_gbps=1)
    one = replace(_pair(straight), bundles=(straight, around))
    for design, rings in ((one, 1), (two, 2)):
        assert nx.number_connected_components(expanded(design, design.bundles)) == rings
        cells = numeric(design, design.bundles, {})
        assert cells.number_of_nodes() == 2
        assert flow(cells, _of(cells, "a"), _of(cells, "b")) == 8
        apart: dict[str, list[Box]] = {"a": [{"x": range(1)}, {"x": range(2, 3)}]}
        cells = numeric(design, design.bundles, apart)
        here, there = ([v for v, d in cells.nodes(data=True) if k in d["boxes"]] for k in (0, 1))
        assert flow(cells, here, there) == (2 if rings == 1 else 0)


def test_overlapping_boxes_are_told_apart_from_each_other() -> None:
    design = _pair(Join("", End("a", Block("p")), End("b", Block("p")), ("x",)))
    apart: dict[str, list[Box]] = {"a": [{"x": range(2)}, {"x": range(1, 3)}]}
    for cells in (symbolic(design, design.bundles, apart), numeric(design, design.bundles, apart)):
        found = sorted((d["count"], d["boxes"]) for _, d in cells.nodes(data=True) if d["group"] == "a")
        assert found == [(1, []), (1, [0]), (1, [0, 1]), (1, [1])]


def test_a_group_without_devices_has_no_cells() -> None:
    design = _pair(Join("", End("a", Block("p")), End("b", Block("p")), ("x",)))
    empty = replace(design.groups["a"], absent=(Selector("a", (("x", 0, 3),)),))
    design = replace(design, groups={**design.groups, "a": empty})
    for cells in (symbolic(design, design.bundles, {}), numeric(design, design.bundles, {})):
        assert {d["group"] for _, d in cells.nodes(data=True)} == {"b"}
        assert cells.number_of_edges() == 0
