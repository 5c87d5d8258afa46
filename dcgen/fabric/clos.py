"""Folded Clos of two or three tiers: rails, planes, halves, shared or per-rail spines, any oversubscription."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import prod
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from dcgen.design import Axis, Block, Deal, DeviceGroup, End, Fabric, Join
from dcgen.diagnostics import Path
from dcgen.fabric.base import Family, Site
from dcgen.fabric.leaves import lay_out_leaves
from dcgen.fabric.per import Reading, faults, read
from dcgen.fabric.removal import removed
from dcgen.fabric.reserve import GrowthReserve, judge, with_room
from dcgen.fabric.sockets import Sockets
from dcgen.fabric.spread import down_ports, least_even, uplinks
from dcgen.fabric.tenants import Tenant, move_in
from dcgen.fabric.tier import Tier, down_gbps, each, group_of, modes, sockets_of, up_rate, with_media
from dcgen.parts.fields import Name, Ratio, Text, listed, one_or_many


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
    in_place_of: dict[Name, Tenant] = {}
    reserve: GrowthReserve | None = None
    absent: list[Text] = []
    allow: list[Literal["missing-uplink", "oversubscribed"]] = []

    def lay_out(self, name: str, site: Site, origin: Path) -> Iterator[Fabric | Join]:
        """Lay out from the endpoints up; stops at the first tier that cannot be built."""
        endpoints = served = site.served(self.serves, (*origin, "serves"))
        tiers: list[str] = []
        joins: list[Join] = []
        below = None
        if endpoints is not None and self.reserve:
            endpoints = with_room(self.reserve, endpoints, site, (*origin, "reserve"))
        if endpoints is not None:
            made = lay_out_leaves(
                name, "leaf", self.leaf, endpoints, self._uppers, self.spine, self.oversubscription, site, (*origin, "leaf")
            )
            if made:
                joins += made.joins
                for key, tenant in self.in_place_of.items():
                    for join in move_in(key, tenant, made.joins, name, site, (*origin, "in_place_of", key)):
                        ports = site.used[site.groups[join.a.group].part].port_groups()[join.a.block.name]
                        joins.append(with_media(join, ports, self.leaf, "leaf", site, (*origin, "in_place_of", key)))
                rate = max(e.rate_gbps for e in endpoints)
                below = _Below(made.group, made.sockets, max(made.down_gbps, down_gbps(site, joins)), rate, self.leaf, "leaf")
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
        if served is not None:
            whole = self.model_copy(update={"reserve": None})
            judge(lambda there: whole.lay_out(name, there, origin), joins, served, self.reserve, site)
        written = {f"{name}/{key}": t for key, t in (("leaf", self.leaf), ("spine", self.spine), ("core", self.core)) if t}
        allowed = {t: written[t].oversubscription or self.oversubscription for t in tiers}
        yield Fabric(name, "clos", tuple(tiers), allowed, allow=tuple(self.allow), title=self.title or "", origin=origin)
        yield from joins

    @property
    def _uppers(self) -> tuple[str, ...]:
        """The tiers above the leaves."""
        return tuple(key for key, tier in (("spine", self.spine), ("core", self.core)) if tier)

    # ------------------------------------------------------------------ spines and cores
    def _upper(self, name: str, site: Site, origin: Path, below: _Below, key: str, tier: Tier, joins: list[Join]) -> _Below | None:
        at = (*origin, key)
        sockets = sockets_of(tier, site, at)
        if sockets is None:
            return None
        rate = up_rate(below.sockets, tier, below.rate_gbps)
        lower, upper = (s.fitting(rate) if rate else None for s in (below.sockets, sockets))
        if rate is None or lower is None or upper is None:
            what = f"`{below.sockets.switch.part}` and `{tier.part}` have no port rate in common" + (
                f" at {tier.rate_gbps:g}G" if tier.rate_gbps else ""
            )
            site.say(
                "rate-mismatch",
                what,
                *modes(below.sockets.switch, sockets.switch, stated=tier.rate_gbps is not None),
                subject=f"{name}/{key}",
                origin=(*at, "rate" if tier.rate_gbps else "part"),
            )
            return None
        wrong = faults(tier.per, below.group.axes, {}, below.group.name, self._uppers[self._uppers.index(key) :])
        for text in wrong:
            site.say("bad-per", text, subject=f"{name}/{key}", origin=(*at, "per"))
        if wrong:
            return None
        reading = read(tier.per, below.group.axes, {})
        allowed = below.tier.oversubscription or self.oversubscription
        up = below.tier.uplinks if below.tier.uplinks is not None else uplinks(below.down_gbps, rate, allowed)
        count = self._count(name, site, at, key, tier, reading, up, rate, sockets, upper)
        if count is None or not up:
            return None
        group = site.add(group_of(name, key, tier, sockets, (*reading.axes, Axis(key, count)), below.group.tier + 1, at))
        lower_block = below.sockets.take(*lower, up)
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
            Block(upper[0], 0, upper[1], sockets.switch.ports[upper[0]].lanes),
            at,
        )
        need = -(-reading.final_fan * up // count)
        block = sockets.take(*upper, need)
        join = replace(join, b=replace(join.b, block=block))
        joins.append(with_media(join, below.sockets.switch.ports[lower[0]], tier, key, site, at))
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
        found: tuple[str, int],
    ) -> int | None:
        """Switches per coordinate of this tier: pinned, or by the spread rule; None after saying why not."""
        subject, fan = f"{name}/{key}", reading.final_fan
        radix = self._radix(key, tier, rate, sockets, *found)
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
            site.decide(subject, f"{derived} derived{each(reading)}", self._because(fan, up, radix, need, even, lower))
            self._foretell(subject, site, reading, up, radix, derived, lower)
            return derived
        if tier.count and up % tier.count and self.spread == "even":
            divisors = ", ".join(str(s) for s in range(max(need, 1), up + 1) if up % s == 0)
            why = f"{up} uplinks of each {lower} do not divide by {tier.count}"
            fix = f"{f'write {divisors}; or ' if divisors else ''}write `spread: near`, where pairs differ by at most one link"
            site.say("uneven-spread", f"{subject}: {tier.count} {key} switches cannot be reached evenly", why, fix, subject, (*at, "count"))
            return None
        if derived and tier.count > derived:
            why = self._because(fan, up, radix, need, even, lower)
            site.remark(
                "spine-not-minimal", f"{subject}: {tier.count} pinned, {derived} would do", why, "", subject, (*at, "count"), "info"
            )
        site.decide(subject, f"{tier.count} pinned{each(reading)}", f"the spread rule gives {derived or 'no number'}")
        return tier.count

    def _foretell(self, subject: str, site: Site, reading: Reading, up: int, radix: int, today: int, lower: str) -> None:
        """What the final size of a reserve that is not built now will ask for, and what growing will move."""
        if self.reserve is None or self.reserve.spines == "now":
            return
        grown = [(a, n) for a, n in self.reserve.axes.items() if a in reading.upper and reading.size[a] < n]
        final = reading.fan * prod(n for _, n in grown) // prod(reading.size[a] for a, _ in grown)
        count = -(-final * up // radix) if self.spread == "near" else least_even(final, up, radix)
        if not grown or count is None:
            return
        said = " and ".join(f"{a} {n}" for a, n in grown)
        uneven = up % today or up % count  # some pairs have a link more, and growing changes which
        stay = "only some stay" if uneven else f"at most {reading.fan * today * min(up // today, up // count):,} stay"
        why = f"of the {reading.fan * up:,} links between {lower} and {subject} today, {stay}; with `spines: now` all do"
        site.decide(subject, f"{count} at {said}", why)

    def _because(self, fan: int, up: int, radix: int, need: int, even: int | None, lower: str) -> str:
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
        rate_up = up_rate(sockets, self.core, rate) or rate
        return down_ports(
            cages, split, sockets.split(port_group, rate_up) or 1, rate, rate_up, tier.oversubscription or self.oversubscription
        )
