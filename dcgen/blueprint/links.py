"""Cables that are written one by one: from a port of a device to a port of another."""

import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Block, DeviceGroup, End, Fabric, Join, Table
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import ASSUMED_M, Asked, Place, Plug, Site, furnished, pinned, selected
from dcgen.naming import address
from dcgen.parts import Part, Switch
from dcgen.parts.fields import Flag, LengthM, RateGbps, Strict, Text, fault

FABRIC = "links"
"""Name of the fabric that the written cables make."""
_END = re.compile(r"[^\s:]+:[^\s:]+")


def _pair(value: Any) -> Any:
    if isinstance(value, list):
        if len(value) != 2:
            raise fault("length-mismatch", f"a link has two ends, here are {len(value)}", "write `[device:port, device:port]`")
        return {"a": value[0], "b": value[1]}
    return value


class Link(Strict):
    """One cable. Without a rate it runs as fast as both ports can; `allow` accepts what is unusual about it."""

    a: Text
    b: Text
    rate_gbps: RateGbps | None = Field(None, alias="rate")
    length_m: LengthM | None = Field(None, alias="length")
    medium: Literal["fibre", "dac", "acc", "aoc"] | None = None
    loopback: Flag = False
    allow: list[Literal["same-tier-link", "tier-skip"]] = []


AnyLink = Annotated[
    Link,
    BeforeValidator(_pair),
    WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}, {"type": "object"}]}),
]


class _Socket:
    """A port of one device as it is called: the places that carry this label, one for each way to run the cage."""

    def __init__(self, group: DeviceGroup, at: dict[str, int], part: Part, places: list[Place], label: str) -> None:
        self.group, self.at, self.places, self.label = group, at, places, label
        self.ports = {p: part.port_groups()[p.block] for p in places}
        self.device = address(group.name, at)
        self.key = f"{self.device}:{label}"

    def rates(self) -> set[float]:
        return {rate for p, ports in self.ports.items() for n, rate in ports.modes if n == p.split}

    def at_rate(self, rate_gbps: float) -> Place:
        """The place that runs at this rate; of several the one with the fewest ports per cage."""
        return next(p for p, ports in self.ports.items() if (p.split, rate_gbps) in ports.modes)

    def end(self, place: Place, axis_sign: str) -> End:
        position = place.cage * place.split + place.sub
        view: dict[str, tuple[str, ...]] = {a: (f"{a}{axis_sign}",) for a in self.at}
        return End(self.group.name, Block(place.block, 0, place.split, self.ports[place].lanes, (position,)), view)


def lay_out_links(written: list[Link], site: Site) -> Iterator[Fabric | Join]:
    """One bundle of one link each; every mistake is said with the link's own line."""
    seen: dict[frozenset[str], int] = {}
    if written:
        yield Fabric(FABRIC, "explicit", (), origin=(FABRIC,))
    for i, link in enumerate(written):
        at: Path = (FABRIC, i)
        ends = [_socket(text, site, (*at, side)) for side, text in (("a", link.a), ("b", link.b))]
        if None in ends:
            continue
        a, b = (e for e in ends if e)
        pair = frozenset((a.key, b.key))
        if pair in seen:
            what = f"the link {a.key} - {b.key} is written twice"
            site.say("duplicate-link", what, f"it is link {seen[pair] + 1} already", "take one out", a.device, at)
            continue
        seen[pair] = i
        if a.device == b.device and not link.loopback:
            site.say(
                "self-link",
                f"{a.key} - {b.key} ends on the device it begins on",
                fix="write `loopback: true` if that is meant",
                subject=a.device,
                origin=at,
            )
            continue
        join = _join(i, link, a, b, site, at)
        if join:
            yield join


def _socket(text: str, site: Site, at: Path) -> _Socket | None:
    if not _END.fullmatch(text.strip()):
        example = "write `device:port`, for example `backend/leaf[rail=0]:swp64`"
        site.say("bad-endpoint", f"`{text[:80]}` is not the end of a link", fix=example, origin=at)
        return None
    found = selected(text, site, at)
    if found is None:
        return None
    group = site.groups[found.group]
    place, missing = pinned(found, site)
    if missing:
        site.say("bad-endpoint", f"`{text}` names more than one device", fix=f"give one coordinate for {missing}", origin=at)
        return None
    known = site.places(group)
    if found.port in known:
        return _Socket(group, place, site.used[group.part], known[found.port], found.port)
    site.say("bad-endpoint", f"`{group.part}` has no port `{found.port}`", fix=did_you_mean(found.port, known), origin=at)
    return None


def _join(i: int, link: Link, a: _Socket, b: _Socket, site: Site, at: Path) -> Join | None:
    common = a.rates() & b.rates()
    rate = link.rate_gbps if link.rate_gbps is not None else max(common, default=None)
    if rate is None or rate not in common:
        said = "; ".join(f"{s.key}: {', '.join(f'{r:g}G' for r in sorted(s.rates()))}" for s in (a, b))
        at_fault, fix = f"{a.key} and {b.key}", "choose ports of one rate"
        if link.rate_gbps is not None:
            missing = " and ".join(s.key for s in (a, b) if rate not in s.rates())
            at_fault, fix = missing, f"leave `rate:` out, or write {' or '.join(f'{r:g}G' for r in sorted(common))}" if common else fix
        what = f"{at_fault} have no rate in common" if rate is None else f"{at_fault} cannot run at {rate:g}G, the rate that is written"
        site.say("rate-mismatch", what, said, fix, origin=at)
        return None
    _tiers(link, a, b, site, at)
    if a.group.tier > b.group.tier:
        a, b = b, a
    pairs = Table(tuple(f"{x}<" for x in a.at), tuple(f"{x}>" for x in b.at), ((tuple(a.at.values()), tuple(b.at.values()), 1),))
    lower, upper = a.at_rate(rate), b.at_rate(rate)
    ends = a.end(lower, "<"), b.end(upper, ">")
    join = Join(f"{FABRIC}/{i}", *ends, rate_gbps=rate, fabric=FABRIC, layer="explicit", origin=at, pairs=pairs)
    part = site.used[b.group.part]
    protocol = part.fabric if isinstance(part, Switch) else "ethernet"
    plugs = Plug(a.ports[lower], lower.split, protocol), Plug(b.ports[upper], upper.split, protocol)
    fix = "state `medium:` or `length:`"
    return furnished(join, Asked(plugs, rate, link.medium, link.length_m, ASSUMED_M["leaf"], at, fix=fix), site)


def _tiers(link: Link, a: _Socket, b: _Socket, site: Site, at: Path) -> None:
    """Inside one fabric, links go from a tier to the next."""
    if a.group.fabric != b.group.fabric or not a.group.tier or not b.group.tier:
        return
    steps = abs(a.group.tier - b.group.tier)
    code = "same-tier-link" if steps == 0 else "tier-skip" if steps > 1 else ""
    if code and code not in link.allow:
        what = f"{a.key} - {b.key} joins {'two devices of one tier' if steps == 0 else 'tiers that are not neighbours'}"
        site.say(code, what, fix=f"write `allow: [{code}]` if that is meant", subject=a.device, origin=at)
