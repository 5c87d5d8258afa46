"""Links of two designs paired row by row: for bundles whose wiring rule is another one, where no form says what stays."""

from collections.abc import Iterable
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Columns, Ints, columns, lanes
from dcgen.design.kept import Bundle, InCommon, Shift, comparable, material
from dcgen.design.ladder import rungs
from dcgen.design.model import DeviceGroup, Media
from dcgen.design.region import Box

Places: TypeAlias = tuple[Ints, Ints]
"""Device and place (device and first lane) of every link at one end, as numbers that mean the same in both designs."""
Ends: TypeAlias = tuple[Places, Places]
Marks: TypeAlias = NDArray[np.bool_]


def matched(one: Bundle, other: Bundle) -> InCommon:
    """Links of both bundles, paired: first those with both ends in the same place, then by one end, then by their two devices."""
    columns_ = columns(one.design, one.join), columns(other.design, other.join)
    (a, b), (x, y) = (_ends(one, other, columns_, side) for side in (0, 1))
    mine, theirs = (a, x), (b, y)
    media, kinds = _materials(one, other, columns_)
    i, j = _pairs(mine[0][1], theirs[0][1])
    both = mine[1][1][i] == theirs[1][1][j]
    i, j = i[both], j[both]
    fate = np.asarray([["", "lengthened", "replaced"].index(material(m, n)) for m in media for n in media], np.int64)
    fates = fate[kinds[0][i] * len(media) + kinds[1][j]]
    same, lengthened, replaced = (int((fates == n).sum()) for n in range(3))
    renamed = _at_shifted(one, columns_[0], i[fates == 0])
    left, right = np.ones(len(a[0]), bool), np.ones(len(b[0]), bool)
    left[i] = right[j] = False
    most = min(int(left.sum()), int(right.sum()))
    found = 0
    for sides in ((0, 1), (1, 0)):
        found = max(found, _moved(mine, theirs, kinds, (left.copy(), right.copy()), sides)) if found < most else found
    return InCommon(same, renamed, lengthened, replaced, found)


def _materials(one: Bundle, other: Bundle, found: tuple[Columns, Columns]) -> tuple[list[Media | None], tuple[Ints, Ints]]:
    """(what links of either bundle are made of, each once; its number in that list for every link of both)."""
    media: list[Media | None] = []
    kinds = []
    for bundle, c in zip((one, other), found, strict=True):
        known = []
        for m in bundle.join.media or (None,):
            same = next((i for i, n in enumerate(media) if not material(m, n)), len(media))
            media += [m] if same == len(media) else []
            known.append(same)
        kinds.append(np.asarray(known, np.int64)[_rungs(bundle, c)])
    return media, (kinds[0], kinds[1])


def _rungs(bundle: Bundle, c: Columns) -> Ints:
    if len(bundle.join.media) < 2 or bundle.design.floor is None:
        return np.zeros(len(c), np.int64)
    return rungs(bundle.design, bundle.join, c, bundle.design.floor.routes(bundle.join, c))


def _moved(mine: Ends, theirs: Ends, kinds: tuple[Ints, Ints], left: tuple[Marks, Marks], sides: tuple[int, int]) -> int:
    """Links of equal material that can be paired by one end, then by the other, then by their devices; what is paired is unmarked."""
    found = 0
    for side in sides:
        here, there = np.flatnonzero(left[0]), np.flatnonzero(left[1])
        i, j = _pairs(mine[side][1][here], theirs[side][1][there])
        alike = kinds[0][here[i]] == kinds[1][there[j]]
        left[0][here[i[alike]]] = left[1][there[j[alike]]] = False
        found += int(alike.sum())
    return found + _between_alike(mine, theirs, kinds, left)


def _between_alike(mine: Ends, theirs: Ends, kinds: tuple[Ints, Ints], left: tuple[Marks, Marks]) -> int:
    width = max(int(e[1][0].max(initial=0)) for e in (mine, theirs)) + 1
    most = max(int(k.max(initial=0)) for k in kinds) + 1
    counted = [
        np.unique(((a[0] * width + b[0]) * most + kind)[rest], return_counts=True)
        for (a, b), kind, rest in zip((mine, theirs), kinds, left, strict=True)
    ]
    (these, n), (those, m) = counted
    _, i, j = np.intersect1d(these, those, assume_unique=True, return_indices=True)
    return int(np.minimum(n[i], m[j]).sum())


def _at_shifted(one: Bundle, c: Columns, links: Ints) -> int:
    """How many of these links end on a device that has other coordinates now."""
    if not one.shifted:
        return 0
    found = np.zeros(len(links), bool)
    for group, device in zip(one.groups, (c.a[links], c.b[links]), strict=True):
        found |= _shifted(group, one.shifts.get(group.name, ()))[device]
    return int(found.sum())


def _shifted(group: DeviceGroup, shifts: tuple[Shift, ...]) -> Marks:
    out = np.zeros(tuple(group.rulers.values()), bool)
    for selector, _ in shifts:
        box = selector.box
        out[tuple(slice(box[a].start, box[a].stop) if a in box else slice(None) for a in group.rulers)] = True
    return out.ravel()


def _pairs(these: Ints, those: Ints) -> tuple[Ints, Ints]:
    """Positions of equal numbers in both, each taken once."""
    order, twins = np.argsort(these, kind="stable"), np.argsort(those, kind="stable")
    mine, theirs = these[order], those[twins]
    if (mine[1:] == mine[:-1]).any() or (theirs[1:] == theirs[:-1]).any():  # a port that two links claim
        _, i, j = np.intersect1d(these, those, return_indices=True)
        return i, j
    at = np.searchsorted(mine, theirs)
    at[at == len(mine)] = 0
    both = mine[at] == theirs if len(mine) else np.zeros(len(theirs), bool)
    return order[at[both]], twins[both]


def _ends(one: Bundle, other: Bundle, columns_: tuple[Columns, Columns], side: int) -> tuple[Places, Places]:
    """The places at one end of both bundles, in numbers that they share."""
    groups = one.groups[side], other.groups[side]
    axes = {axis: max(g.rulers.get(axis, 1) for g in groups) for axis in (*groups[1].rulers, *groups[0].rulers)}
    found, wide, other_devices = [], 0, 0 if comparable(*groups) else prod(axes.values())
    for bundle, c, group in zip((one, other), columns_, groups, strict=True):
        end = bundle.join.ends[side]
        device = _numbers(group, axes, bundle.shifts.get(group.name, ()))[c.b if side else c.a]
        lane, _ = lanes(end, c.b_port if side else c.a_port)
        found.append((device, lane, end.block.name))
        wide = max(wide, int(lane.max(initial=0)) + 1)
    apart = found[0][2] != found[1][2]  # ports of two socket groups are never the same
    (device, lane, _), (twin, twin_lane, _) = found
    twin = twin + other_devices
    return (device, device * 2 * wide + lane), (twin, twin * 2 * wide + twin_lane + (wide if apart else 0))


def _numbers(group: DeviceGroup, axes: dict[str, int], shifts: tuple[Shift, ...]) -> Ints:
    """A number for every flat index of a group: mixed radix over `axes`, from where the device stands after its shift."""
    flat = np.arange(prod(group.rulers.values()), dtype=np.int64)
    at = dict(zip(group.rulers, np.unravel_index(flat, tuple(group.rulers.values())), strict=True)) if group.rulers else {}
    new = {axis: x.copy() for axis, x in at.items()}
    for selector, by in shifts:
        inside = np.ones(len(flat), bool)
        for axis, r in selector.box.items():
            inside &= (at[axis] >= r.start) & (at[axis] < r.stop)
        for axis, n in by.items():
            new[axis][inside] += n
    number = np.zeros_like(flat)
    for axis, size in axes.items():
        number = number * size + new.get(axis, 0)
    return number


def reracked(one: DeviceGroup, other: DeviceGroup, per_rack: tuple[int, int], boxes: Iterable[Box]) -> int:
    """Devices of both groups, in boxes of the axes of both, whose place in the order of coordinates is in another rack."""
    moved = 0
    for box in boxes:
        grid = np.meshgrid(*(np.arange(r.start, r.stop, dtype=np.int64) for r in box.values()), indexing="ij")
        at = dict(zip(box, grid, strict=True))
        rack = []
        for group, fill in zip((one, other), per_rack, strict=True):
            place = np.zeros(tuple(len(r) for r in box.values()), np.int64)
            for axis, size in group.sizes.items():
                place = place * size + at[axis]
            rack.append(place // fill)
        moved += int((rack[0] != rack[1]).sum())
    return moved
