"""Capacity per tier and across the middle, in closed form or by flow on cells."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, DeviceGroup, Fabric, Join
from dcgen.design.region import Box
from dcgen.design.rewrite import by_port
from dcgen.design.sockets import splits
from dcgen.design.wiring import links, ports_needed
from dcgen.parts import Node

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]


def oversubscription(design: Design) -> Iterator[Measure]:
    """Downlink over uplink capacity of the fullest switch of each tier that has one above [1]; 1 is non-blocking.

    Where a switch has no uplink left there is no ratio; the rule `oversubscribed` says so.
    Source: capacity entering a tier from below over capacity leaving it upward, per switch, the worst one reported.
    """
    for tier in (t for f in design.fabrics.values() for t in f.tiers):
        down, up = _across(design, tier)
        if not (down and up and design.groups[tier].count):
            continue
        if all(_regular(design, b) for b, _ in (*down, *up)):
            (low, said_down), (high, said_up) = (_each(design, ends) for ends in (down, up))
            yield Measure("oversubscription", tier, float(low / high), "1", f"{said_down} down / {said_up} up, every switch alike")
            continue
        low_gbps, high_gbps = _loads(design, tier, down, up)
        if not ((high_gbps == 0) & (low_gbps > 0)).any():
            ratio = low_gbps / high_gbps.clip(min=1e-9)
            at = int(ratio.argmax())
            said = f"worst of {len(ratio):,} switches: {low_gbps[at]:g} Gb/s down / {high_gbps[at]:g} Gb/s up"
            yield Measure("oversubscription", tier, float(ratio[at]), "1", said)


def cut_off(design: Design, tier: str) -> int:
    """Switches of a tier that serve something and have no uplink, though the tier has a tier above it."""
    down, up = _across(design, tier)
    if not (down and up):
        return 0
    low_gbps, high_gbps = _loads(design, tier, down, up)
    return int(((high_gbps == 0) & (low_gbps > 0)).sum())


def _across(design: Design, tier: str) -> tuple[list[tuple[Join, int]], list[tuple[Join, int]]]:
    """(bundle, side of the tier) of what comes from below and of what goes upward; links inside the tier are neither."""
    across = [b for b in design.of(design.groups[tier].fabric) if b.a.group != b.b.group and b.field_cabled]
    return [(b, 1) for b in across if b.b.group == tier], [(b, 0) for b in across if b.a.group == tier]


def _loads(design: Design, tier: str, down: list[tuple[Join, int]], up: list[tuple[Join, int]]) -> "tuple[Floats, Floats]":
    """Capacity from below and upward of every switch of a tier that exists [Gb/s]."""
    import numpy as np

    from dcgen.design.columns import columns, device_ids

    group = design.groups[tier]
    size, ids = prod(group.rulers.values()), device_ids(group)
    low_gbps, high_gbps = np.zeros(size), np.zeros(size)
    for ends, out in ((down, low_gbps), (up, high_gbps)):
        for join, side in ends:
            c = columns(design, join)
            out += np.bincount(c.b if side else c.a, minlength=size) * join.rate_gbps
    return low_gbps[ids], high_gbps[ids]


def _each(design: Design, ends: list[tuple[Join, int]]) -> tuple[Fraction, str]:
    """Capacity of one switch over these ends [Gb/s], and the sum in words."""
    ports = [(ports_needed(design, b, side), b.rate_gbps) for b, side in ends]
    return sum((n * Fraction(str(rate)) for n, rate in ports), Fraction(0)), " + ".join(f"{n} × {rate:g}G" for n, rate in ports)


def _regular(design: Design, join: Join) -> bool:
    a, b = (design.groups[e.group] for e in join.ends)
    holed = a.absent or b.absent or join.gone or join.pairs or join.a.spread or join.b.spread or join.a.where or join.b.where
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

    The halves are cut along each axis of the nodes in turn, and the least is given with its axis; where switches join the nodes,
    these never carry transit, because every port is a vertex of its own. An exact maximum flow on settled cells. It says how much
    fits through the middle, not how much every pattern of traffic gets.
    """
    for name, fabric in design.fabrics.items():
        bundles = with_terminals(design, fabric)
        if not fabric.field_cabled or not bundles:
            continue
        ported, joins, ports = by_port(design, bundles)
        owner = ports or {g: g for b in joins for g in (b.a.group,)}
        terminals = [ported.groups[p] for p in owner]
        axes = list(dict.fromkeys(a.name for node in owner.values() for a in design.groups[node].axes if a.size > 1))
        found = _flows(ported, joins, {axis: {g.name: _first_half(g, axis) for g in terminals} for axis in axes})
        if found:
            gbps, axis, engine = min(found, key=lambda f: f[0])
            yield Measure(
                "bisection", name, _whole(gbps), "gbps", f"maximum flow between halves along {axis}, the least of {len(found)}, on {engine}"
            )


def with_terminals(design: Design, fabric: Fabric) -> list[Join]:
    """The fabric's bundles, with those of nodes that compute; other endpoints carry no transit and are left out.

    Without nodes that compute there are no halves to speak of.
    """
    bundles = [b for b in design.of(fabric.name) if b.field_cabled]
    below = {b.a.group for b in bundles if b.a.group not in fabric.tiers}
    computing = {g for g in below if isinstance(p := design.part(g), Node) and p.accelerators}
    return [b for b in bundles if b.a.group not in below - computing] if computing else []


def _whole(x: float) -> float | int:
    return int(x) if x == int(x) else x


def _first_half(group: DeviceGroup, axis: str) -> list[Box]:
    """Boxes of the first half of a group when one axis is the major one, absent devices not counted.

    A group that has not got the axis is halved along its own first one.
    """
    sizes = [a for a in group.axes if a.size > 1]
    first = axis if axis in group.sizes and group.sizes[axis] > 1 else next((a.name for a in sizes), "")
    return _half([first, *(a.name for a in group.axes if a.name != first)] if first else [], dict(group.full))


def _half(order: list[str], box: Box) -> list[Box]:
    """The lexicographically first half of a box; an odd middle coordinate is halved along the next axis."""
    if not order:
        return []
    r = box[order[0]]
    middle = r.start + len(r) // 2
    out = [{**box, order[0]: range(r.start, middle)}] if middle > r.start else []
    if len(r) % 2:
        out += _half(order[1:], {**box, order[0]: range(middle, middle + 1)})
    return out


def _flows(design: Design, bundles: tuple[Join, ...], halves: dict[str, dict[str, list[Box]]]) -> list[tuple[float, str, str]]:
    """(maximum flow [Gb/s], axis, engine) for every way to halve the terminals that leaves something in both halves."""
    import networkx as nx

    from dcgen.design.graph import cell_graphs

    found = []
    for (axis, boxes), (graph, engine) in zip(halves.items(), cell_graphs(design, bundles, halves.values()), strict=True):
        for vertex, data in list(graph.nodes(data=True)):
            if data["group"] in boxes:
                graph.add_edge("first half" if data["boxes"] else "second half", vertex)
        if "first half" in graph and "second half" in graph:
            found.append((nx.maximum_flow_value(graph, "first half", "second half", capacity="gbps"), axis, engine))
    return found


def ports_used(design: Design) -> Iterator[Measure]:
    """Ports that links occupy, and cages in a switch, per group of switches [1]."""
    for name, group in design.groups.items():
        ends = [(b, side) for b in design.bundles for side, e in enumerate(b.ends) if e.group == name and b.field_cabled]
        if not ends or group.tier == 0 or not group.count:
            continue
        number = Counter(b.name for b, _ in ends)
        of = {b.name: links(design, b) * number[b.name] for b, _ in ends}
        yield Measure("ports_used", name, sum(of.values()), "1", " + ".join(f"{n:,} of {bundle}" for bundle, n in of.items()))
        total = sum(sum(splits(design, name, block)) for block in dict.fromkeys(b.ends[s].block.name for b, s in ends))
        yield Measure("ports", name, total * group.count, "1", f"{group.count:,} switches × {total} ports as they are run")
