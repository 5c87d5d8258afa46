"""How long a short message travels between two accelerators, over the fabric alone and unloaded."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.analysis.bandwidth import with_terminals
from dcgen.analysis.delay import MEASURED, MESSAGE_BYTES, Hop, fec_ns, propagation_ns, serialization_ns
from dcgen.analysis.model import Measure
from dcgen.analysis.ranks import near_axes
from dcgen.design.model import Design, Join
from dcgen.design.rewrite import by_port
from dcgen.parts import Nic, Node, Switch
from dcgen.units import spoken

SLOWEST_GBPS = 100
"""The measured defaults come from fast fabrics and say nothing of slower ones."""
PERCENTILES = (50, 95, 99)


@dataclass(frozen=True, slots=True)
class Route:
    """Pairs of ports that see the same: where their way turns back, how many switches it passes, what it costs, and from what.

    `light_ns` is the part that nothing can beat; `guesses` are the names of what is estimated or assumed.
    """

    turn: str
    switches: int
    pairs: int
    latency_ns: float
    light_ns: float
    method: str
    guesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Routes:
    """All kinds of ways of a fabric, shortest time first; pairs inside a node or scale-up domain are `local`, the rest is `apart`."""

    kinds: tuple[Route, ...]
    local: int
    apart: int


def latency(design: Design) -> Iterator[Measure]:
    """Time of a 64-byte message, one way, unloaded, between accelerators that do not share a node or scale-up domain [ns].

    For each tier at which ways turn back, and over all pairs of ports that reach each other: mean, median, 95 and 99 of 100,
    longest; `latency(backend, p99, one_way) <= 5 us` asks for one, `rtt` for twice that. `propagation` is the part of the longest
    that is light in glass, which no hardware shortens. The way is a shortest one, and of several the dearest. Added up: both ends,
    every switch, every cable's length, error correction at receivers, and the message once, since switches cut through. A switch
    or network card whose latency nobody published takes the measured default, 0.45 us per switch hop on InfiniBand and 1 us on
    Ethernet, 2.35 and 2.6 us for both ends with their software. Those hold error correction and a cable of unstated length; the
    cables of the design are added nonetheless, so the sum is rather too long. Queues are not modelled. Fabrics below 100 Gb/s, and
    designs too irregular to walk, have no such measure.
    Source: length x 1.4682 / c for fibre; RS(544,514) for correction (IEEE 802.3); defaults from arXiv 2505.09343, Table 5, within
    20 %.
    """
    for name in design.fabrics:
        found = routes(design, name)
        if found is None or not found.kinds:
            continue
        yield from _by_turn(found)
        yield from _over_pairs(name, found)


def routes(design: Design, name: str) -> Routes | None:
    """The kinds of ways through a fabric; None where there are none, or where looking for them would take minutes."""
    from dcgen.design.ways import ways

    fabric = design.fabrics[name]
    bundles = with_terminals(design, fabric)
    if not fabric.field_cabled or not fabric.tiers or not bundles or any(b.rate_gbps < SLOWEST_GBPS for b in bundles):
        return None
    ported, joins, ports = by_port(design, bundles)
    near = {g: near_axes(design.groups[g]) for g in ports.values()}
    cost = {b.name: _light_ns(b) + fec_ns(b.rate_gbps) for b in joins}
    found = ways(ported, joins, ports, near, cost)
    if found is None:
        return None
    by_name = {b.name: b for b in joins}
    kinds = [_route(ported, start, [by_name[b] for b in links], pairs) for (start, links), pairs in found.pairs.items()]
    return Routes(tuple(sorted(kinds, key=lambda r: (r.latency_ns, r.turn))), found.local, found.apart)


def _light_ns(join: Join) -> float:
    media = join.longest
    return propagation_ns(media.length_m, media.medium) if media else 0.0


def _route(design: Design, start: str, links: list[Join], pairs: int) -> Route:
    """One kind of way, from a port over these links to another port."""
    at, passed = start, []
    for join in links:
        at = join.b.group if join.a.group == at else join.a.group
        passed.append(at)
    switches = passed[:-1]
    terms: list[tuple[str, float]] = []
    guesses: list[str] = []
    measured = MEASURED["infiniband" if any(_infiniband(design, g) for g in switches) else "ethernet"]
    terms.append(_ends(design, start, passed[-1], links, measured, guesses))
    corrected = 0.0
    for join, group in zip(links, switches, strict=False):
        part = design.part(group)
        figure = part.latency_ns if isinstance(part, Switch) else None
        if figure is None or figure.estimate:
            guesses.append(part.part)
        terms.append((f"{group} by its part", figure.value) if figure else (f"{group} by the measured default", measured.switch_ns))
        corrected += fec_ns(join.rate_gbps) if figure else 0.0
    terms.append(("error correction", corrected))
    light = sum(_light_ns(b) for b in links)
    guesses += [b.name for b in links if b.longest is None or b.longest.basis not in ("stated", "routed")]
    metres = sum(b.longest.length_m for b in links if b.longest)
    terms.append((f"{metres:g} m of cable", light))
    terms.append((f"{MESSAGE_BYTES} B once", serialization_ns(MESSAGE_BYTES, min(b.rate_gbps for b in links))))
    turn = max(switches, key=lambda g: design.groups[g].tier) if switches else start
    method = " + ".join(f"{what} {spoken(round(ns, 3), 'ns')}" for what, ns in terms if ns)
    return Route(turn, len(switches), pairs, sum(ns for _, ns in terms), light, method, tuple(dict.fromkeys(guesses)))


def _ends(design: Design, first: str, last: str, links: list[Join], measured: Hop, guesses: list[str]) -> tuple[str, float]:
    """What both ends take: the figures of their network cards, or the measured default for the two together."""
    cards = [_card(design, group, join) for group, join in ((first, links[0]), (last, links[-1]))]
    known = [c.latency_ns for c in cards if c and c.latency_ns]
    if len(known) < 2:
        guesses.append("both ends")
        return "both ends by the measured default", measured.ends_ns
    guesses += [c.part for c in cards if c and c.latency_ns and c.latency_ns.estimate]
    return "both ends by their parts", sum(f.value for f in known) + fec_ns(links[-1].rate_gbps)


def _card(design: Design, group: str, join: Join) -> Nic | None:
    """The network card behind a group of ports, where its part is known."""
    end = join.a if join.a.group == group else join.b
    node = design.part(group)
    ports = node.ports.get(end.block.name) if isinstance(node, Node) else None
    card = design.parts.get(ports.nic) if ports and ports.nic else None
    return card if isinstance(card, Nic) else None


def _infiniband(design: Design, group: str) -> bool:
    part = design.part(group)
    return isinstance(part, Switch) and part.fabric == "infiniband"


def _by_turn(found: Routes) -> Iterator[Measure]:
    """The longest way that turns back at each tier."""
    total = sum(r.pairs for r in found.kinds)
    for turn in dict.fromkeys(r.turn for r in found.kinds):
        mine = [r for r in found.kinds if r.turn == turn]
        worst = mine[-1]
        share = spoken(100 * sum(r.pairs for r in mine) / total, "1")
        hops = f"{worst.switches} switch{'es' if worst.switches > 1 else ''}"
        said = f"{hops}, {share} % of pairs: {worst.method}"
        yield Measure("latency_one_way", turn, round(worst.latency_ns, 6), "ns", said, estimates=len(worst.guesses))


def _over_pairs(name: str, found: Routes) -> Iterator[Measure]:
    """Mean, percentiles and the longest over ordered pairs of ports."""
    total, last = sum(r.pairs for r in found.kinds), found.kinds[-1]
    said = f"over {total:,} ordered pairs of ports"
    said += f"; {found.local:,} in one node or scale-up domain left out" if found.local else ""
    said += f"; {found.apart:,} cannot reach each other" if found.apart else ""
    guesses = len({g for r in found.kinds for g in r.guesses})
    mean = sum(r.latency_ns * r.pairs for r in found.kinds) / total
    yield Measure("latency_mean_one_way", name, round(mean, 6), "ns", said, estimates=guesses)
    for word, r in (*((f"p{q}", percentile(found.kinds, q)) for q in PERCENTILES), ("max", last)):
        yield Measure(
            f"latency_{word}_one_way", name, round(r.latency_ns, 6), "ns", f"{said}: over {r.turn}: {r.method}", estimates=guesses
        )
    light = max(found.kinds, key=lambda r: r.light_ns)
    guesses = sum("/" in g for g in light.guesses)
    said = f"light in the cables of the longest way, over {light.turn}: nothing is faster"
    yield Measure("propagation_max_one_way", name, round(light.light_ns, 6), "ns", said, estimates=guesses)


def percentile(kinds: tuple[Route, ...], q: int) -> Route:
    """The first kind of way whose latency so many of 100 pairs do not exceed; `kinds` are in order of latency."""
    total, so_far = sum(r.pairs for r in kinds), 0
    for r in kinds:
        so_far += r.pairs
        if 100 * so_far >= q * total:
            return r
    raise AssertionError("percentiles are of 100")
