"""Folded Clos of two or three tiers: rails, planes, halves, shared or per-rail spines, any oversubscription."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Axis, Block, Deal, DeviceGroup, End, Fabric, Join, Pack
from dcgen.design.wiring import ports_needed
from dcgen.diagnostics import Path
from dcgen.fabric.base import Endpoint, Family, Site
from dcgen.fabric.media import Plug, choose
from dcgen.fabric.per import PER_SCHEMA, Per, PerEntry, Reading, faults, read
from dcgen.fabric.removal import removed
from dcgen.fabric.sockets import Reserve, Sockets
from dcgen.fabric.spread import down_ports, least_even, uplinks
from dcgen.parts import Switch
from dcgen.parts.fields import Count, LengthM, PartId, Positive, RateGbps, Ratio, Strict, Text, listed, one_or_many, quantity

ASSUMED_M = {"leaf": 30.0, "spine": 50.0, "core": 100.0}
"""Cable length below a tier while no hall is described [m]: an assumption, named as one in every output."""


def _pinned(value: Any) -> Any:
    return None if value is None or value == "derived" else quantity("count", 0, 1_000_000)(value)


Pinned = Annotated[
    Count | None,
    BeforeValidator(_pinned),
    WithJsonSchema({"anyOf": [{"type": "integer"}, {"enum": ["derived"]}, {"type": "string", "pattern": r"^\$\w"}]}),
]


class Tier(Strict):
    """One tier of switches. What is not written is derived, and the report says how.

    `rate`, `split`, `length` and `medium` are those of the links below the tier; `uplinks` and `oversubscription` look upward.
    """

    part: PartId
    per: Annotated[list[PerEntry], BeforeValidator(listed), WithJsonSchema(one_or_many(PER_SCHEMA))] = []
    count: Pinned = None
    rate_gbps: RateGbps | None = Field(None, alias="rate")
    split: Positive | None = None
    uplinks: Pinned = None
    oversubscription: Ratio | None = Field(None, gt=0)
    reserve: Reserve | None = None
    length_m: LengthM | None = Field(None, alias="length")
    medium: Literal["fibre", "dac", "acc", "aoc"] | None = None
    fill: Literal["pack", "deal"] = "pack"


@dataclass
class _Below:
    """The tier under the one being laid out: its devices and what they offer upward."""

    group: DeviceGroup
    sockets: Sockets
    down_gbps: float
    rate_gbps: float
    tier: Tier
    key: str


class Clos(Family):
    """Leaves over endpoints, spines over leaves, cores over spines; each tier `per` some axes of the one below."""

    kind: Literal["clos"]
    serves: Annotated[list[Text], BeforeValidator(listed), WithJsonSchema(one_or_many({"type": "string"}))] = Field(min_length=1)
    leaf: Tier
    spine: Tier | None = None
    core: Tier | None = None
    oversubscription: Ratio = Field(1.0, gt=0)
    spread: Literal["even", "near"] = "even"
    numbering: Literal["striped", "paired"] = "striped"
    absent: list[Text] = []
    allow: list[Literal["missing-uplink", "oversubscribed"]] = []

    def lay_out(self, name: str, site: Site, origin: Path) -> Iterator[Fabric | Join]:
        """Lay out from the endpoints up; stops at the first tier that cannot be built."""
        endpoints = [e for i, s in enumerate(self.serves) if (e := site.serve(s, (*origin, "serves", i)))]
        tiers: list[str] = []
        joins: list[Join] = []
        below = self._leaves(name, site, origin, endpoints, joins) if len(endpoints) == len(self.serves) else None
        while below is not None:
            tiers.append(below.group.name)
            above = {"leaf": "spine", "spine": "core"}.get(below.key)
            tier = getattr(self, above) if above else None
            below = self._upper(name, site, origin, below, above, tier, joins) if above and tier else None
        if self.core and not self.spine:
            site.say(
                "missing-key",
                f"`{name}` has a core tier and no spine tier",
                fix="write `spine:` too, or call the core `spine`",
                origin=(*origin, "core"),
            )
        joins = removed(self.absent, joins, tiers, site, (*origin, "absent"))
        yield Fabric(name, "clos", tuple(tiers), self.oversubscription, allow=tuple(self.allow), title=self.title or "", origin=origin)
        yield from joins

    # ------------------------------------------------------------------ leaves
    def _leaves(self, name: str, site: Site, origin: Path, endpoints: list[Endpoint], joins: list[Join]) -> _Below | None:
        at = (*origin, "leaf")
        sockets = self._sockets(self.leaf, site, at)
        if sockets is None:
            return None
        readings = []
        for e in endpoints:
            wrong = faults(self.leaf.per, e.group.axes, e.ports.axes, e.name)
            for text in wrong:
                site.say("bad-per", text, subject=f"{name}/leaf", origin=(*at, "per"))
            if not wrong:
                readings.append((e, read(self.leaf.per, e.group.axes, e.ports.axes)))
        ranges = [r for e, reading in readings if (r := self._range(e, reading, sockets, site, at))]
        if len(ranges) < len(endpoints):
            return None
        own = _merged([r.axes for _, r in readings])
        counted = self.leaf.count is not None or not self.leaf.per
        if counted:
            group = self._counted(name, site, at, readings, ranges, own, sockets, joins)
        else:
            group = site.add(self._group(name, "leaf", own, 1, at, sockets))
            for (e, reading), (port_group, split) in zip(readings, ranges, strict=True):
                block = sockets.take(port_group, split, reading.fan)
                joins.append(self._served(name, site, at, e, reading, End(group.name, block, order=reading.upper), group))
        if group is None:
            return None
        down = sum(ports * e.rate_gbps for e, ports in _down(site, joins))
        return _Below(group, sockets, down, max(e.rate_gbps for e in endpoints), self.leaf, "leaf")

    def _range(self, e: Endpoint, reading: Reading, sockets: Sockets, site: Site, at: Path) -> tuple[str, int] | None:
        """Port group and ports per cage that this endpoint is served from."""
        for group in sockets.groups(e.rate_gbps, self.leaf.split):
            split = sockets.split(group, e.rate_gbps, self.leaf.split)
            if split:
                return group, split
        site.say(
            "rate-mismatch",
            f"`{sockets.switch.part}` has no port for the {e.rate_gbps:g}G of {e.name}",
            *_modes(sockets.switch),
            origin=(*at, "part"),
        )
        return None

    def _counted(
        self,
        name: str,
        site: Site,
        at: Path,
        readings: list[tuple[Endpoint, Reading]],
        ranges: list[tuple[str, int]],
        own: tuple[Axis, ...],
        sockets: Sockets,
        joins: list[Join],
    ) -> DeviceGroup | None:
        """Leaves that are counted, not named by an axis: endpoints are packed onto them or dealt over them."""
        (first, _), (port_group, split) = readings[0], ranges[0]
        if any(r != ranges[0] or e.rate_gbps != first.rate_gbps for (e, _), r in zip(readings, ranges, strict=True)):
            rates = ", ".join(f"{e.name} {e.rate_gbps:g}G" for e, _ in readings)
            site.say("rate-mismatch", f"counted leaves serve one rate: {rates}", fix="serve them by fabrics of their own", origin=at)
            return None
        total = sum(reading.fan for _, reading in readings)
        rate_up = self._up_rate(sockets, self.spine, first.rate_gbps) if self.spine else None
        cages = sockets.free(port_group)
        most = cages * split
        if rate_up and sockets.groups(rate_up)[:1] == [port_group]:
            o = self.leaf.oversubscription or self.oversubscription
            most = down_ports(cages, split, sockets.split(port_group, rate_up) or 1, first.rate_gbps, rate_up, o)
        need = -(-total // most) if most else 1
        count = need if self.leaf.count is None else self.leaf.count
        if count == 0:
            site.say(
                "no-spine",
                f"`{name}` has endpoints and 0 leaves",
                fix="leave the fabric out, or write `count: derived`",
                origin=(*at, "count"),
            )
            return None
        site.decide(
            f"{name}/leaf",
            f"{count} {'pinned' if self.leaf.count is not None else 'derived'}",
            f"{total:,} ports of endpoints, {most} to a leaf: {need} needed",
        )
        group = site.add(self._group(name, "leaf", (*own, Axis("leaf", count)), 1, at, sockets))
        capacity = -(-total // count) if self.leaf.fill == "deal" else max(most, -(-total // count)) if self.leaf.count else most
        block = sockets.take(port_group, split, -(-total // count) if self.leaf.fill == "deal" else min(capacity, total))
        start = 0
        for e, reading in readings:
            spread = Deal("leaf", start) if self.leaf.fill == "deal" else Pack("leaf", capacity, start)
            joins.append(self._served(name, site, at, e, reading, End(group.name, block, order=reading.upper, spread=spread), group))
            start += prod(a.ruler for a in e.group.axes if a.name not in {p.axis for p in self.leaf.per}) * e.ports.size
        return group

    def _served(self, name: str, site: Site, at: Path, e: Endpoint, reading: Reading, upper: End, group: DeviceGroup) -> Join:
        lower = End(e.group.name, Block(e.block, 0, e.split, e.ports.lanes), reading.view, reading.lower)
        join = Join(
            f"{name}/{e.name.replace('.', '-')}-leaf",
            lower,
            upper,
            reading.on,
            reading.ways,
            reading.sizes,
            e.rate_gbps,
            name,
            "node-leaf",
            origin=at,
        )
        return self._with_media(join, e.ports, e.split, group, self.leaf, "leaf", site, at)

    # ------------------------------------------------------------------ spines and cores
    def _upper(self, name: str, site: Site, origin: Path, below: _Below, key: str, tier: Tier, joins: list[Join]) -> _Below | None:
        at = (*origin, key)
        sockets = self._sockets(tier, site, at)
        if sockets is None:
            return None
        rate = self._up_rate(below.sockets, tier, below.rate_gbps)
        down_range = next(iter(below.sockets.groups(rate)), None) if rate else None
        up_range = next(iter(sockets.groups(rate)), None) if rate else None
        if rate is None or down_range is None or up_range is None:
            what = f"`{below.sockets.switch.part}` and `{tier.part}` have no port rate in common" + (
                f" at {tier.rate_gbps:g}G" if tier.rate_gbps else ""
            )
            site.say(
                "rate-mismatch",
                what,
                *_modes(below.sockets.switch, sockets.switch),
                subject=f"{name}/{key}",
                origin=(*at, "rate" if tier.rate_gbps else "part"),
            )
            return None
        wrong = faults(tier.per, below.group.axes, {}, below.group.name)
        for text in wrong:
            site.say("bad-per", text, subject=f"{name}/{key}", origin=(*at, "per"))
        if wrong:
            return None
        reading = read(tier.per, below.group.axes, {})
        allowed = below.tier.oversubscription or self.oversubscription
        up = below.tier.uplinks if below.tier.uplinks is not None else uplinks(below.down_gbps, rate, allowed)
        count = self._count(name, site, at, key, tier, reading, up, rate, sockets, up_range)
        if count is None or not up:
            return None
        group = site.add(self._group(name, key, (*reading.axes, Axis(key, count)), below.group.tier + 1, at, sockets))
        lower_block = below.sockets.take(down_range, below.sockets.split(down_range, rate) or 1, up)
        join = self._spread(
            name,
            key,
            below,
            group,
            reading,
            up,
            count,
            rate,
            lower_block,
            Block(up_range, 0, sockets.split(up_range, rate) or 1, sockets.switch.ports[up_range].lanes),
            at,
        )
        need = -(-reading.fan * up // count)
        block = sockets.take(up_range, join.b.block.split, need)
        join = replace(join, b=replace(join.b, block=block))
        joins.append(self._with_media(join, below.sockets.switch.ports[down_range], lower_block.split, group, tier, key, site, at))
        return _Below(group, sockets, need * rate, rate, tier, key)

    def _spread(
        self,
        name: str,
        key: str,
        below: _Below,
        group: DeviceGroup,
        reading: Reading,
        up: int,
        count: int,
        rate: float,
        lower: Block,
        upper: Block,
        at: Path,
    ) -> Join:
        """The bundle to the tier above: whole rounds of links to every upper switch, or dealt one by one."""
        layer = f"{below.key}-{key}"
        if up % count:
            ends = (
                End(below.group.name, lower, reading.view, ("way",)),
                End(group.name, upper, order=(*reading.upper, "way"), spread=Deal(key)),
            )
            return Join(f"{name}/{layer}", *ends, reading.on, {"way": up}, reading.sizes, rate, name, layer, origin=at)
        striped = self.numbering == "striped"
        order_a = ("way", key) if striped else (key, "way")
        order_b = ("way", *reading.upper) if striped else (*reading.upper, "way")
        ends = End(below.group.name, lower, reading.view, order_a), End(group.name, upper, order=order_b)
        return Join(f"{name}/{layer}", *ends, reading.on, {"way": up // count}, reading.sizes, rate, name, layer, origin=at)

    def _count(
        self,
        name: str,
        site: Site,
        at: Path,
        key: str,
        tier: Tier,
        reading: Reading,
        up: int,
        rate: float,
        sockets: Sockets,
        port_group: str,
    ) -> int | None:
        """Switches per coordinate of this tier: pinned, or by the spread rule; None after saying why not."""
        subject, fan, split = f"{name}/{key}", reading.fan, sockets.split(port_group, rate) or 1
        radix = self._radix(key, tier, rate, sockets, port_group, split)
        lower = {"spine": "leaf", "core": "spine"}[key]
        below = {"spine": "leaves", "core": "spines"}[key]
        if tier.count == 0 and fan > 1:
            site.say(
                "no-spine",
                f"{subject}: 0 declared, and {fan} {below} to join",
                fix="write `count: derived`, or leave the tier out",
                subject=subject,
                origin=(*at, "count"),
            )
            return None
        need = -(-fan * up // radix) if radix else 0
        even = least_even(fan, up, radix) if radix else None
        derived = need if self.spread == "near" else even
        if tier.count is None:
            if not radix or need > up or derived is None:
                why = f"{fan} {below} reach each {key}, a {tier.part} has {radix} ports for them"
                fix = "let fewer meet (`per:`), add a core tier, or choose a switch with more ports"
                site.say(
                    "too-many-below", f"{subject}: no number of `{tier.part}` joins {fan} {below} of {up} uplinks", why, fix, subject, at
                )
                return None
            site.decide(subject, f"{derived} derived{_each(reading)}", self._because(fan, up, radix, need, even, key, lower))
            return derived
        if tier.count and up % tier.count and self.spread == "even":
            divisors = ", ".join(str(s) for s in range(max(need, 1), up + 1) if up % s == 0)
            why = f"{up} uplinks of each {lower} do not divide by {tier.count}"
            fix = f"{f'write {divisors}; or ' if divisors else ''}write `spread: near`, where pairs differ by at most one link"
            site.say("uneven-spread", f"{subject}: {tier.count} {key} switches cannot be reached evenly", why, fix, subject, (*at, "count"))
            return None
        if derived and tier.count > derived:
            why = self._because(fan, up, radix, need, even, key, lower)
            site.remark(
                "spine-not-minimal", f"{subject}: {tier.count} pinned, {derived} would do", why, "", subject, (*at, "count"), "info"
            )
        site.decide(subject, f"{tier.count} pinned{_each(reading)}", f"the spread rule gives {derived or 'no number'}")
        return tier.count

    def _because(self, fan: int, up: int, radix: int, need: int, even: int | None, key: str, lower: str) -> str:
        said = f"{fan} {lower} × {up} uplinks = {fan * up:,} links on {radix} ports: {need} have the ports"
        if self.spread == "near":
            return f"{said}; near spread takes {need}" + (f", even spread would take {even}" if even != need else "")
        return said + (
            f" and divide the {up} uplinks"
            if even == need
            else f"; {even} is the smallest number from there that divides the {up} uplinks (near spread: {need})"
        )

    def _radix(self, key: str, tier: Tier, rate: float, sockets: Sockets, port_group: str, split: int) -> int:
        """Ports of a switch that may face down, given what it must keep for the tier above."""
        cages = sockets.free(port_group)
        if key == "core" or self.core is None:
            return cages * split
        if tier.uplinks is not None:
            return max(0, cages - -(-tier.uplinks // split)) * split
        rate_up = self._up_rate(sockets, self.core, rate) or rate
        return down_ports(
            cages, split, sockets.split(port_group, rate_up) or 1, rate, rate_up, tier.oversubscription or self.oversubscription
        )

    # ------------------------------------------------------------------ both
    def _sockets(self, tier: Tier, site: Site, at: Path) -> Sockets | None:
        part = site.part(tier.part, (*at, "part"), (Switch,))
        if not isinstance(part, Switch):
            return None
        sockets = Sockets(part)
        if tier.reserve:
            first = next(iter(part.ports))
            cages, unknown = tier.reserve.cages(part.ports[first])
            for label in unknown:
                site.say(
                    "bad-reference",
                    f"`{part.part}` has no port `{label}`",
                    fix="write labels as on the faceplate",
                    origin=(*at, "reserve", "ports"),
                )
            sockets.reserved[first] = cages
        return sockets

    def _up_rate(self, below: Sockets, tier: Tier | None, default: float) -> float | None:
        """Rate of the links below `tier`: as written, else that of the links further down, else the fastest both switches have."""
        if tier is None:
            return None
        if tier.rate_gbps:
            return tier.rate_gbps
        if below.groups(default):
            return default
        return max((rate for p in below.switch.ports.values() for _, rate in p.modes), default=None)

    def _group(self, name: str, key: str, axes: tuple[Axis, ...], height: int, at: Path, sockets: Sockets) -> DeviceGroup:
        tier: Tier = getattr(self, key)
        reserved = next(iter(sockets.reserved.values()), ())
        reason = tier.reserve.reason if tier.reserve else ""
        return DeviceGroup(
            f"{name}/{key}",
            sockets.switch.part,
            axes,
            role=key,
            fabric=name,
            tier=height,
            reserved=reserved,
            reserve_reason=reason,
            origin=at,
        )

    def _with_media(self, join: Join, ports: Any, split: int, group: DeviceGroup, tier: Tier, key: str, site: Site, at: Path) -> Join:
        switch = site.used[group.part]
        assert isinstance(switch, Switch)
        length = ASSUMED_M[key] if tier.length_m is None else tier.length_m
        upper = switch.ports[join.b.block.name]
        media, parts = choose(
            site.shelf,
            Plug(ports, split, switch.fabric),
            Plug(upper, join.b.block.split, switch.fabric),
            join.rate_gbps,
            length,
            tier.medium,
        )
        site.used.update({p.part: p for p in parts})
        if not media.cable:
            site.remark(
                "no-optic",
                f"{join.name}: no transceiver and cable found",
                media.why,
                "add one to `parts/`, or state `medium:` or `length:`",
                join.name,
                at,
            )
        return replace(join, media=media)


def _each(reading: Reading) -> str:
    return f" for each of {' × '.join(f'{a.size} {a.name}' for a in reading.axes)}" if reading.axes else ""


def _merged(all_axes: list[tuple[Axis, ...]]) -> tuple[Axis, ...]:
    """The switches' own axes when several kinds of endpoint are served: as many coordinates as the largest asks for."""
    return tuple(Axis(x[0].name, max(a.size for a in x), max(a.ruler for a in x)) for x in zip(*all_axes, strict=True))


def _modes(*switches: Switch) -> tuple[str, str]:
    said = "; ".join(f"{s.part}: {', '.join(f'{n}x{rate:g}G' for p in s.ports.values() for n, rate in p.modes)}" for s in switches)
    return f"port modes are {said}", "choose a switch or NIC of the same rate, or state `rate:` of the tier"


def _down(site: Site, joins: list[Join]) -> Iterator[tuple[Any, int]]:
    """(bundle, ports on the fullest leaf) of every bundle to the leaves."""
    from dcgen.design import Design

    design = Design("", site.groups)
    for join in joins:
        yield join, ports_needed(design, join, 1)


__all__ = ["Clos", "Per", "Tier"]
