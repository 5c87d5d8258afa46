"""Node ports as devices of their own, islands that never meet, and links that end on a selection."""

from collections import Counter
from dataclasses import replace
from math import prod

import networkx as nx
from hypothesis import assume, event, given
from hypothesis import strategies as st

from dcgen.design import Axis, Block, Design, DeviceGroup, End, Fabric, Join, reach
from dcgen.design.islands import islands, parts_apart
from dcgen.design.refine import arcs
from dcgen.design.rewrite import by_port
from dcgen.design.select import links_at
from tests.laws import oracle
from tests.laws.designs import Wild, boxes, chance, designs, law, rows
from tests.laws.test_cells import expanded

NODES = Wild(two_ended=False)


@law(50)
@given(designs(NODES), st.data())
def test_a_port_of_a_node_is_a_device_with_one_link(design: Design, data: st.DataObject) -> None:
    nodes = {n for n in design.groups if data.draw(st.booleans())}
    design = replace(design, groups={n: replace(g, role="node" if n in nodes else "leaf") for n, g in design.groups.items()})
    ported, bundles, ports = by_port(design, design.bundles)
    assert len(set(ports)) == len(ports) == sum(b.a.group in nodes for b in design.bundles)
    for join, after in zip(design.bundles, bundles, strict=True):
        before, now = rows(design, join), rows(ported, after)
        assert sum(before.values()) == sum(now.values())
        if join.a.group in nodes:
            assert Counter((b, q) for _, _, b, q in now) == Counter((b, q) for _, _, b, q in before)
            assert set(Counter(a for a, *_ in now).values()) <= {1}
            assert after.a.group in ports
        else:
            assert after == join
    assert all(design.groups[n] == ported.groups[n] for n in design.groups)


@law(50)
@given(designs(NODES), st.data())
def test_links_at_a_selection_are_counted_one_by_one(design: Design, data: st.DataObject) -> None:
    design = replace(design, groups={n: replace(g, role=data.draw(st.sampled_from(["node", "leaf"]))) for n, g in design.groups.items()})
    name = data.draw(st.sampled_from(sorted({e.group for b in design.bundles for e in b.ends})))
    group = design.groups[name]
    block = data.draw(st.sampled_from(["", "p0", "p1"]))
    box = {a: r for a, r in data.draw(boxes(group)).items() if data.draw(st.booleans())}
    total = 0
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            if end.group == name and block in ("", end.block.name):
                inside = oracle.in_box(group, box)
                total += sum(x.row[2 * side] in inside for x in oracle.links(design, join))
    assert links_at(design, name, block, box) == total


@law(40)
@given(designs(NODES), st.data())
def test_links_at_ports_of_nodes(design: Design, data: st.DataObject) -> None:
    design = replace(design, groups={n: replace(g, role="node") for n, g in design.groups.items()})
    join = data.draw(st.sampled_from(design.bundles))
    design = replace(design, bundles=(join,))
    group = design.groups[join.a.group]
    digits = [d for d in oracle.lacked(design, join)[0] if d not in group.sizes]
    assume(digits)
    digit = data.draw(st.sampled_from(digits))
    low = data.draw(st.integers(0, 2))
    box = {**data.draw(boxes(group)), digit: range(low, low + data.draw(st.integers(1, 2)))}
    own = {a: r for a, r in box.items() if a in group.sizes}
    inside = oracle.in_box(group, own)
    want = sum(x.a in inside and x.digits[digit] in box[digit] for x in oracle.links(design, join))
    assert links_at(design, join.a.group, join.a.block.name, box) == want


@st.composite
def fabrics(draw: st.DrawFn) -> Design:
    """Whole regions in a chain of tiers that agree on some coordinates: `x` whole, or as the two digits x0 and x1 of others."""
    size = {"x0": draw(st.integers(1, 3)), "x1": draw(st.integers(1, 3)), "y": draw(st.integers(1, 3)), "z": draw(st.integers(1, 2))}
    size["x"] = size["x0"] * size["x1"]
    here: dict[str, DeviceGroup] = {}
    for i in range(draw(st.integers(2, 4))):
        axes = draw(st.sampled_from([["x"], ["x0"], ["x1"], ["x1", "x0"], []])) + draw(st.lists(st.sampled_from("yz"), unique=True))
        made = tuple(Axis(a, size[a], 0 if a == "x1" else draw(st.sampled_from([0, 0, size[a] + 2]))) for a in axes)
        here[f"t{i}"] = DeviceGroup(f"t{i}", "part", made, role="leaf" if i or draw(st.booleans()) else "node")
    bundles = []
    names = list(here)
    for i, (low, high) in enumerate(zip(names, names[1:], strict=False)):
        bundles.append(draw(_tier(here, f"f/b{i}", low, high, size)))
    if draw(chance(2)) and len(names) > 2:
        bundles.append(draw(_tier(here, "f/more", names[0], names[-1], size)))
    return Design("d", here, tuple(bundles), fabrics={"f": Fabric("f", "clos", tuple(names))})


@st.composite
def _tier(draw: st.DrawFn, here: dict[str, DeviceGroup], name: str, low: str, high: str, size: dict[str, int]) -> Join:
    ends, digits = [], []
    split = draw(st.booleans()) or not ("x" in here[low].sizes and "x" in here[high].sizes)
    for side, g in enumerate((low, high)):
        view = {"x": ("x0", "x1")} if split and "x" in here[g].sizes else {}
        view |= {a: (f"{a}.{side}",) for a in here[g].sizes if a in "yz" and draw(chance(3))}
        ends.append(End(g, Block(f"p{name}"), view))
        digits.append({d for a in here[g].sizes for d in view.get(a, (a,))})
    sizes = {"x0": max(size["x0"], *(-(-here[g].rulers.get("x", 1) // size["x1"]) for g in (low, high))), "x1": size["x1"]} if split else {}
    sizes = {d: max(n, *(here[g].rulers.get(d, 1) for g in (low, high))) for d, n in sizes.items()}
    sizes = {d: n for d, n in sizes.items() if d in digits[0] | digits[1]}
    return Join(name, *ends, tuple(digits[0] & digits[1]), {"way": 2} if draw(st.booleans()) else {}, sizes, 1, "f")


@law(250)
@given(fabrics())
def test_islands_are_the_parts_that_never_meet(design: Design) -> None:
    ported, bundles, _ = by_port(design, design.bundles)
    graph = expanded(ported, bundles)
    graph.remove_nodes_from(list(nx.isolates(graph)))  # ports towards switches that there is only room for
    parts = nx.number_connected_components(graph)
    event(f"{parts} islands")
    assert prod(islands(design, "f").values()) == parts


@law(200)
@given(st.one_of(fabrics(), designs(NODES)))
def test_parts_apart_and_distances_are_those_of_the_devices(design: Design) -> None:
    bundles = tuple(replace(b, fabric="f") for b in design.bundles)
    first = bundles[0].a.group
    role = {n: replace(g, role="node" if n == first else "leaf") for n, g in design.groups.items()}
    design = replace(design, groups=role, bundles=bundles, fabrics={"f": Fabric("f", "clos", tuple(n for n in role if n != first))})
    ported, joins, ports = by_port(design, bundles)
    assume(ports)
    graph = expanded(ported, joins)
    ends = [v for v in graph if v[0] in ports and graph.degree(v)]
    parts = {min(nx.node_connected_component(graph, v)) for v in ends}
    assert parts_apart(design, "f") == len(parts)
    links = arcs(ported, joins)
    assert reach.parts_apart(links, ports) == len(parts)
    far = {v: nx.single_source_shortest_path_length(graph, v) for v in ends}
    worst = max((d[w] - 1 for v, d in far.items() for w in ends if w in d and w != v), default=0)
    assert max(reach.hop_classes(links, ports), default=0) in {worst, worst or -1}
    event(f"{worst} switches")
