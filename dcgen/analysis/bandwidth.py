"""Capacity per tier and across the middle, in closed form or by flow on cells."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.region import Box
from dcgen.design.settle import by_port
from dcgen.design.wiring import links, ports_needed


def oversubscription(design: Design) -> Iterator[Measure]:
    """Downlink over uplink capacity of the fullest switch of each tier that has one above [1]; 1 is non-blocking.

    Source: capacity entering a tier from below over capacity leaving it upward, per switch, the worst one reported.
    """
    for fabric in design.fabrics.values():
        for tier in fabric.tiers:
            down = [(b, 1) for b in design.of(fabric.name) if b.b.group == tier and b.field_cabled]
            up = [(b, 0) for b in design.of(fabric.name) if b.a.group == tier]
            if down and up and design.groups[tier].count:
                ratio, method = _worst(design, design.groups[tier], down, up)
                yield Measure("oversubscription", tier, float(ratio), "1", method)


def _worst(design: Design, group: DeviceGroup, down: list[tuple[Join, int]], up: list[tuple[Join, int]]) -> tuple[Fraction, str]:
    if all(_regular(design, b) for b, _ in (*down, *up)):
        (low, said_down), (high, said_up) = (_each(design, ends) for ends in (down, up))
        return low / high, f"{said_down} down / {said_up} up, every switch alike"
    import numpy as np

    from dcgen.design.columns import columns, device_ids

    size, ids = prod(group.rulers.values()), device_ids(group)
    low_gbps, high_gbps = np.zeros(size), np.zeros(size)
    for ends, out in ((down, low_gbps), (up, high_gbps)):
        for join, side in ends:
            c = columns(design, join)
            out += np.bincount(c.b if side else c.a, minlength=size) * join.rate_gbps
    d, u = low_gbps[ids], high_gbps[ids]
    cut_off = int(((u == 0) & (d > 0)).sum())
    ratio = np.divide(d, u, out=np.zeros_like(d), where=u > 0)
    worst = int(ratio.argmax())
    said = f"worst of {len(ids):,} switches: {d[worst]:g} Gb/s down / {u[worst]:g} Gb/s up"
    return Fraction(d[worst]) / Fraction(u[worst] or 1), said + (f"; {cut_off} more have no uplink at all" if cut_off else "")


def _each(design: Design, ends: list[tuple[Join, int]]) -> tuple[Fraction, str]:
    """Capacity of one switch over these ends [Gb/s], and the sum in words."""
    ports = [(ports_needed(design, b, side), b.rate_gbps) for b, side in ends]
    return sum((n * Fraction(str(rate)) for n, rate in ports), Fraction(0)), " + ".join(f"{n} × {rate:g}G" for n, rate in ports)


def _regular(design: Design, join: Join) -> bool:
    a, b = (design.groups[e.group] for e in join.ends)
    holed = a.absent or b.absent or join.gone or join.a.spread or join.b.spread or join.a.where or join.b.where
    ragged = any(
        size % join.sizes[names[-1]]
        for g, e in ((a, join.a), (b, join.b))
        for axis, names in e.view.items()
        if len(names) > 1
        for size in [g.sizes[axis]]
    )
    return not holed and not ragged


def bisection(design: Design) -> Iterator[Measure]:
    """Least capacity between two equal halves of a fabric's node ports, one direction [Gb/s].

    The halves are cut along each axis of the nodes in turn, and the least is given with its axis; nodes never carry transit,
    because every port is a vertex of its own. An exact maximum flow on settled cells. It says how much fits through the middle,
    not how much every pattern of traffic gets.
    """
    for name, fabric in design.fabrics.items():
        bundles = [b for b in design.of(name) if b.field_cabled]
        nodes = {b.a.group for b in bundles if design.groups[b.a.group].role == "node"}
        if not fabric.field_cabled or len(nodes) != 1 or len({b.a.block.name for b in bundles if b.a.group in nodes}) != 1:
            continue
        group = design.groups[next(iter(nodes))]
        found = [
            (gbps, axis, engine)
            for axis, boxes in halves(group)
            if (flow := _flow(design, bundles, group, boxes))
            for gbps, engine in [flow]
        ]
        if found:
            gbps, axis, engine = min(found, key=lambda f: f[0])
            yield Measure(
                "bisection", name, _whole(gbps), "gbps", f"maximum flow between halves along {axis}, the least of {len(found)}, on {engine}"
            )


def _whole(x: float) -> float | int:
    return int(x) if x == int(x) else x


def halves(group: DeviceGroup) -> Iterator[tuple[str, list[Box]]]:
    """For each axis, boxes that hold the first half of the group when that axis is the major one (absent devices not counted)."""
    for axis in group.axes:
        if axis.size > 1:
            others = [a for a in group.axes if a.name != axis.name]
            yield axis.name, _first_half([axis.name, *(a.name for a in others)], dict(group.full))


def _first_half(order: list[str], box: Box) -> list[Box]:
    """The lexicographically first half of a box; an odd middle coordinate is halved along the next axis."""
    if not order:
        return []
    r = box[order[0]]
    middle = r.start + len(r) // 2
    out = [{**box, order[0]: range(r.start, middle)}] if middle > r.start else []
    if len(r) % 2:
        out += _first_half(order[1:], {**box, order[0]: range(middle, middle + 1)})
    return out


def _flow(design: Design, bundles: list[Join], group: DeviceGroup, boxes: list[Box]) -> tuple[float, str] | None:
    import networkx as nx

    from dcgen.design.graph import cell_graph

    ported, joins, ports = by_port(design, bundles)
    if len(ports) != 1:
        return None
    extra = {a.name: range(a.size) for a in ported.groups[ports[0]].axes if a.name not in group.sizes}
    graph, engine = cell_graph(ported, joins, {ports[0]: [{**box, **extra} for box in boxes]})
    for vertex, data in list(graph.nodes(data=True)):
        if data["group"] == ports[0]:
            graph.add_edge("first half" if data["boxes"] else "second half", vertex)
    if "first half" not in graph or "second half" not in graph:
        return None
    return nx.maximum_flow_value(graph, "first half", "second half", capacity="gbps"), engine


def ports_used(design: Design) -> Iterator[Measure]:
    """Ports that links occupy, and cages in a switch, per group of switches [1]."""
    for name, group in design.groups.items():
        ends = [(b, side) for b in design.bundles for side, e in enumerate(b.ends) if e.group == name and b.field_cabled]
        if not ends or group.tier == 0 or not group.count:
            continue
        used = sum(links(design, b) for b, _ in ends)
        yield Measure("ports_used", name, used, "1", " + ".join(f"{links(design, b):,} of {b.name}" for b, _ in ends))
        total = 0
        for block in dict.fromkeys(b.ends[s].block.name for b, s in ends):
            split = max(b.ends[s].block.split for b, s in ends if b.ends[s].block.name == block)
            total += design.part(name).port_groups()[block].cages * split
        yield Measure("ports", name, total * group.count, "1", f"{group.count:,} switches × {total} ports as they are run")
