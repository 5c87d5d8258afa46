"""Taking things out of a fabric: whole switches, or single links named by the switch port they end on."""

from dataclasses import replace
from math import prod

from dcgen.design import Design, DeviceGroup, Join, Pack
from dcgen.design.wiring import agreed, port_orders, ports_needed
from dcgen.diagnostics import Path, did_you_mean
from dcgen.fabric.base import Site
from dcgen.fabric.sockets import labels
from dcgen.naming import Selector, SelectorError, parse_selector
from dcgen.parts import Switch


def selected(text: str, site: Site, origin: Path) -> Selector | None:
    """A selector that points into an existing group, with coordinates that exist; None after saying what is wrong."""
    try:
        found = parse_selector(text)
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
    part = site.used[group.part]
    assert isinstance(part, Switch)
    places = [(name, place) for name, ports in part.ports.items() if (place := labels(ports).get(found.port))]
    ending = [(i, *end) for name, place in places for i, join in enumerate(joins) if (end := _end(join, group, name, device, place, site))]
    if any(_wound(joins[i]) for i, _, _ in ending):
        what = f"`{found}`: a single link of a rotated or ring spread cannot be taken out by its port, nor that of a tenant"
        site.say("bad-selector", what, fix="take the device out", origin=origin)
        return joins
    for i, side, n in ending:
        link = _link(joins[i], side, n, group, device, site)
        return [*joins[:i], replace(joins[i], gone=(*joins[i].gone, link)), *joins[i + 1 :]]
    known = [label for ports in part.ports.values() for label in labels(ports)]
    site.say("bad-selector", f"`{found}`: no link of this fabric ends on that port", fix=did_you_mean(found.port, known), origin=origin)
    return joins


def _wound(join: Join) -> bool:
    """Whether the digits of a link do not follow from its port number alone: rotated, walked round a ring, or row by row."""
    return join.pairs is not None or any(getattr(end.spread, "lane", "") for end in join.ends)


def _end(
    join: Join, group: DeviceGroup, block: str, device: dict[str, int], place: tuple[int, int, int], site: Site
) -> tuple[int, int] | None:
    """(which end of the bundle has that port of that device, the number of the link there), if it has one."""
    cage, sub, split = place
    side = next((s for s, e in enumerate(join.ends) if e.group == group.name and e.block.name == block and e.block.split == split), None)
    if side is None:
        return None
    end, position = join.ends[side], cage * split + sub
    if end.block.ports is None:
        n = position - end.block.first * split
    elif position in end.block.ports:
        n = end.block.ports.index(position)
    else:
        return None
    design = Design("", site.groups)
    if not 0 <= n < ports_needed(design, join, side):
        return None
    if end.spread is None or _wound(join):
        return side, n
    member, m = device[end.spread.axis], group.sizes[end.spread.axis]
    n = (member * end.spread.capacity + n if isinstance(end.spread, Pack) else n * m + member) - end.spread.start
    a, b, size = agreed(design, join)
    return (side, n) if 0 <= n < prod(size[d] for d in port_orders(join, a, b)[side]) else None


def _link(join: Join, side: int, n: int, group: DeviceGroup, device: dict[str, int], site: Site) -> dict[str, int]:
    """The digits of link `n` of that device."""
    end, (a, b, size) = join.ends[side], agreed(Design("", site.groups), join)
    link: dict[str, int] = {}
    for d in reversed(port_orders(join, a, b)[side]):
        n, link[d] = divmod(n, size[d])
    for axis in group.sizes:
        if end.spread is not None and axis == end.spread.axis:
            continue
        x = device[axis] + end.shift.get(axis, 0)
        for d in reversed(end.view.get(axis, (axis,))):
            x, link[d] = divmod(x, size[d])
    return link
