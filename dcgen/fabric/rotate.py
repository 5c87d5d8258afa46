"""`fill: rotate`: each device's first ports on switches 0, 1, 2 ...; those beyond the last switch rotate from device to device."""

from dataclasses import replace
from itertools import groupby

from dcgen.design import Block, Design, DeviceGroup, End, Join, Table
from dcgen.design.wiring import ports_needed
from dcgen.fabric.served import Leaves, Served, finished


def rotated(made: Leaves, served: list[Served], count: int) -> Leaves | None:
    """The bundles to so many switches; None after saying what cannot be rotated.

    Devices of equally many ports count on in one range of ports; those of another number begin a range of their own.
    """
    start = 0
    for _, kinds in groupby(served, key=lambda s: s.endpoint.ports.size):
        joins: list[tuple[Served, Join]] = []
        for s in kinds:
            axis = _counted_axis(made, s)
            if axis is None:
                return None
            joins.append((s, _turned(made, s, axis, count, start)))
            start += s.endpoint.group.rulers[axis]
        final = Design("", made.site.groups | {s.endpoint.group.name: _grown(s.endpoint.group) for s, _ in joins})
        block = made.take(served[0], max(ports_needed(final, j, 1) for _, j in joins))
        made.joins += [finished(made, s, replace(j, b=replace(j.b, block=block))) for s, j in joins]
        start %= count
    return made


def _counted_axis(made: Leaves, s: Served) -> str | None:
    """The one axis along which devices are counted; None after saying that there are several."""
    group = s.endpoint.group
    long_axes = [a.name for a in group.axes if a.size > 1]
    if len(long_axes) > 1 or made.tier.per or not group.axes:
        what = f"`fill: rotate` counts devices along one axis, {group.name} has {' and '.join(long_axes) or 'none'}"
        made.site.say("bad-choice", what, fix="use `deal`, or name the devices by one axis", origin=(*made.at, "fill"))
        return None
    return (long_axes or [a.name for a in group.axes])[0]


def _turned(made: Leaves, s: Served, axis: str, count: int, start: int) -> Join:
    """The bundle of one kind of device, its first device being number `start`; the range of ports is not known yet."""
    e = s.endpoint
    rows = tuple(((k,), (j if j < count else (k + j - count) % count,), 1) for k in range(count) for j in range(e.ports.size))
    others = tuple(a.name for a in e.group.axes if a.name != axis)
    sizes = {d: n for d, n in s.reading.sizes.items() if d in others}
    sizes |= {"round.": -(-(start + e.group.rulers[axis]) // count), "turn.": count}
    block = Block(e.block, 0, e.split, e.ports.lanes)
    lower = End(e.group.name, block, {axis: ("round.", "turn.")}, ("peer",), shift={axis: start})
    upper = End(made.group.name, Block(s.sockets, 0, s.split), order=(*others, "round.", "peer"))
    return Join("", lower, upper, sizes=sizes, pairs=Table(("turn.",), (made.key,), rows))


def _grown(group: DeviceGroup) -> DeviceGroup:
    """The group with every axis grown into its room."""
    return replace(group, axes=tuple(replace(a, size=a.ruler) for a in group.axes))
