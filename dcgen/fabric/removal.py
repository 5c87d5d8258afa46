"""Taking things out of a fabric: whole switches, or single links named by the switch port they end on."""

from dataclasses import replace
from math import prod

from dcgen.design import DeviceGroup, Join, Pack
from dcgen.design.wiring import agreed, port_orders
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


def _without(found: Selector, joins: list[Join], site: Site, origin: Path) -> list[Join]:
    group = site.groups[found.group]
    device = {axis: low for axis, low, high in found.ranges if low == high}
    if set(device) != set(group.sizes):
        missing = ", ".join(f"`{a}`" for a in group.sizes if a not in device)
        site.say(
            "bad-selector", f"`{found}` names a port and more than one device", fix=f"give one coordinate for {missing}", origin=origin
        )
        return joins
    part = site.used[group.part]
    assert isinstance(part, Switch)
    for name, ports in part.ports.items():
        place = labels(ports).get(found.port)
        for i, join in enumerate(joins) if place else ():
            link = _link(join, group, name, device, place, site) if place else None
            if link is not None:
                return [*joins[:i], replace(join, gone=(*join.gone, link)), *joins[i + 1 :]]
    known = [label for ports in part.ports.values() for label in labels(ports)]
    site.say("bad-selector", f"`{found}`: no link of this fabric ends on that port", fix=did_you_mean(found.port, known), origin=origin)
    return joins


def _link(
    join: Join, group: DeviceGroup, block: str, device: dict[str, int], place: tuple[int, int, int], site: Site
) -> dict[str, int] | None:
    """The digits of the link on that port of that device, if this bundle has one there."""
    from dcgen.design import Design

    cage, sub, split = place
    side = next((s for s, e in enumerate(join.ends) if e.group == group.name and e.block.name == block and e.block.split == split), None)
    if side is None:
        return None
    end = join.ends[side]
    position = cage * split + sub
    n = end.block.ports.index(position) if end.block.ports and position in end.block.ports else position - end.block.first * split
    a, b, size = agreed(Design("", site.groups), join)
    order = port_orders(join, a, b)[side]
    if end.spread is not None:
        member, m = device[end.spread.axis], group.sizes[end.spread.axis]
        n = (member * end.spread.capacity + n if isinstance(end.spread, Pack) else n * m + member) - end.spread.start
    if not 0 <= n < prod(size[d] for d in order):
        return None
    link: dict[str, int] = {}
    for d in reversed(order):
        n, link[d] = divmod(n, size[d])
    for axis in group.sizes:
        if end.spread is not None and axis == end.spread.axis:
            continue
        x = device[axis]
        for d in reversed(end.view.get(axis, (axis,))):
            x, link[d] = divmod(x, size[d])
    return link
