"""Taking things out of a fabric: whole switches, or single links named by the switch port they end on."""

from dataclasses import replace
from math import prod

from dcgen.design import Design, DeviceGroup, Join, Pack
from dcgen.design.wiring import agreed, device_at, digits_at, port_orders, ports_needed
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric.base import Site
from dcgen.fabric.sockets import Place
from dcgen.naming import Selector, SelectorError, in_full, parse_selector


def selected(text: str, site: Site, origin: Path) -> Selector | None:
    """A selector that points into an existing group, with coordinates that exist; None after saying what is wrong. The name of an
    entry of `racks:` stands for its racks or nodes."""
    try:
        found = parse_selector(in_full(text, site.groups))
    except SelectorError as e:
        site.say("bad-selector", e.what, fix=e.fix, origin=origin)
        return None
    group = site.groups.get(found.group)
    if group is None:
        site.say("bad-selector", f"`{text}`: there is no group `{found.group}`", fix=did_you_mean(found.group, site.groups), origin=origin)
        return None
    for axis, low, high in found.ranges:
        size = group.sizes.get(axis)
        if size is None:
            site.say("bad-selector", f"`{text}`: {group.name} has no axis `{axis}`", fix=did_you_mean(axis, group.sizes), origin=origin)
            return None
        if high >= size:
            said = f"{low}..{high}" if high > low else str(low)
            site.say("bad-selector", f"`{text}`: `{axis}` of {group.name} runs from 0 to {size - 1}, not to {said}", origin=origin)
            return None
    return found


def removed(texts: list[str], joins: list[Join], tiers: list[str], site: Site, origin: Path) -> list[Join]:
    """The bundles without the links named by port; switches named without a port go absent in the site."""
    for i, text in enumerate(texts):
        at = (*origin, i)
        found = selected(text, site, at)
        if found is None:
            continue
        if found.group not in tiers:
            site.say("bad-selector", f"`{text}` is not a switch of this fabric", fix=did_you_mean(found.group, tiers), origin=at)
        elif not found.port:
            group = site.groups[found.group]
            site.groups[found.group] = replace(group, absent=(*group.absent, replace(found, port="")))
        else:
            joins = _without(found, joins, site, at)
    return joins


def pinned(found: Selector, site: Site) -> tuple[dict[str, int], str]:
    """(the coordinates that the selector gives one by one, the axes of its group that lack one, for a message)."""
    place = {axis: low for axis, low, high in found.ranges if low == high}
    return place, ", ".join(f"`{a}`" for a in site.groups[found.group].sizes if a not in place)


def _without(found: Selector, joins: list[Join], site: Site, origin: Path) -> list[Join]:
    group = site.groups[found.group]
    device, missing = pinned(found, site)
    if missing:
        what = f"`{found}` names a port and more than one device"
        site.say("bad-selector", what, fix=f"give one coordinate for {missing}", origin=origin)
        return joins
    ports = site.places(group)
    ending = [
        (i, side, n)
        for place in ports.get(found.port, ())
        for i, join in enumerate(joins)
        for side in (0, 1)
        if (n := _number(join, side, group, device, place, site)) is not None
    ]
    if any(_wound(joins[i]) for i, _, _ in ending):
        what = f"`{found}`: a single link of a rotated or ring spread cannot be taken out by its port, nor that of a tenant"
        site.say("bad-selector", what, fix="take the device out", origin=origin)
        return joins
    for i, side, n in ending:
        if link := _link(joins[i], side, n, device, site):
            return [*joins[:i], replace(joins[i], gone=(*joins[i].gone, link)), *joins[i + 1 :]]
    site.say("bad-selector", f"`{found}`: no link of this fabric ends on that port", fix=did_you_mean(found.port, ports), origin=origin)
    return joins


def _wound(join: Join) -> bool:
    """Whether the digits of a link do not follow from its port number alone: rotated, walked round a ring, or row by row."""
    return join.pairs is not None or any(getattr(end.spread, "lane", "") for end in join.ends)


def _number(join: Join, side: int, group: DeviceGroup, device: dict[str, int], place: Place, site: Site) -> int | None:
    """The number of the link that the bundle may have on that port of that device; None where the bundle does not reach it."""
    end = join.ends[side]
    there = (end.group, end.block.name, end.block.split) == (group.name, place.block, place.split)
    if not there or any(device[axis] not in r for axis, r in end.where.items()):
        return None
    position = place.cage * place.split + place.sub
    if end.block.ports is None:
        n = position - end.block.first * place.split
    elif position in end.block.ports:
        n = end.block.ports.index(position)
    else:
        return None
    return n if 0 <= n < ports_needed(Design("", site.groups), join, side) else None


def _link(join: Join, side: int, n: int, device: dict[str, int], site: Site) -> dict[str, int] | None:
    """The digits of the link on port `n` of that device; None where the device at its other end is not one of the bundle's."""
    design, end = Design("", site.groups), join.ends[side]
    a, b, size = agreed(design, join)
    order = port_orders(join, a, b)[side]
    if end.spread is not None:
        member, m = device[end.spread.axis], site.groups[end.group].sizes[end.spread.axis]
        n = (member * end.spread.capacity + n if isinstance(end.spread, Pack) else n * m + member) - end.spread.start
    if not 0 <= n < prod(size[d] for d in order):
        return None
    link = digits_at(design, join, side, device)
    for d in reversed(order):
        n, link[d] = divmod(n, size[d])
    far, other = site.groups[join.ends[1 - side].group], device_at(design, join, 1 - side, link)
    box = far.full | join.ends[1 - side].where
    return link if all(0 <= x < far.sizes[axis] and x in box[axis] for axis, x in other.items()) else None
