"""The first tier: which endpoint's port goes to which switch — by axes, or packed, dealt, rotated or walked round a ring."""

from dataclasses import replace

from dcgen.design import Axis, Block, Deal, End, Join, Pack
from dcgen.diagnostics import Path
from dcgen.fabric.base import Endpoint, Site
from dcgen.fabric.per import faults, read, widened
from dcgen.fabric.rotate import rotated
from dcgen.fabric.served import Leaves, Served, finished
from dcgen.fabric.sockets import Sockets
from dcgen.fabric.spread import down_ports
from dcgen.fabric.tier import Tier, group_of, modes, sockets_of, up_rate


def lay_out_leaves(
    name: str, key: str, tier: Tier, endpoints: list[Endpoint], uppers: tuple[str, ...], above: Tier | None, oversubscription: float,
    site: Site, at: Path,
) -> Leaves | None:  # fmt: skip
    """The switches of a tier over endpoints and the bundles to them; None after saying what is wrong. `uppers` are the tiers that
    come above, `above` is the next of them."""
    sockets = sockets_of(tier, site, at)
    if sockets is None or not _rate_is_there(tier, endpoints, name, key, site, at):
        return None
    named = tier.count is None and tier.per and not tier.home
    counted = uppers if named else (key, *uppers)
    served = [s for e in endpoints if (s := _served(e, name, key, tier, sockets, counted, site, at))]
    if len(served) < len(endpoints) or not served:
        return None
    own = _merged([s.reading.axes for s in served])
    if not _alike_ports(served, own, name, key, tier, site, at):
        return None
    switches = {a.name: a.ruler for a in own}
    served = [replace(s, reading=widened(s.reading, tier.per, switches, s.endpoint.ports.axes)) for s in served]
    if named:
        if not _final_size_fits(served, name, key, sockets, site, at):
            return None
        group = site.add(group_of(name, key, tier, sockets, own, 1, at))
        made = Leaves(name, key, tier, site, at, sockets, group, [])
        for s in served:
            block = made.take(s, s.reading.final_fan)
            made.joins.append(_join(made, s, End(group.name, block, order=s.reading.upper)))
        return made
    return _counted(name, key, tier, served, own, sockets, above, oversubscription, site, at)


def _rate_is_there(tier: Tier, endpoints: list[Endpoint], name: str, key: str, site: Site, at: Path) -> bool:
    """A rate that is written for links to endpoints must be that of some: theirs are the ports that set it."""
    rates = {e.rate_gbps: e.name for e in reversed(endpoints)}
    if tier.rate_gbps is None or tier.rate_gbps in rates:
        return True
    said = ", ".join(f"{e.name} runs at {e.rate_gbps:g}G" for e in endpoints)
    what, fix = f"nothing that `{name}` serves runs at {tier.rate_gbps:g}G", "write a rate that is there, or none"
    site.say("rate-mismatch", what, said, fix, subject=f"{name}/{key}", origin=(*at, "rate"))
    return False


def _alike_ports(served: list[Served], own: tuple[Axis, ...], name: str, key: str, tier: Tier, site: Site, at: Path) -> bool:
    """Whether all have as many ports along the axes of ports that are read as there are switches: a port more would be invented."""
    wrong = False
    for s in served:
        for p, mine, all_of in zip(tier.per, s.reading.axes, own, strict=True):
            if p.axis in s.endpoint.ports.axes and mine.size < all_of.size:
                wrong = True
                other = next(o.endpoint.name for o in served if all_of in o.reading.axes)
                what = f"`{p}`: {s.endpoint.name} reaches {mine.size} of the {all_of.size} that {other} makes"
                fix = "serve it by a fabric of its own, or leave the entry out"
                site.say(
                    "bad-per", what, f"{s.endpoint.name} has {s.reading.size[p.axis]} along `{p.axis}`", fix, f"{name}/{key}", (*at, "per")
                )
    return not wrong


def _final_size_fits(served: list[Served], name: str, key: str, sockets: Sockets, site: Site, at: Path) -> bool:
    """Whether switches that hold today's ports have room for those that are to come; what is too much today a rule says."""
    for sockets_name, split in dict.fromkeys((s.sockets, s.split) for s in served):
        mine = [s.reading for s in served if (s.sockets, s.split) == (sockets_name, split)]
        need, today, have = sum(r.final_fan for r in mine), sum(r.fan for r in mine), sockets.free(sockets_name) * split
        if today <= have < need:
            what = f"{name}/{key}: {need:,} ports needed at the final size, {sockets.switch.part} has {have}, short by {need - have:,}"
            fix = "reserve less, let fewer devices share a switch (`per:`), or choose one with more ports"
            site.say("port-shortage", what, f"{today:,} are needed today", fix, f"{name}/{key}", (*at, "part"))
            return False
    return True


def _served(
    e: Endpoint, name: str, key: str, tier: Tier, sockets: Sockets, counted: tuple[str, ...], site: Site, at: Path
) -> Served | None:
    wrong = faults(tier.per, e.group.axes, e.ports.axes, e.name, counted)
    for text in wrong:
        site.say("bad-per", text, subject=f"{name}/{key}", origin=(*at, "per"))
    if wrong:
        return None
    if found := sockets.fitting(e.rate_gbps, tier.split):
        return Served(e, read(tier.per, e.group.axes, e.ports.axes), *found)
    site.say(
        "rate-mismatch",
        f"`{sockets.switch.part}` has no port for the {e.rate_gbps:g}G of {e.name}",
        *modes(sockets.switch),
        origin=(*at, "part"),
    )
    return None


def _counted(
    name: str, key: str, tier: Tier, served: list[Served], own: tuple[Axis, ...], sockets: Sockets, above: Tier | None, ratio: float,
    site: Site, at: Path,
) -> Leaves | None:  # fmt: skip
    """Leaves that are counted, not named by an axis; all their endpoints share one running range of ports."""
    first = served[0]
    if any((s.sockets, s.split, s.endpoint.rate_gbps) != (first.sockets, first.split, first.endpoint.rate_gbps) for s in served):
        rates = ", ".join(f"{s.endpoint.name} {s.endpoint.rate_gbps:g}G" for s in served)
        site.say("rate-mismatch", f"counted leaves serve one rate: {rates}", fix="serve them by fabrics of their own", origin=at)
        return None
    total, most = _numbers(served), _most(first, tier, sockets, above, ratio)
    if not most and tier.count is None:
        what = f"{name}/{key}: `{tier.part}` has no port left for {first.endpoint.name}"
        why = f"{sockets.free(first.sockets)} cages that are not reserved; what faces down must leave room for uplinks"
        site.say("port-shortage", what, why, "choose a switch with more ports", f"{name}/{key}", (*at, "part"))
        return None
    need = -(-total // most) if most else 1
    count = need if tier.count is None else tier.count
    if count == 0:
        fix = "leave the fabric out, or write `count: derived`"
        site.say("no-spine", f"`{name}` has endpoints and 0 leaves", fix=fix, origin=(*at, "count"))
        return None
    said = "derived" if tier.count is None else "pinned"
    site.decide(f"{name}/{key}", f"{count} {said}", f"{total:,} ports of endpoints, {most} to a {key}: {need} needed")
    dealt = tier.fill == "deal"
    final = sum(s.reading.final_fan for s in served)
    room = -(-final // most) if tier.count is None and tier.fill == "pack" and not tier.home else 0
    group = site.add(group_of(name, key, tier, sockets, (*own, Axis(key, count, room if room > count else 0)), 1, at))
    made = Leaves(name, key, tier, site, at, sockets, group, [])
    if tier.fill == "rotate" and count > 1:
        return rotated(made, served, count)
    if tier.home:
        return _ring(made, served, count)
    capacity = max(most, -(-total // count)) if tier.count else most
    block = made.take(first, -(-final // count) if dealt else min(capacity, final))
    start = 0
    for s in served:
        spread = Deal(key, start) if dealt else Pack(key, capacity, start)
        made.joins.append(_join(made, s, End(group.name, block, order=s.reading.upper, spread=spread)))
        start += s.reading.final_fan
    return made


def _ring(made: Leaves, served: list[Served], count: int) -> Leaves | None:
    """Each device's ports walk round a ring of switches; each kind of device begins a range of ports, where the last one ended in the
    ring. None after saying that a device has more ports than there are switches."""
    start = 0
    for s in served:
        lane = next(reversed(s.reading.ways), "")
        lanes = s.reading.ways.get(lane, 1)
        if lanes > count:
            what = f"{s.endpoint.name}: {lanes} ports of one device on a ring of {count} switches"
            made.site.say("port-conflict", what, "two of them would meet on one switch", "add switches", origin=(*made.at, "count"))
            return None
        block = made.take(s, _fullest(s.reading.final_fan + (0 if lane else start), count, lanes))
        order = tuple(d for d in s.reading.upper if d != lane)
        made.joins.append(_join(made, s, End(made.group.name, block, order=order, spread=Deal(made.key, start, lane))))
        start = (start + s.reading.final_fan // lanes) % count
    return made


def _numbers(served: list[Served]) -> int:
    """One more than the highest number that a port has today, in the range that all share; the room of axes is passed over."""
    return sum(s.reading.final_fan for s in served[:-1]) + served[-1].reading.ports


def _fullest(numbers: int, count: int, lanes: int) -> int:
    """Ports on the fullest of so many switches when they are dealt round, each device's `lanes` ports from one switch to the next.

    The devices of the last, incomplete round put their ports on switches that lie side by side, and some get several.
    """
    rounds, left = divmod(-(-numbers // lanes), count)
    return rounds * lanes + min(lanes, left)


def _most(first: Served, tier: Tier, sockets: Sockets, above: Tier | None, ratio: float) -> int:
    """Ports of a leaf that may face endpoints, given what it must keep for uplinks."""
    rate, cages = first.endpoint.rate_gbps, sockets.free(first.sockets)
    rate_up = up_rate(sockets, above, rate) if above else None
    if rate_up and (found := sockets.fitting(rate_up)) and found[0] == first.sockets:
        return down_ports(cages, first.split, found[1], rate, rate_up, tier.oversubscription or ratio)
    return cages * first.split


def _join(made: Leaves, s: Served, upper: End) -> Join:
    r, e = s.reading, s.endpoint
    lower = End(e.group.name, Block(e.block, 0, e.split, e.ports.lanes), r.view, r.lower)
    return finished(made, s, Join("", lower, upper, r.on, r.ways, r.sizes))


def _merged(all_axes: list[tuple[Axis, ...]]) -> tuple[Axis, ...]:
    """The switches' own axes when several kinds of endpoint are served: as many coordinates as the largest asks for."""
    return tuple(Axis(x[0].name, max(a.size for a in x), max(a.ruler for a in x)) for x in zip(*all_axes, strict=True))
