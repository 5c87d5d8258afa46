"""What can fail in a design, class by class: how many, how often, and by whose word."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, exp, lgamma, log, prod, sqrt

from dcgen.analysis.inventory import inventory
from dcgen.analysis.ranks import fastest
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.wiring import agreed, links, ports_needed
from dcgen.parts import Figure, Node, Part, Switch, SwitchTray

HOURS_A_YEAR = 8760
HOUR_NS = 3600e9
FIT_HOURS = 1e9
"""Device-hours that FIT counts failures in."""
OF_ONE_CARD = ("plane", "port")
"""Axes of node ports that tell the ports of one network card apart."""
CLASSES = ("accelerators", "nodes", "nics", "optics", "cables", "switches", "rest")


@dataclass(frozen=True, slots=True)
class Exposure:
    """So many alike things, of one class and part; `rate_fit` is None where nobody says.

    `vital` of them stop a job that runs on everything when they break; `lead_ns` is the part's own lead time.
    """

    kind: str
    part: str
    count: int
    rate_fit: float | None
    estimate: bool
    source: str
    where: str
    vital: int = 0
    lead_ns: float | None = None

    @property
    def per_hour(self) -> float:
        """Failures of all of them in an hour; 0 where unknown."""
        return self.count * (self.rate_fit or 0.0) / FIT_HOURS

    def spares(self, lead_ns: float, level: float) -> int | None:
        """Pieces on the shelf that last until more arrive, with this probability; None where the rate is unknown.

        `lead_ns` is for parts that have no lead time of their own.
        """
        lead = lead_ns if self.lead_ns is None else self.lead_ns
        return None if self.rate_fit is None else spares(self.per_hour * lead / HOUR_NS, level)

    def unavailability(self, repair_ns: float) -> float | None:
        """Share of its life that one waits for repair: repair over repair and time between failures."""
        if self.rate_fit is None:
            return None
        broken = repair_ns / HOUR_NS * self.rate_fit / FIT_HOURS
        return broken / (1 + broken)


def exposures(design: Design) -> tuple[Exposure, ...]:
    """Everything that is bought, and what sits inside it, by class; lines of one part and class are one."""
    found: dict[tuple[str, str], Exposure] = {}
    for e in (*_bought(design), *_inside_nodes(design), *_inside_switches(design)):
        before = found.get((e.kind, e.part))
        if before:
            where = "; ".join(dict.fromkeys((before.where, e.where)))
            e = replace(before, count=before.count + e.count, vital=before.vital + e.vital, where=where)
        found[e.kind, e.part] = e
    order = {c: i for i, c in enumerate(CLASSES)}
    return tuple(sorted((e for e in found.values() if e.count), key=lambda e: order[e.kind]))


def _bought(design: Design) -> Iterator[Exposure]:
    critical = set(critical_bundles(design))
    places = {g.name for g in computing_groups(design)} | {b.b.group for b in design.bundles if b.name in critical}
    places |= {word for b in design.bundles if b.name in critical for word in (b.name, *(f"{b.name}@{e.group}" for e in b.ends))}
    places |= {f"{b.name}@{b.a.group}" for b in _first_links(design) if shares_cage(design, b)}
    for item in inventory(design):
        part = design.parts[item.part]
        if item.role == "rack":
            continue
        kind = {"compute": "nodes", "network": "switches", "optics": "optics", "cable": "cables"}.get(item.role, "rest")
        stops = item.where in places or isinstance(part, SwitchTray)
        yield _of(part, _rate(part), kind, part.part, item.quantity, item.where, stops)


def _inside_nodes(design: Design) -> Iterator[Exposure]:
    for group in design.groups.values():
        node = design.part(group.name)
        if not isinstance(node, Node) or not group.count:
            continue
        if node.accelerators:
            part = design.parts.get(node.accelerator or "")
            name = node.accelerator or f"accelerator of {node.part}"
            yield _of(part, _rate(part), "accelerators", name, group.count * node.accelerators, group.name, True)
        network = fastest(design, [group])
        for block, ports in node.ports.items():
            if ports.nic is None:
                continue
            part = design.parts.get(ports.nic)
            number = prod(n for axis, n in ports.axes.items() if axis not in OF_ONE_CARD)
            used = any(b.a.group == group.name and b.a.block.name == block for b in design.of(network)) if network else False
            yield _of(part, _rate(part), "nics", ports.nic, group.count * number, group.name, used)


def _inside_switches(design: Design) -> Iterator[Exposure]:
    """Co-packaged ports that a link ends on, and the lasers that feed them."""
    critical = set(critical_bundles(design))
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            part = design.part(end.group)
            ports = part.port_groups().get(end.block.name)
            if isinstance(part, Switch) and ports and ports.optics == "co-packaged" and join.field_cabled:
                where = f"{join.name}@{join.ends[side].group}"
                yield _of(part, part.port_failure_rate_fit, "optics", co_packaged(part), links(design, join), where, join.name in critical)
    for group in design.groups.values():
        part = design.part(group.name)
        if isinstance(part, Switch) and part.lasers and group.count:
            laser = design.parts.get(part.lasers.part or "")
            name = part.lasers.part or f"{part.part} laser module"
            yield _of(laser, _rate(laser), "optics", name, group.count * part.lasers.modules, group.name, False)


def _rate(part: Part | None) -> Figure | None:
    return part.failure_rate_fit if part else None


def _of(part: Part | None, figure: Figure | None, kind: str, name: str, count: int, where: str, stops: bool) -> Exposure:
    if part is None or figure is None:
        return Exposure(kind, name, count, None, False, "", where, count * stops)
    source = part.sources.get(figure.source or part.source or "")
    lead = part.lead_time_ns.value if part.lead_time_ns else None
    return Exposure(kind, name, count, figure.value, figure.estimate, source.title if source else "", where, count * stops, lead)


def computing_groups(design: Design) -> list[DeviceGroup]:
    """Groups of nodes that have accelerators."""
    return [g for g in design.groups.values() if g.count and isinstance(p := design.part(g.name), Node) and p.accelerators]


def critical_bundles(design: Design) -> list[str]:
    """Bundles of nodes whose every link is the only way of its network card: what breaks there stops a job."""
    return [b.name for b in _first_links(design) if homes(design, b) == 1]


def _first_links(design: Design) -> Iterator[Join]:
    """Links between nodes with accelerators and the first switches of the network that joins them, most capacity first."""
    for group in computing_groups(design):
        network = fastest(design, [group])
        mine = [b for b in design.of(network) if b.a.group == group.name and b.b.group != group.name] if network else []
        yield from sorted(mine, key=lambda b: -ports_needed(design, b, 0) * b.rate_gbps)


def homes(design: Design, join: Join) -> int:
    """Switches that the ports of one network card go to, by the axes that tell its ports apart and that the switches have too."""
    ports = design.part(join.a.group).port_groups().get(join.a.block.name)
    _, above, size = agreed(design, join)
    return prod(min(n, size[axis]) for axis, n in (ports.axes if ports else {}).items() if axis in OF_ONE_CARD and axis in above)


def shares_cage(design: Design, join: Join) -> bool:
    """Whether the ports of one network card leave through one transceiver, so that it is a part of the card."""
    ports = design.part(join.a.group).port_groups().get(join.a.block.name)
    last = list(ports.axes)[-1:] if ports else []
    return join.a.block.split > 1 and bool(last) and last[0] in OF_ONE_CARD


def cut_off(design: Design, among: Iterable[Exposure], repair_ns: float) -> Iterator[tuple[str, float, int, int]]:
    """Per fabric (name, accelerators that have lost it at a moment on average, parts without a rate, fewest homes of a card).

    With one home any of card, link and leaf is enough; with more, the card, or all of its ways together.
    """
    rates = {(e.kind, e.part): e.unavailability(repair_ns) for e in among}
    main = {b.a.group: b for b in reversed([*_first_links(design)])}
    for fabric in dict.fromkeys(b.fabric for b in main.values()):
        number, unknown, fewest = 0.0, 0, []
        for join in (b for b in main.values() if b.fabric == fabric):
            node, n = design.part(join.a.group), homes(design, join)
            assert isinstance(node, Node)
            lost = [[rates.get(key) for key in keys] for keys in _chain(design, join)]
            unknown += sum(u is None for us in lost for u in us)
            card, way = (1 - prod(1 - (u or 0.0) for u in us) for us in lost)
            number += design.groups[join.a.group].count * node.accelerators * (1 - (1 - card) * (1 - way**n))
            fewest.append(n)
        yield fabric, number, unknown, min(fewest)


def _chain(design: Design, join: Join) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(class, part) of the network card, and of what lies between it and its leaf, the leaf included."""
    ports, media = design.part(join.a.group).port_groups().get(join.a.block.name), join.longest
    leaf = design.part(join.b.group)
    near, far_optic = ([("optics", o)] if o else [] for o in (media.optics if media else ("", "")))
    card = ([("nics", ports.nic)] if ports and ports.nic else []) + (near if shares_cage(design, join) else [])
    way = [("switches", leaf.part)] + far_optic + ([] if shares_cage(design, join) else near)
    way += [("cables", media.cable)] if media and media.cable else []
    far = leaf.port_groups().get(join.b.block.name)
    way += [("optics", co_packaged(leaf))] if far and far.optics == "co-packaged" else []
    return card, way


def co_packaged(part: Part) -> str:
    """What the optics of a co-packaged port are called."""
    return f"{part.part} co-packaged port"


def spares(mean: float, level: float) -> int:
    """The least stock that covers a Poisson demand of this mean with this probability.

    >>> spares(10, 0.99), spares(403.2, 0.99)
    (18, 451)
    """
    if mean <= 0:
        return 0
    n = max(0, int(mean - 12 * sqrt(mean) - 12))
    share = exp(n * log(mean) - mean - lgamma(n + 1))
    total = share
    while total < level and n < ceil(mean + 60 * sqrt(mean) + 60):
        n += 1
        share *= mean / n
        total += share
    return n
