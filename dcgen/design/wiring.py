"""What a join means, without a single row: digits, port orders, counts and ports needed, all in closed form."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import prod

from dcgen.design.model import Deal, Design, DeviceGroup, End, Join, Line, Mesh, Pack
from dcgen.design.pairs import between, most
from dcgen.design.pairs import digits as digits_of
from dcgen.design.region import Box, interval_digits, meet, volume


class WiringError(ValueError):
    """A join that does not say one thing; a mistake of whoever built it, never of the blueprint's author."""


def mixed(digits: tuple[str, ...], xs: Mapping[str, int], size: Mapping[str, int]) -> int:
    """Mixed-radix number of the digits, major first."""
    n = 0
    for d in digits:
        n = n * size[d] + xs[d]
    return n


def digits(group: DeviceGroup, end: End, sizes: dict[str, int]) -> dict[str, int]:
    """Digit -> size (its ruler) at one end, without the member axis of its spread; a selected axis is measured up to its last device."""
    out: dict[str, int] = {}
    if end.spread and any(end.spread.axis in read for read in (end.where, end.shift, end.view)):
        raise WiringError(f"{end.group}: {end.spread.axis} is spread over, so it cannot be selected, shifted or read in digits")
    for axis, ruler in group.rulers.items():
        if end.spread and axis == end.spread.axis:
            continue
        reach = min(ruler, end.where[axis].stop) if axis in end.where else ruler
        names, need = end.view.get(axis, (axis,)), reach + end.shift.get(axis, 0)
        for d in names:
            if d in out:
                raise WiringError(f"{end.group}: the digit {d} is read twice")
            out[d] = sizes.get(d, need) if len(names) == 1 else sizes[d]
        if prod(out[d] for d in names) < need:
            raise WiringError(f"{end.group}.{axis}: {need} coordinates do not fit the digits {names}")
    return out


def agreed(design: Design, join: Join) -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    """(digits of a, digits of b, size of every digit of the link box).

    Raises:
        WiringError: a digit that both ends have and `on` does not name, or the reverse; ways that an end has as a digit.
    """
    base = {**join.sizes, **join.ways}
    a, b = (digits(design.groups[e.group], e, base) for e in join.ends)
    both = set(a) & set(b)
    if both != set(join.on):
        raise WiringError(f"{join.name}: both ends have {sorted(both)}, the join says {sorted(join.on)}: agree, or rename one")
    if taken := set(join.ways) & {*a, *b}:
        raise WiringError(f"{join.name}: {sorted(taken)} are ways and digits of an end: rename one")
    size = {**base, **a, **b}
    size.update({d: max(a[d], b[d]) for d in join.on})
    return a, b, size


def peers(join: Join, size: dict[str, int]) -> tuple[dict[str, int], dict[str, int]]:
    """The sizes of digits at each end: all of the link box, and `peer` where digits are paired."""
    if join.pairs is None:
        return size, size
    a, b = most(join.pairs, size)
    return size | {"peer": a}, size | {"peer": b}


def port_orders(join: Join, a: dict[str, int], b: dict[str, int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The digits of the port number at each end, checked to be exactly the digits it lacks and the ways.

    Paired digits of the other end are together one digit, `peer`; the lane of a spread is no digit of the number. Unless an order
    is given, ways come last and by name: how a mapping happens to be filled never decides a port.
    """
    out = []
    paired = digits_of(join.pairs)
    for end, mine, other, far in ((join.a, a, b, paired[1]), (join.b, b, a, paired[0])):
        lane = getattr(end.spread, "lane", "")
        peer = ("peer",) if join.pairs else ()
        lacked = (*(d for d in other if d not in mine and d not in far and d != lane), *peer, *(w for w in sorted(join.ways) if w != lane))
        order = lacked if end.order is None else end.order
        if len(order) != len(lacked) or set(order) != set(lacked):
            raise WiringError(f"{join.name}: the port number of {end.group} must use each of {sorted(lacked)} once, not {list(order)}")
        out.append(order)
    return out[0], out[1]


def digit_boxes(group: DeviceGroup, end: End, sizes: dict[str, int], boxes: list[Box] | None = None) -> list[Box]:
    """The end's region in digits, disjoint; without the member axis of a spread (whose members then must be a full range)."""
    out: list[Box] = []
    for box in group.boxes if boxes is None else boxes:
        here = meet(box, end.where)
        if here is None:
            continue
        per_axis = []
        for axis, r in here.items():
            if end.spread and axis == end.spread.axis:
                continue
            names, shift = end.view.get(axis, (axis,)), end.shift.get(axis, 0)
            size = [sizes.get(d, group.rulers[axis] + shift) for d in names]
            per_axis.append([dict(zip(names, p, strict=True)) for p in interval_digits(r.start + shift, r.stop + shift, size)])
        out += [{k: v for piece in combination for k, v in piece.items()} for combination in product(*per_axis)]
    return out


def shared(p: Box, q: Box) -> Box | None:
    """Where two digit boxes agree, over the digits of both."""
    out = dict(p)
    for d, r in q.items():
        low, high = (max(p[d].start, r.start), min(p[d].stop, r.stop)) if d in p else (r.start, r.stop)
        if low >= high:
            return None
        out[d] = range(low, high)
    return out


def device_at(design: Design, join: Join, side: int, link: Mapping[str, int]) -> dict[str, int]:
    """Coordinates of the device that a single link, given by its digits, has at one end.

    The member of a spread is left out where the digits alone do not say it: in pairs, and where lanes walk round a ring.
    """
    end, group, at = join.ends[side], design.groups[join.ends[side].group], {}
    spread = end.spread
    for axis in group.sizes:
        if spread is None or axis != spread.axis:
            names = end.view.get(axis, (axis,))
            at[axis] = mixed(names, link, {**dict.fromkeys(names, 1), **join.sizes}) - end.shift.get(axis, 0)
    if spread is not None and join.pairs is None and not getattr(spread, "lane", ""):
        a, b, size = agreed(design, join)
        n = mixed(port_orders(join, a, b)[side], link, size) + spread.start
        at[spread.axis] = n // spread.capacity if isinstance(spread, Pack) else n % group.sizes[spread.axis]
    return {axis: at[axis] for axis in group.sizes if axis in at}


def digits_at(design: Design, join: Join, side: int, device: Mapping[str, int]) -> dict[str, int]:
    """The digits that a device has at one end, from its coordinates; the member of a spread has none."""
    end, out = join.ends[side], dict[str, int]()
    for axis in design.groups[end.group].sizes:
        if end.spread is None or axis != end.spread.axis:
            first, *rest = end.view.get(axis, (axis,))
            x = device[axis] + end.shift.get(axis, 0)
            for d in reversed(rest):
                x, out[d] = divmod(x, join.sizes[d])
            out[first] = x
    return out


def taken_out(join: Join) -> list[dict[str, int]]:
    """The links of `gone`, each once: one link can be named from both of its ends."""
    return [dict(link) for link in dict.fromkeys(tuple(sorted(link.items())) for link in join.gone)]


def links(design: Design, join: Join) -> int:
    """Links of a bundle, holes and removed links included, without expanding one.

    A spread end whose members are absent, or too few, has no closed form and is counted on columns.
    """
    holed = any(design.groups[e.group].absent or e.where for e in join.ends)
    uncut = isinstance(join.pairs, Mesh | Line) and holed  # pairs of a Mesh or Line between pieces of an axis
    if any(_missing_members(design, join, side) for side in (0, 1)) or uncut or (join.pairs and join.gone):
        from dcgen.design.columns import columns

        return len(columns(design, join))
    _, _, size = agreed(design, join)
    a, b = (digit_boxes(design.groups[e.group], e, size) for e in join.ends)
    ways = prod(join.ways.values())
    found = [(p, q, box) for p, q in product(a, b) if (box := shared(p, q)) is not None]
    if join.pairs:
        paired = {d for names in digits_of(join.pairs) for d in names}
        free = [(between(join.pairs, p, q, size), {d: r for d, r in box.items() if d not in paired}) for p, q, box in found]
        return sum(n * volume(rest) for n, rest in free) * ways
    gone = sum(any(all(x in box[d] for d, x in link.items() if d in box) for _, _, box in found) for link in taken_out(join))
    return sum(volume(box) for _, _, box in found) * ways - gone


def _missing_members(design: Design, join: Join, side: int) -> bool:
    """Whether links fall on members that are absent, or beyond the last one."""
    spread, group = join.ends[side].spread, design.groups[join.ends[side].group]
    return spread is not None and (bool(group.absent) or members_needed(design, join, side) > group.sizes[spread.axis])


def _numbers(design: Design, join: Join, side: int) -> int:
    """One more than the highest number n at one end, before any spread; 0 where nothing meets."""
    a, b, size = agreed(design, join)
    order = port_orders(join, a, b)[side]
    size = peers(join, size)[side]
    ways = {w: range(n) for w, n in join.ways.items()} | ({"peer": range(size["peer"])} if join.pairs else {})
    regions = [digit_boxes(design.groups[e.group], e, size, [design.groups[e.group].full]) for e in join.ends]
    found = [box | ways for p, q in product(*regions) if (box := shared(p, q)) is not None]
    return max((mixed(order, {d: box[d].stop - 1 for d in order}, size) + 1 for box in found), default=0)


def ports_needed(design: Design, join: Join, side: int) -> int:
    """Ports that the fullest device needs at one end, counted with everything absent put back in; for a Pack at most so many."""
    end, n = join.ends[side], _numbers(design, join, side)
    if end.spread is None or not n:
        return n
    if isinstance(end.spread, Pack):
        return min(end.spread.capacity, n + end.spread.start)
    if end.spread.lane:
        from dcgen.design.columns import columns

        whole = replace(design, groups={k: replace(g, absent=()) for k, g in design.groups.items()})
        c = columns(whole, replace(join, gone=()))
        return int((c.b_port if side else c.a_port).max(initial=-1)) + 1
    return -(-(n + end.spread.start) // design.groups[end.group].sizes[end.spread.axis])


def members_needed(design: Design, join: Join, side: int) -> int:
    """Members that a Pack or Deal at one end runs into."""
    end = join.ends[side]
    if isinstance(end.spread, Pack):
        n = _numbers(design, join, side)
        return -(-(n + end.spread.start) // end.spread.capacity) if n else 0
    assert isinstance(end.spread, Deal)
    return design.groups[end.group].sizes[end.spread.axis]
