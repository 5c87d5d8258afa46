"""Who takes part in a collective: how many ranks, in how many scale-up domains, at which rates and which distance."""

from dataclasses import dataclass
from math import ceil

from dcgen.design.model import Collective, Design, DeviceGroup
from dcgen.design.ranks import accelerators
from dcgen.design.region import Box, carve, meet, volume
from dcgen.design.wiring import ports_needed
from dcgen.parts import Accelerator, Node, Rack, Switch
from dcgen.parts.collective import Measured


@dataclass(frozen=True, slots=True)
class Ranks:
    """`domain` ranks in each of `domains`; rates of one rank, one direction [Gb/s], None where nobody knows.

    `fabric` is the network between domains, "" where there is none; `even` says that all domains hold as many ranks.
    """

    ranks: int
    domain: int
    domains: int
    inner_gbps: float | None
    outer_gbps: float | None
    fabric: str
    measured: tuple[Measured, ...]
    even: bool


def ranks_of(design: Design, asked: Collective) -> Ranks | None:
    """The ranks of a collective; None where fewer than two are left of it."""
    found = [(g, n) for g, n in accelerators(asked.over, design.groups, design.parts) if n]
    total = sum(n for _, n in found)
    if total < 2:
        return None
    domains = sum(_domains(design, g, [s.box for s in asked.over if s.group == g.name]) for g, _ in found)
    groups = [g for g, _ in found]
    fabric = fastest(design, groups)
    outer = min((_outer_gbps(design, g, fabric) for g in groups), default=0.0) if fabric else 0.0
    inner = [_inner_gbps(design, g) for g in groups]
    known = [r for r in inner if r]
    parts = {p.part: p for g in groups if (p := _accelerator(design, g))}
    measured = tuple(next(iter(parts.values())).collectives) if len(parts) == 1 else ()
    return Ranks(
        total,
        max(1, total // domains),
        domains,
        min(known) if len(known) == len(groups) else None,
        outer or None,
        fabric,
        measured,
        total % domains == 0,
    )


def near_axes(group: DeviceGroup) -> tuple[str, ...]:
    """Axes on which two nodes of one scale-up domain agree: those of the rack that they come in, else all of the node's own."""
    return group.rack_axes if group.inside else tuple(group.sizes)


def _domains(design: Design, group: DeviceGroup, asked: list[Box]) -> int:
    """Scale-up domains that hold at least one of the devices."""
    axes = near_axes(group)
    if not axes:
        return 1
    full: Box = {a: range(group.sizes[a]) for a in axes}
    here = [b for box in group.boxes for want in asked if (b := meet(box, want)) is not None]
    touched = volume(full) - sum(volume(b) for b in carve(full, [{a: b[a] for a in axes} for b in here]))
    rack = design.part(group.inside) if group.inside else None
    return ceil(touched / rack.domain_racks) if isinstance(rack, Rack) else touched


def _accelerator(design: Design, group: DeviceGroup) -> Accelerator | None:
    node = design.part(group.name)
    part = design.parts.get(node.accelerator) if isinstance(node, Node) and node.accelerator else None
    return part if isinstance(part, Accelerator) else None


def _count(design: Design, group: DeviceGroup) -> int:
    node = design.part(group.name)
    return node.accelerators if isinstance(node, Node) else 0


def _inner_gbps(design: Design, group: DeviceGroup) -> float | None:
    """Rate into the scale-up domain: that of the links at the factory, else what the accelerator's part says."""
    wired = [b for b in design.bundles if not b.field_cabled and b.a.group == group.name and b.b.group != group.name]
    if wired:
        return sum(ports_needed(design, b, 0) * b.rate_gbps for b in wired) / _count(design, group)
    part = _accelerator(design, group)
    return part.scale_up_rate_gbps.value if part and part.scale_up_rate_gbps else None


def _outer_gbps(design: Design, group: DeviceGroup, fabric: str) -> float:
    """Rate of a fabric's ports for one accelerator of a node [Gb/s]."""
    mine = [b for b in design.of(fabric) if b.a.group == group.name]
    number = _count(design, group)
    return sum(ports_needed(design, b, 0) * b.rate_gbps for b in mine) / number if number else 0.0


def fastest(design: Design, groups: list[DeviceGroup]) -> str:
    """The fabric that serves all of the groups with most capacity for each accelerator."""
    rates = {name: min(_outer_gbps(design, g, name) for g in groups) for name, f in design.fabrics.items() if f.field_cabled}
    best = max(rates, key=lambda n: rates[n], default="")
    return best if best and rates[best] else ""


def adds_up(design: Design, fabric: str) -> bool:
    """Whether every switch of a fabric can reduce what passes through it."""
    parts = [design.part(t) for t in design.fabrics[fabric].tiers] if fabric else []
    return bool(parts) and all(isinstance(p, Switch) and p.in_network_reduction for p in parts)
