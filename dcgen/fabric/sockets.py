"""Where on a switch a range of ports begins: first free cages, reserved ones left out."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from typing import Self

from pydantic import model_validator

from dcgen.design import Block
from dcgen.parts import Part, Ports, Switch
from dcgen.parts.fields import Positive, Share, Strict, Text, fault


class Reserve(Strict):
    """Ports that nothing may be plugged into: the last so many, a share of them, or a list by label.

    Ports are those of the faceplate's first mode; a cage is reserved whole, so numbers are rounded up to cages.
    """

    last: Positive | None = None
    share: Share | None = None
    ports: list[Text] = []
    reason: Text = "reserved"

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if sum(bool(x) for x in (self.last, self.share, self.ports)) != 1:
            raise fault("bad-choice", "a reserve is exactly one of `last`, `share` or `ports`", "for example `{last: 4, reason: border}`")
        return self

    def cages(self, ports: Ports) -> tuple[tuple[int, ...], list[str]]:
        """(cages counted from 0, labels that the switch does not have)."""
        if self.ports:
            known = cages(ports)
            return tuple(sorted({known[x] for x in self.ports if x in known})), [x for x in self.ports if x not in known]
        split = ports.modes[0][0]
        n = ceil(Fraction(self.last or ceil(Fraction(str(self.share)) * ports.cages * split)) / split)
        return tuple(range(max(0, ports.cages - n), ports.cages)), []


def cages(ports: Ports) -> dict[str, int]:
    """Faceplate label -> cage from 0: all modes that print it have it on one cage, and they go before whole cages that none has."""
    return {label: n // split for split in reversed(_splits(ports)) for n, label in enumerate(ports.labels(split))}


def _splits(ports: Ports) -> list[int]:
    """Ports per cage of every mode, fewest first; whole cages last where no mode runs them whole."""
    real = sorted({n for n, _ in ports.modes})
    return real if ports.map or 1 in real else [*real, 1]


@dataclass(frozen=True, slots=True)
class Place:
    """A port of a part: its group of sockets, the cage from 0, the position in it, and into how many ports the cage is split."""

    block: str
    cage: int
    sub: int
    split: int


def places(part: Part) -> dict[str, list[Place]]:
    """Printed label -> the ports that carry it, in every mode of every group of sockets; modes of the fewest ports first."""
    out: dict[str, list[Place]] = {}
    for block, ports in part.port_groups().items():
        for split in _splits(ports):
            for n, label in enumerate(part.printed(block, split)):
                out.setdefault(label, []).append(Place(block, *divmod(n, split), split))
    return out


@dataclass
class Sockets:
    """The free cages of one switch part, handed out in order. Asking for more than there is goes on past the end: a rule says so."""

    switch: Switch
    reserved: dict[str, tuple[int, ...]] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def groups(self, rate_gbps: float, split: int | None = None) -> list[str]:
        """Port groups that can run at this rate (or, with a split given, at least at this rate)."""
        return [n for n, p in self.switch.ports.items() if self.split(n, rate_gbps, split) and not n.startswith("mgmt")]

    def fitting(self, rate_gbps: float, split: int | None = None) -> tuple[str, int] | None:
        """The first port group that can run at this rate, and its ports per cage."""
        found = ((n, self.split(n, rate_gbps, split)) for n in self.groups(rate_gbps, split))
        return next(((n, ports) for n, ports in found if ports), None)

    def split(self, name: str, rate_gbps: float, split: int | None = None) -> int | None:
        """Ports per cage of a group at this rate."""
        ports = self.switch.ports[name]
        if split is None:
            return ports.split_for(rate_gbps)
        return next((n for n, rate in ports.modes if n == split and rate >= rate_gbps), None)

    def free(self, name: str) -> int:
        """Cages of a group that are neither reserved nor taken."""
        return max(0, self.switch.ports[name].cages - len(self.reserved.get(name, ())) - self.taken.get(name, 0))

    def take(self, name: str, split: int, ports: int) -> Block:
        """The next range of `ports` ports, from the next free cage on."""
        group, gone = self.switch.ports[name], set(self.reserved.get(name, ()))
        start, cages = self.taken.get(name, 0), -(-ports // split)
        self.taken[name] = start + cages
        if not gone or start + cages <= min(gone):
            return Block(name, start, split, group.lanes)
        open_cages = [c for c in range(group.cages) if c not in gone]
        open_cages += range(group.cages, group.cages + start + cages)
        mine = open_cages[start : start + cages]
        if mine == list(range(mine[0], mine[0] + len(mine))):
            return Block(name, mine[0], split, group.lanes)
        return Block(name, 0, split, group.lanes, tuple(c * split + s for c in mine for s in range(split))[:ports])
