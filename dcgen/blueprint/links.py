"""Cables that are written one by one: from a port of a device to a port of another."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Block, DeviceGroup, End, Fabric, Join, Table
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric import ASSUMED_M, Plug, Site, choose, labels, pinned, selected
from dcgen.naming import address, in_full
from dcgen.parts import Ports, Switch
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
    """A port of one device: where it is, and how the cage is run."""

    def __init__(self, group: DeviceGroup, at: dict[str, int], block: str, ports: Ports, place: tuple[int, int, int], label: str) -> None:
        self.group, self.at, self.block, self.ports, self.label = group, at, block, ports, label
        self.cage, self.sub, self.split = place

    @property
    def device(self) -> str:
        return address(self.group.name, self.at)

    @property
    def key(self) -> str:
        return f"{self.device}:{self.label}"

    def rates(self) -> set[float]:
        return {rate for n, rate in self.ports.modes if n == self.split}

    def end(self, axis_sign: str) -> End:
        position = self.cage * self.split + self.sub
        view: dict[str, tuple[str, ...]] = {a: (f"{a}{axis_sign}",) for a in self.at}
        return End(self.group.name, Block(self.block, 0, self.split, self.ports.lanes, (position,)), view)


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
    found = selected(in_full(text, site.groups), site, at)
    if found is None:
        return None
    group = site.groups[found.group]
    place, missing = pinned(found, site)
    if missing:
        site.say("bad-endpoint", f"`{text}` names more than one device", fix=f"give one coordinate for {missing}", origin=at)
        return None
    for name, ports in site.used[group.part].port_groups().items():
        known = labels(ports)
        if found.port in known:
            return _Socket(group, place, name, ports, known[found.port], found.port)
    every = [label for ports in site.used[group.part].port_groups().values() for label in labels(ports)]
    site.say("bad-endpoint", f"`{group.part}` has no port `{found.port}`", fix=did_you_mean(found.port, every), origin=at)
    return None


def _join(i: int, link: Link, a: _Socket, b: _Socket, site: Site, at: Path) -> Join | None:
    common = a.rates() & b.rates()
    rate = link.rate_gbps if link.rate_gbps is not None else max(common, default=None)
    if rate is None or rate not in common:
        said = "; ".join(f"{s.key}: {', '.join(f'{r:g}G' for r in sorted(s.rates()))}" for s in (a, b))
        ends, fix = f"{a.key} and {b.key}", "choose ports of one rate"
        if link.rate_gbps is not None:
            missing = " and ".join(s.key for s in (a, b) if rate not in s.rates())
            ends, fix = missing, f"leave `rate:` out, or write {' or '.join(f'{r:g}G' for r in sorted(common))}" if common else fix
        what = f"{ends} have no rate in common" if rate is None else f"{ends} cannot run at {rate:g}G, the rate that is written"
        site.say("rate-mismatch", what, said, fix, origin=at)
        return None
    _tiers(link, a, b, site, at)
    if a.group.tier > b.group.tier:
        a, b = b, a
    pairs = Table(tuple(f"{x}<" for x in a.at), tuple(f"{x}>" for x in b.at), ((tuple(a.at.values()), tuple(b.at.values()), 1),))
    join = Join(f"{FABRIC}/{i}", a.end("<"), b.end(">"), rate_gbps=rate, fabric=FABRIC, layer="explicit", origin=at, pairs=pairs)
    upper = site.used[b.group.part]
    protocol = upper.fabric if isinstance(upper, Switch) else "ethernet"
    length_m = ASSUMED_M["leaf"] if link.length_m is None else link.length_m
    media, parts = choose(site.shelf, Plug(a.ports, a.split, protocol), Plug(b.ports, b.split, protocol), rate, length_m, link.medium)
    site.used.update({p.part: p for p in parts})
    if not media.cable:
        site.remark("no-optic", f"{join.name}: no transceiver and cable found", media.why, "state `medium:` or `length:`", join.name, at)
    return replace(join, media=media)


def _tiers(link: Link, a: _Socket, b: _Socket, site: Site, at: Path) -> None:
    """Inside one fabric, links go from a tier to the next."""
    if a.group.fabric != b.group.fabric or not a.group.tier or not b.group.tier:
        return
    steps = abs(a.group.tier - b.group.tier)
    code = "same-tier-link" if steps == 0 else "tier-skip" if steps > 1 else ""
    if code and code not in link.allow:
        what = f"{a.key} - {b.key} joins {'two devices of one tier' if steps == 0 else 'tiers that are not neighbours'}"
        site.say(code, what, fix=f"write `allow: [{code}]` if that is meant", subject=a.device, origin=at)
