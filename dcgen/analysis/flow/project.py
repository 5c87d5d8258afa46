"""A fabric as its terminals see it: accelerators, each with its own NIC ports, where a node's ports divide among them; else nodes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import prod
from typing import Literal, TypeAlias

from dcgen.design.model import Axis, Block, Design, DeviceGroup, End, Join, Table
from dcgen.design.wiring import agreed, port_orders
from dcgen.parts import Node

ScaleUp: TypeAlias = Literal["unused", "direct", "relay"]
"""What the links between the accelerators of a domain do: nothing; carry what stays in the domain; also pass on for others."""

UNBOUND = 1000
"""How many times faster than its NIC ports the links inside a node are taken to be, where the part does not state them."""


@dataclass(frozen=True)
class Projection:
    """Groups and bundles of the question.

    `terminals` are the groups that send and receive unless a demand says otherwise, `hosts` those that carry nothing for others,
    `relays` hosts that do; `owner` is terminal group -> group of the design, `each` what one terminal is. `notes` are assumptions.
    """

    design: Design
    joins: tuple[Join, ...]
    terminals: tuple[str, ...]
    hosts: frozenset[str]
    relays: frozenset[str]
    owner: dict[str, str]
    each: str
    notes: tuple[str, ...] = ()
    fabric: str = ""
    scale_up: ScaleUp = "unused"


def project(design: Design, fabric: str, scale_up: ScaleUp = "unused") -> Projection:
    """The bundles of a fabric, with accelerators as terminals where that is possible, and their scale-up links if they are used."""
    joins = design.of(fabric)
    below = list(dict.fromkeys(e.group for b in joins for e in b.ends if e.group not in design.fabrics[fabric].tiers))
    groups, out, owner = dict(design.groups), list(joins), {n: n for n in below}
    counts, notes = {}, []
    for name in below:
        split = _per_accelerator(design, name, [b for b in joins if name in (b.a.group, b.b.group)])
        if split is None:
            continue
        gpu, ported = split
        groups[gpu.name] = gpu
        owner = {(gpu.name if n == name else n): o for n, o in owner.items()}
        out = [ported.get(b.name, b) for b in out]
        counts[name] = gpu.name
    nodes = tuple(n for n, o in owner.items() if isinstance(p := design.part(o), Node) and p.accelerators) or tuple(owner)
    if scale_up != "unused":
        for group, switches, join in _domains(design, {n: owner[n] for n in nodes}, groups, out):
            groups |= {g.name: g for g in (group, switches) if g is not None}
            out.append(join)
            if join.layer == "inside":
                notes.append(f"links inside a {owner[join.a.group]} are taken as unlimited: its part does not state them")
    joined = {e.group for b in joins if b.pairs is not None and {b.a.group, b.b.group} <= set(below) for e in b.ends}
    relays = joined | (set(nodes) if scale_up == "relay" else set())
    each = "accelerator" if all(n in counts.values() or _one(design, owner[n]) for n in nodes) else "node"
    hosts = frozenset(owner)
    return Projection(
        replace(design, groups=groups), tuple(out), nodes, hosts, frozenset(relays), owner, each, tuple(notes), fabric, scale_up
    )


def _one(design: Design, group: str) -> bool:
    part = design.part(group)
    return isinstance(part, Node) and part.accelerators == 1


def _per_accelerator(design: Design, name: str, joins: list[Join]) -> tuple[DeviceGroup, dict[str, Join]] | None:
    """The accelerators of a group of nodes, and its bundles with them in its place; None where ports do not divide among them."""
    part, node = design.part(name), design.groups[name]
    if not isinstance(part, Node) or part.accelerators < 2:
        return None
    axes: dict[str, int] | None = None
    made: dict[str, Join] = {}
    for join in joins:
        ports = part.port_groups().get(join.a.block.name)
        found = _read_ports(design, join, dict(ports.axes)) if ports and join.a.group == name != join.b.group else None
        mine = _accelerator_axes(dict(ports.axes) if ports else {}, part.accelerators)
        if found is None or mine is None or (axes is not None and mine != axes):
            return None
        axes = mine
        made[join.name] = _ported(design, join, f"{name}.gpu", {a: found[a] for a in axes}, node)
    if axes is None:
        return None
    more = tuple(Axis(_own(a, node), n) for a, n in axes.items())
    return replace(node, name=f"{name}.gpu", axes=(*node.axes, *more), role="port"), made


def _own(axis: str, node: DeviceGroup) -> str:
    return f"{axis}." if axis in node.sizes else axis


def _accelerator_axes(axes: dict[str, int], accelerators: int) -> dict[str, int] | None:
    """The axes of ports that tell accelerators apart: the first of them, else the last, else any, that multiply to their number."""
    names = list(axes)
    chosen = [names[:i] for i in range(1, len(names) + 1)] + [names[i:] for i in range(1, len(names))]
    chosen += [list(c) for n in range(1, len(names)) for c in combinations(names, n)]
    return next(({a: axes[a] for a in c} for c in chosen if prod(axes[a] for a in c) == accelerators), None)


def _read_ports(design: Design, join: Join, axes: Mapping[str, int]) -> dict[str, tuple[str, ...]] | None:
    """The digits of a bundle's port number by axis of the ports; None unless it serves them all, each axis in whole digits."""
    if join.pairs is not None or join.a.spread is not None or join.a.block.first:
        return None
    a, b, size = agreed(design, join)
    digits = list(port_orders(join, a, b)[0])
    out = {}
    for axis, n in axes.items():
        taken: list[str] = []
        while digits and prod(size[d] for d in taken) < n:
            taken.append(digits.pop(0))
        if prod(size[d] for d in taken) != n:
            return None
        out[axis] = tuple(taken)
    return None if digits else out


def _ported(design: Design, join: Join, name: str, read: Mapping[str, tuple[str, ...]], node: DeviceGroup) -> Join:
    """The bundle with accelerators at its lower end; what tells the ports of one apart stays a way, or the switch's own digit."""
    a, b, size = agreed(design, join)
    order_b = port_orders(join, a, b)[1]
    mine = [d for digits in read.values() for d in digits]
    view = {**join.a.view, **{_own(axis, node): digits for axis, digits in read.items() if digits != (_own(axis, node),)}}
    lane = getattr(join.b.spread, "lane", "")
    order_b = tuple(d for d in order_b if d != lane)
    return replace(
        join,
        a=replace(join.a, group=name, view=view, order=None),
        b=replace(join.b, order=order_b),
        on=(*join.on, *(d for d in mine if d in b)),
        ways={w: n for w, n in join.ways.items() if w not in mine},
        sizes={**join.sizes, **{d: size[d] for d in mine}},
    )


def _domains(
    design: Design, owner: Mapping[str, str], groups: Mapping[str, DeviceGroup], joins: list[Join]
) -> Iterator[tuple[DeviceGroup | None, DeviceGroup | None, Join]]:
    """Per group of terminals the bundles of its scale-up domain; a switch inside each node where the design describes none."""
    for name, node in owner.items():
        part = design.part(node)
        accelerators = part.accelerators if isinstance(part, Node) else 0
        factory = [b for b in design.bundles if b.a.group == node and b.fabric in design.fabrics and _scale_up(design, b)]
        for join in factory:
            yield None, None, _to_domain(join, groups[name], groups[node], accelerators)
            yield from ((None, None, b) for b in design.of(join.fabric) if b.a.group == b.b.group == join.b.group)
        if not factory and accelerators > 1 and name != node:
            rate = max((b.rate_gbps for b in joins if b.a.group == name), default=1) * UNBOUND
            inside = replace(groups[node], name=f"{node}.inside", role="scale-up")
            ends = End(name, Block("inside"), {a.name: (f"{a.name}.gpu",) for a in groups[name].axes if a.name not in inside.sizes})
            on = tuple(a.name for a in inside.axes)
            yield None, inside, Join(f"{node}.inside/links", ends, End(inside.name, Block("inside")), on, rate_gbps=rate, layer="inside")


def _scale_up(design: Design, join: Join) -> bool:
    return design.fabrics[join.fabric].kind == "scale-up" and not isinstance(join.pairs, Table)


def _to_domain(join: Join, terminal: DeviceGroup, node: DeviceGroup, accelerators: int) -> Join:
    """A scale-up bundle with accelerators at its lower end: the way that numbers them becomes their axes."""
    if terminal.name == node.name:
        return join
    ways = {w: n for w, n in join.ways.items() if w != "accelerator"}
    more = [a for a in terminal.axes if a.name not in node.sizes]
    view = {**join.a.view, **{a.name: (f"{a.name}.gpu",) for a in more}}
    lower = replace(join.a, group=terminal.name, view=view, order=None)
    return replace(join, a=lower, b=replace(join.b, order=None), ways=ways)
