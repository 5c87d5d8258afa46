"""Links that two designs have in common, and links that merely end in other ports: without a row where the wiring rule is the same.

A link is its two ends, each a device (by the names of its coordinates; an axis that a side lacks is coordinate 0) and the first lane
that it takes there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Literal

from dcgen.design.model import Axis, Block, Deal, Design, DeviceGroup, End, Join, Media, Pack
from dcgen.design.region import Box, meet, volume
from dcgen.design.wiring import agreed, digit_boxes, members_needed, peers, port_orders, shared, taken_out
from dcgen.naming import Selector

Shift = tuple[Selector, Mapping[str, int]]
"""Devices whose coordinates have moved, and by how much along each axis."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """A bundle of one design; `shifts` are by group: where devices of that design stand in the other."""

    design: Design
    join: Join
    shifts: Mapping[str, tuple[Shift, ...]]

    @property
    def groups(self) -> tuple[DeviceGroup, DeviceGroup]:
        """The groups at both ends."""
        return self.design.groups[self.join.a.group], self.design.groups[self.join.b.group]

    @property
    def shifted(self) -> bool:
        """Whether devices at an end have moved."""
        return any(self.shifts.get(e.group) for e in self.join.ends)


def comparable(one: DeviceGroup, other: DeviceGroup) -> bool:
    """Whether coordinates of one group mean something in the other: not where each has an axis that the other has not."""
    return not (set(one.sizes) - set(other.sizes) and set(other.sizes) - set(one.sizes))


@dataclass(frozen=True, slots=True)
class InCommon:
    """Links of two bundles. With both ends in the same place: `same`, of these `renamed` at a device of other coordinates;
    `lengthened` of another ordered length, `replaced` of another cable or transceiver. `moved` have an end elsewhere and can stay
    plugged at the other, or run between the same two devices: as many as can be paired."""

    same: int = 0
    renamed: int = 0
    lengthened: int = 0
    replaced: int = 0
    moved: int = 0


def in_common(one: Bundle, other: Bundle, numbers: tuple[int, int]) -> InCommon:
    """What is left of the links of one design in another one; `numbers` are how many each has."""
    single = len(one.join.media) <= 1 and len(other.join.media) <= 1
    found = None if one.shifted or other.shifted or not single else _by_rule(one, other, numbers)
    if found is None:
        from dcgen.design.matched import matched

        return matched(one, other)
    same, moved = found
    media = [b.join.media[0] if b.join.media else None for b in (one, other)]
    fate = material(*media)
    if fate == "replaced":
        return InCommon(replaced=same)
    return InCommon(lengthened=same) if fate else InCommon(same, moved=moved)


def material(before: Media | None, after: Media | None) -> Literal["", "lengthened", "replaced"]:
    """What happens to a cable that stays in its two ports; what is no cable yet, or none any more, is replaced."""
    if before is None or after is None:
        return "" if before is after else "replaced"
    if (before.medium, before.cable, before.optics) != (after.medium, after.cable, after.optics):
        return "replaced"
    return "lengthened" if before.length_m != after.length_m else ""


def same_rule(one: Bundle, other: Bundle) -> bool:
    """Whether links go where they go by one rule, however many devices there are and whatever its digits are called."""
    if type(one.join.pairs) is not type(other.join.pairs) or set(one.join.ways) != set(other.join.ways):
        return False
    return all(a.form == b.form for a, b in zip(_rules(one), _rules(other), strict=True))


@dataclass(frozen=True, slots=True)
class _Rule:
    """What decides where the links of one end go, with digits named by what they are digits of."""

    devices: tuple[tuple[str, tuple[str, ...], tuple[int, ...], int], ...]
    order: tuple[str, ...]
    steps: tuple[int, ...]
    block: Block
    spread: Deal | Pack | None
    members: int

    @property
    def form(self) -> tuple[object, ...]:
        """The rule without what follows from how many there are."""
        return self.devices, self.order, self.block, self.spread

    def moved(self, other: "_Rule") -> tuple[str, ...] | None:
        """The digits that a port number counts in other steps; None where more than that differs."""
        if self.form != other.form:
            return None
        steps = [b - a for a, b in zip(self.steps, other.steps, strict=True)]
        if self.spread and (any(steps) or self.members != other.members):
            return None
        if min(steps, default=0) < 0 < max(steps, default=0):
            return None
        return tuple(d for d, n in zip(self.order, steps, strict=True) if n)


def _rules(bundle: Bundle) -> tuple[_Rule, _Rule]:
    join = bundle.join
    a, b, size = agreed(bundle.design, join)
    names, rules = _names(bundle) | {"peer": "peer"}, []
    for group, end, order, sizes in zip(bundle.groups, join.ends, port_orders(join, a, b), peers(join, size), strict=True):
        devices = []
        for axis in sorted(group.sizes):
            if not (end.spread and axis == end.spread.axis):
                view = _view(end, axis)
                devices.append((axis, tuple(names[d] for d in view), tuple(size[d] for d in view[1:]), end.shift.get(axis, 0)))
        steps = tuple(prod(sizes[d] for d in order[i + 1 :]) for i in range(len(order)))
        members = group.sizes[end.spread.axis] if end.spread else 0
        lane = getattr(end.spread, "lane", "")
        spread = replace(end.spread, lane=names.get(lane, "")) if isinstance(end.spread, Deal) and lane else end.spread
        rules.append(_Rule(tuple(devices), tuple(names[d] for d in order), steps, end.block, spread, members))
    return rules[0], rules[1]


def _view(end: End, axis: str) -> tuple[str, ...]:
    return end.view.get(axis, (axis,))


def _by_rule(one: Bundle, other: Bundle, numbers: tuple[int, int]) -> tuple[int, int] | None:
    """The same by the form of both bundles; None where only rows can tell."""
    joins = one.join, other.join
    if any(j.pairs for j in joins) or any(_missing_members(b, side) for b in (one, other) for side in (0, 1)):
        return None
    moved = [a.moved(b) for a, b in zip(_rules(one), _rules(other), strict=True)]
    if None in moved or all(moved) or set(joins[0].ways) != set(joins[1].ways):
        return None
    shifted = moved[0] or moved[1] or ()
    both, unmoved = _counted(one, other, shifted)
    left = [n - both for n in numbers]
    grown = [joins[1].ways[w] - n for w, n in joins[0].ways.items()]
    loose = taken_out(joins[0]) != taken_out(joins[1]) or min(grown, default=0) < 0 < max(grown, default=0)
    return None if all(left) and (shifted or loose) else (unmoved, both - unmoved)


def _missing_members(bundle: Bundle, side: int) -> bool:
    """Whether links fall on members that are absent, or beyond the last one: these have no closed form."""
    end, group = bundle.join.ends[side], bundle.groups[side]
    if end.spread is None:
        return False
    return bool(group.absent) or members_needed(bundle.design, bundle.join, side) > group.sizes[end.spread.axis]


def _counted(one: Bundle, other: Bundle, shifted: tuple[str, ...]) -> tuple[int, int]:
    """(links that both bundles have by their digits, those of them with every `shifted` digit 0)."""
    found = _meeting(one, other)
    if found is None:
        return 0, 0
    design, join = found
    _, _, size = agreed(design, join)
    names = _names(Bundle(design, join, {}))
    zero = {d for d, name in names.items() if name in shifted}
    sides = [digit_boxes(design.groups[e.group], e, size) for e in join.ends]
    boxes = [box | {w: range(n) for w, n in join.ways.items()} for p, q in product(*sides) if (box := shared(p, q)) is not None]
    both = _volume(boxes, join)
    return both, _volume([{d: _at_zero(r) if d in zero else r for d, r in box.items()} for box in boxes], join) if zero else both


def _volume(boxes: list[Box], join: Join) -> int:
    """Links in boxes of digits, without those taken out."""
    gone = sum(any(all(x in box[d] for d, x in link.items() if d in box) for box in boxes) for link in taken_out(join))
    return sum(volume(box) for box in boxes) - gone


def _at_zero(r: range) -> range:
    return range(1) if 0 in r else range(0)


def _names(bundle: Bundle) -> dict[str, str]:
    """Digit of a bundle -> what it is a digit of."""
    names = {w: f"way {w}" for w in bundle.join.ways}
    for sign, group, end in zip("ba", reversed(bundle.groups), reversed(bundle.join.ends), strict=True):
        for axis in group.sizes:
            names |= {d: f"{sign} {axis} {i}" for i, d in enumerate(_view(end, axis))}
    return names


def _meeting(one: Bundle, other: Bundle) -> tuple[Design, Join] | None:
    """A bundle of the devices, ways and links that both have; None where they have none."""
    groups: dict[str, DeviceGroup] = {}
    ends: list[End] = []
    for side, end in enumerate(other.join.ends):
        mine, theirs = one.groups[side], other.groups[side]
        axes = tuple(Axis(a.name, min(a.size, mine.sizes[a.name])) for a in theirs.axes)
        groups[theirs.name] = replace(theirs, axes=axes, absent=(*theirs.absent, *mine.absent))
        selected = [e.where for e in (end, one.join.ends[side])]
        where = meet(groups[theirs.name].full, selected[0])
        where = where and meet(where, selected[1])
        if where is None:
            return None
        ends.append(replace(end, where={axis: r for axis, r in where.items() if axis in selected[0] or axis in selected[1]}))
    ways = {w: min(n, one.join.ways[w]) for w, n in other.join.ways.items()}
    gone = (*other.join.gone, *_in_names_of(one, other))
    return Design("", groups), replace(other.join, a=ends[0], b=ends[1], ways=ways, gone=gone)


def _in_names_of(one: Bundle, other: Bundle) -> list[dict[str, int]]:
    """The links taken out of one bundle, by the names that the other has for the same digits."""
    known = {name: d for d, name in _names(other).items()}
    mine = _names(one)
    return [{known[mine[d]]: x for d, x in link.items()} for link in taken_out(one.join)]
