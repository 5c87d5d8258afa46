"""Which transceivers and which cable a bundle is made of, as long as no hall measures its length."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from dcgen.design import Media
from dcgen.parts import Cable, Optic, Part, Ports


@dataclass
class Shelf:
    """The transceivers and cables there are; only those that mention a cage or connector are opened when a bundle asks for it.

    Both come in the order of choice: the shortest sufficient reach, then one with a part number, then by name.
    """

    mentioning: Callable[[str, str], Iterator[Part]]
    _optics: dict[str, list[Optic]] = field(default_factory=dict)
    _cables: dict[str, list[Cable]] = field(default_factory=dict)

    def optics(self, cage: str) -> list[Optic]:
        """Transceivers that fit a cage."""
        if cage not in self._optics:
            found = [p for p in self.mentioning("optic", cage) if isinstance(p, Optic) and cage in p.fits]
            self._optics[cage] = sorted(found, key=lambda p: (p.reach_m.value, p.part_number is None, p.part))
        return self._optics[cage]

    def cables(self, end: str) -> list[Cable]:
        """Cables whose plug fits a cage, or that end in a connector."""
        if end not in self._cables:
            found = [p for p in self.mentioning("cable", end) if isinstance(p, Cable) and end in (*p.fits, p.connector)]
            self._cables[end] = sorted(found, key=lambda p: (p.reach_m.value, not any(x.part_number for x in p.lengths), p.part))
        return self._cables[end]


@dataclass(frozen=True, slots=True)
class Plug:
    """One end of a link: the sockets, how many ports share a cage, and the device's technology."""

    ports: Ports
    split: int
    protocol: str


@dataclass(frozen=True, slots=True)
class _Light:
    """What comes out of an end: an optic, or the faceplate of a co-packaged switch."""

    part: str
    fibre: str
    connector: str
    reach_class: str
    lane_rate_gbps: float
    reach_m: float


def choose(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, length_m: float, medium: str | None) -> tuple[Media, list[Part]]:
    """The media of a bundle and the parts in it; an empty cable, with the reason, when nothing fits."""
    if medium in ("dac", "acc", "aoc") or (a.ports.cage == b.ports.cage == "rj45"):
        return _plugged(shelf, a, b, rate_gbps, length_m, medium or "twisted-pair")
    lights = [list(_lights(shelf, end, rate_gbps, length_m)) for end in (a, b)]
    for end, found in zip((a, b), lights, strict=True):
        if not found:
            return Media("unknown", length_m=length_m, basis="assumed", why=_no_optic(end, rate_gbps, length_m)), []
    pairs = [(x, y) for x in lights[0] for y in lights[1] if _match(x, y)]
    for x, y in sorted(pairs, key=lambda p: max(p[0].reach_m, p[1].reach_m)):
        for cable in shelf.cables(x.connector):
            if (
                cable.medium == "fibre"
                and cable.legs == 1
                and (cable.fibre, cable.connector) == (x.fibre, x.connector)
                and _sold(cable, length_m)
            ):
                parts: list[Part] = [o for end in (a, b) for o in shelf.optics(end.ports.cage) if o.part in (x.part, y.part)]
                why = f"{x.reach_class} over {x.fibre} fibre: the shortest reach that covers {length_m:g} m"
                return Media("fibre", cable.part, (x.part, y.part), _sold(cable, length_m), "assumed", why), [*parts, cable]
    kinds = sorted({f"{x.reach_class} {x.lane_rate_gbps:g}G a lane {x.connector}" for found in lights for x in found})
    return Media(
        "unknown", length_m=length_m, basis="assumed", why=f"no pair of optics and fibre meets for {length_m:g} m: {'; '.join(kinds)}"
    ), []


def _sold(cable: Cable, length_m: float) -> float:
    """The shortest length that is sold and long enough; the length itself where no list is known; 0 beyond the reach."""
    if length_m > cable.reach_m.value:
        return 0.0
    return min((x.length_m for x in cable.lengths if x.length_m >= length_m), default=0.0 if cable.lengths else length_m)


def _lights(shelf: Shelf, end: Plug, rate_gbps: float, length_m: float) -> Iterator[_Light]:
    ports = end.ports
    if ports.optics == "co-packaged":
        if ports.fibre and ports.connector and ports.reach_class and ports.lane_rate_gbps and ports.reach_m:
            yield _Light("", ports.fibre, ports.connector, ports.reach_class, ports.lane_rate_gbps, ports.reach_m)
        return
    for o in shelf.optics(ports.cage):
        fits = o.ports == end.split and o.port_rate_gbps == rate_gbps and end.protocol in o.protocols
        lanes = ports.lane_rate_gbps is None or ports.lane_rate_gbps == o.lane_rate_gbps
        if fits and lanes and o.reach_m.value >= length_m:
            yield _Light(o.part, o.fibre, o.connector, o.reach_class, o.lane_rate_gbps, o.reach_m.value)


def _match(x: _Light, y: _Light) -> bool:
    return (x.fibre, x.connector, x.reach_class, x.lane_rate_gbps) == (y.fibre, y.connector, y.reach_class, y.lane_rate_gbps)


def _no_optic(end: Plug, rate_gbps: float, length_m: float) -> str:
    return f"no transceiver for cage {end.ports.cage}, {end.split} × {rate_gbps:g}G, {end.protocol}, {length_m:g} m"


def _plugged(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, length_m: float, medium: str) -> tuple[Media, list[Part]]:
    """A cable with plugs at both ends."""
    for cable in shelf.cables(a.ports.cage):
        ends: Sequence[str] = (a.ports.cage, b.ports.cage)
        rate = cable.port_rate_gbps is None or cable.port_rate_gbps == rate_gbps
        if cable.medium == medium and set(ends) <= set(cable.fits) and cable.legs == cable.ports == 1 and rate and _sold(cable, length_m):
            return Media(medium, cable.part, ("", ""), _sold(cable, length_m), "assumed", f"{medium} for {length_m:g} m"), [cable]
    why = f"no {medium} cable for {a.ports.cage} to {b.ports.cage}, {rate_gbps:g}G, {length_m:g} m"
    return Media("unknown", length_m=length_m, basis="assumed", why=why), []
