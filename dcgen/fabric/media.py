"""Which transceivers and which cables can join two cages, and which of them is taken for a length."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

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

    optic: Optic | None
    fibre: str
    connector: str
    reach_class: str
    lane_rate_gbps: float
    reach_m: float


@dataclass(frozen=True)
class Option:
    """One way to make a link: a cable, and per end the transceiver in the cage, None where there is none."""

    cable: Cable
    optics: tuple[Optic | None, Optic | None] = (None, None)
    light_m: float = float("inf")
    said: str = ""

    @property
    def medium(self) -> str:
        """What it is made of."""
        return self.cable.medium

    @property
    def reach_m(self) -> float:
        """How far it reaches: as far as the cable and both transceivers do."""
        return min(self.light_m, self.cable.reach_m.value)

    @property
    def per_cable(self) -> int:
        """Links that one cable carries."""
        return self.cable.legs * self.cable.ports

    @property
    def parts(self) -> list[Part]:
        """Everything that is bought for it."""
        return [*(o for o in self.optics if o), self.cable]

    @cached_property
    def names(self) -> tuple[str, str]:
        """The transceivers by name, \"\" where there is none."""
        return (self.optics[0].part if self.optics[0] else "", self.optics[1].part if self.optics[1] else "")

    def stock(self, stocked_m: Iterable[float]) -> tuple[float, ...]:
        """Lengths that can be ordered within its reach [m]: those of the part, or where it lists none those given."""
        lengths = [x.length_m for x in self.cable.lengths] or list(stocked_m)
        return tuple(sorted({x for x in lengths if x <= self.reach_m}))

    def sold(self, length_m: float) -> float:
        """The shortest length that is sold and long enough; the length itself where no list is known; 0 beyond the reach."""
        if length_m > self.reach_m:
            return 0.0
        lengths = [x.length_m for x in self.cable.lengths]
        return min((x for x in lengths if length_m <= x <= self.reach_m), default=0.0 if lengths else length_m)

    def media(self, length_m: float, basis: str, why: str) -> Media:
        """The same as part of a design, at a length that is ordered."""
        return Media(self.medium, self.cable.part, self.names, length_m, basis, why)


def options(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, medium: str | None = None) -> list[Option]:
    """Every way to join two cages by this medium (fibre unless said, and copper pairs between two RJ45), the shortest reach first."""
    if medium in ("dac", "acc", "aoc") or (a.ports.cage == b.ports.cage == "rj45"):
        return list(_plugged(shelf, a, b, rate_gbps, medium or "twisted-pair"))
    lights = [list(_lights(shelf, end, rate_gbps)) for end in (a, b)]
    pairs = [(x, y) for x in lights[0] for y in lights[1] if _match(x, y)]
    return [
        Option(cable, (x.optic, y.optic), min(x.reach_m, y.reach_m), f"{x.reach_class} over {x.fibre} fibre")
        for x, y in sorted(pairs, key=lambda p: max(p[0].reach_m, p[1].reach_m))
        for cable in shelf.cables(x.connector)
        if cable.medium == "fibre" and cable.legs == 1 and (cable.fibre, cable.connector) == (x.fibre, x.connector)
    ]


def lacking(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, length_m: float, medium: str | None) -> str:
    """Why nothing joins two cages over this length."""
    if medium in ("dac", "acc", "aoc") or (a.ports.cage == b.ports.cage == "rj45"):
        return f"no {medium or 'twisted-pair'} cable for {a.ports.cage} to {b.ports.cage}, {rate_gbps:g}G, {length_m:g} m"
    lights = [[x for x in _lights(shelf, end, rate_gbps) if x.reach_m >= length_m] for end in (a, b)]
    for end, found in zip((a, b), lights, strict=True):
        if not found:
            return f"no transceiver for cage {end.ports.cage}, {end.split} × {rate_gbps:g}G, {end.protocol}, {length_m:g} m"
    kinds = sorted({f"{x.reach_class} {x.lane_rate_gbps:g}G a lane {x.connector}" for found in lights for x in found})
    return f"no pair of optics and fibre meets for {length_m:g} m: {'; '.join(kinds)}"


def _lights(shelf: Shelf, end: Plug, rate_gbps: float) -> Iterator[_Light]:
    ports = end.ports
    if ports.optics == "co-packaged":
        if ports.fibre and ports.connector and ports.reach_class and ports.lane_rate_gbps and ports.reach_m:
            yield _Light(None, ports.fibre, ports.connector, ports.reach_class, ports.lane_rate_gbps, ports.reach_m)
        return
    for o in shelf.optics(ports.cage):
        fits = o.ports == end.split and o.port_rate_gbps == rate_gbps and end.protocol in o.protocols
        if fits and ports.lane_rate_gbps in (None, o.lane_rate_gbps):
            yield _Light(o, o.fibre, o.connector, o.reach_class, o.lane_rate_gbps, o.reach_m.value)


def _match(x: _Light, y: _Light) -> bool:
    return (x.fibre, x.connector, x.reach_class, x.lane_rate_gbps) == (y.fibre, y.connector, y.reach_class, y.lane_rate_gbps)


def _plugged(shelf: Shelf, a: Plug, b: Plug, rate_gbps: float, medium: str) -> Iterator[Option]:
    """Cables with plugs at both ends. One of several links fills the cage that they share, at both ends or, with legs, at one."""
    for cable in shelf.cables(a.ports.cage):
        ends = (a.ports.cage, b.ports.cage)
        rate = cable.port_rate_gbps is None or cable.port_rate_gbps == rate_gbps
        splits = {a.split, b.split}
        fans = splits == {cable.legs * cable.ports, cable.ports}
        links = fans if cable.legs > 1 else cable.ports == 1 or splits == {cable.ports}
        if cable.medium == medium and set(ends) <= set(cable.fits) and links and rate:
            yield Option(cable)
