"""A pair (or a few) of switches that serve everything and each other: the smallest fabric there is."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Axis, Block, Design, End, Fabric, Join, Mesh
from dcgen.design.wiring import ports_needed
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric.base import Endpoint, Family, Site
from dcgen.fabric.per import PER_SCHEMA, Per, PerEntry, faults, read, widened
from dcgen.fabric.sockets import Sockets, cages
from dcgen.fabric.tier import LinkRate, Pinned, Tier, group_of, modes, sockets_of, with_media
from dcgen.parts.fields import Name, Positive, Strict, Text

SWITCH = "switch"
"""The switches' group and their axis."""


class Attach(Strict):
    """One kind of endpoint: which ports, from which cage on, how they fall on the switches.

    `per` reads one axis of the endpoint (by default the last of its ports, in turn); `order` says whether the switch counts its
    ports by device and then by the device's port, or the other way round.
    """

    serves: Text
    at: Text | None = None
    per: Annotated[PerEntry | None, WithJsonSchema(PER_SCHEMA)] = None
    split: Positive | None = None
    order: Literal["device-first", "port-first"] = "device-first"


class Between(Strict):
    """The links between the switches: as many as one switch has to the first kind of endpoint, unless `links` says."""

    at: Text | None = None
    links: Pinned = None
    rate_gbps: LinkRate | None = Field(None, alias="rate")


def _between(value: object) -> object:
    return {} if value is None or value == "derived" else value


def _faults(given: Per, per: Per, e: Endpoint, count: int) -> list[str]:
    """What is wrong with the entry `given`, read as `per`, for so many switches."""
    size = {x.name: x.size for x in e.group.axes} | e.ports.axes
    if SWITCH in size and per.axis != SWITCH:
        return [f"{e.name} has an axis `{SWITCH}`, by which the switches here are counted; rename it, or write `per: {SWITCH}`"]
    if wrong := faults([per], e.group.axes, e.ports.axes, e.name):
        return wrong
    n = per.coordinates(size[per.axis])
    if n > count:
        return [f"`{given}` asks for {n} switches, there are {count}"]
    if n < count and per.axis in e.ports.axes:  # every switch would get a port that no device has
        values = f"the values 0 to {n - 1}" if n > 1 else "1 value"
        return [f"`{given}` has {values}, there are {count} switches; write `count: {n}`, or read an axis of {count} values"]
    return []


class Collapsed(Family):
    """Switches without a tier above: `attach` lists what is served, `isl` the links between the switches themselves."""

    kind: Literal["collapsed"]
    switch: Tier
    attach: dict[Name, Attach] = Field(min_length=1)
    isl: Annotated[Between | None, BeforeValidator(_between)] = None

    def lay_out(self, name: str, site: Site, origin: Path) -> Iterator[Fabric | Join]:
        """Lay out the switches, then every attachment in the order written, then the links between switches."""
        at = (*origin, "switch")
        sockets = sockets_of(self.switch, site, at)
        count = self.switch.count or 2
        if sockets is None:
            return
        group = site.add(group_of(name, SWITCH, self.switch, sockets, (Axis(SWITCH, count),), 1, at))
        yield Fabric(name, "collapsed", (group.name,), title=self.title or "", origin=origin)
        joins = []
        for key, attach in self.attach.items():
            for e in site.served([attach.serves], (*origin, "attach", key, "serves")) or ():
                join = self._attached(name, key, attach, e, count, sockets, site, (*origin, "attach", key))
                joins += [join] if join else []
        yield from joins
        if self.isl is not None and joins and count > 1:
            yield from self._isl(name, joins[0], count, sockets, site, (*origin, "isl"))

    def _attached(self, name: str, key: str, a: Attach, e: Endpoint, count: int, sockets: Sockets, site: Site, at: Path) -> Join | None:
        axis = next(reversed(e.ports.axes), next((x.name for x in reversed(e.group.axes)), ""))
        given = a.per or Per(SWITCH, axis, "%", count)
        per = Per(SWITCH, given.axis, given.op, given.n)
        wrong = _faults(given, per, e, count)
        for text in wrong:
            site.say("bad-per", text, subject=name, origin=(*at, "per"))
        found = self._range(e, a, sockets, site, at)
        if wrong or found is None:
            return None
        reading = widened(read([per], e.group.axes, e.ports.axes), [per], {SWITCH: count}, e.ports.axes)
        ports = set(reading.lower)
        own = [d for d in reading.upper if d not in ports]
        of_ports = [d for d in reading.upper if d in ports]
        order = (*own, *of_ports) if a.order == "device-first" else (*of_ports, *own)
        block = self._block(found, a.at, reading.final_fan, sockets, site, at)
        if block is None:
            return None
        lower = End(e.group.name, Block(e.block, 0, e.split, e.ports.lanes), reading.view, reading.lower)
        join = Join(
            f"{name}/{key}", lower, End(f"{name}/{SWITCH}", block, order=order), reading.on, reading.ways, reading.sizes,
            e.rate_gbps, name, f"node-{SWITCH}", origin=at,
        )  # fmt: skip
        return with_media(join, e.ports, self.switch, "leaf", site, at)

    def _range(self, e: Endpoint, a: Attach, sockets: Sockets, site: Site, at: Path) -> tuple[str, int] | None:
        if found := sockets.fitting(e.rate_gbps, a.split):
            return found
        what = f"`{sockets.switch.part}` has no port for the {e.rate_gbps:g}G of {e.name}"
        site.say("rate-mismatch", what, *modes(sockets.switch), origin=(*at, "serves"))
        return None

    def _block(self, found: tuple[str, int], first: str | None, ports: int, sockets: Sockets, site: Site, at: Path) -> Block | None:
        """The range of ports: from the cage named, else from the next free one."""
        name, split = found
        if first is None:
            return sockets.take(name, split, ports)
        group = sockets.switch.ports[name]
        known = cages(group)
        if first not in known:
            what = f"`{sockets.switch.part}` has no port `{first}`"
            site.say("bad-reference", what, fix=did_you_mean(first, known), origin=(*at, "at"))
            return None
        cage = known[first]
        sockets.taken[name] = max(sockets.taken.get(name, 0), cage + -(-ports // split))
        return Block(name, cage, split, group.lanes)

    def _isl(self, name: str, first: Join, count: int, sockets: Sockets, site: Site, at: Path) -> Iterator[Join]:
        assert self.isl is not None
        design = Design("", site.groups)
        rate = self.isl.rate_gbps or first.rate_gbps
        ways = self.isl.links if self.isl.links is not None else ports_needed(design, first, 1)
        if self.isl.links is None:
            why = f"as many as one switch has to {first.name.split('/')[1]}: 1:1"
            site.decide(f"{name}/isl", f"{ways} links between each two switches derived", why)
        found = sockets.fitting(rate)
        if found is None:
            site.say(
                "rate-mismatch",
                f"`{sockets.switch.part}` has no {rate:g}G port",
                *modes(sockets.switch, stated=self.isl.rate_gbps is not None),
                origin=(*at, "rate"),
            )
            return
        block = self._block(found, self.isl.at, ways * (count - 1), sockets, site, at)
        if block is None or not ways:
            return
        group, far = f"{name}/{SWITCH}", f"{SWITCH}~"
        order = ("peer", "way")
        ends = End(group, block, order=order), End(group, block, {SWITCH: (far,)}, order)
        join = Join(f"{name}/isl", *ends, (), {"way": ways}, {}, rate, name, f"{SWITCH}-{SWITCH}", origin=at, pairs=Mesh(SWITCH, far))
        yield with_media(join, sockets.switch.ports[found[0]], self.switch, "spine", site, at)
