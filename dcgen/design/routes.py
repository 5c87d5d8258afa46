"""How long the way of every cable is: up to the tray, along the shortest way through trays and ducts, and down again."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Columns, Ints
from dcgen.design.hall import UNIT_M, Hall
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.placement import racks
from dcgen.design.refine import flat_of_box
from dcgen.design.trays import NOWHERE, Network

Reals = NDArray[np.float64]

METHOD = "up to the tray, along the shortest way, down, plus {lead:g} m from port to riser and {slack:g} m spare at each end"
"""The rule in words."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Per link of a bundle: the length of its way [m], rounded to millimetres, and whether all of that way is measured."""

    length_m: Reals
    known: NDArray[np.bool_]


def rack_numbers(design: Design, group: DeviceGroup) -> Ints:
    """Flat index -> number of the rack that the device stands in, in the order racks are filled; -1 where nothing was declared."""
    out = np.full(prod(group.rulers.values()), -1, np.int64)
    every = np.asarray(flat_of_box(design, group.name, group.full))
    n = np.arange(len(every))
    if group.inside:
        number = np.zeros_like(n)
        for axis in group.rack_axes:
            below = prod(list(group.sizes.values())[list(group.sizes).index(axis) + 1 :])
            number = number * group.sizes[axis] + n // below % group.sizes[axis]
        out[every] = number
    else:
        out[every] = n // racks(design, group).per_rack
    return out


def places_in_rack(design: Design, group: DeviceGroup) -> Ints:
    """Flat index -> how manieth device of its rack it is, in the order of coordinates; -1 where nothing was declared."""
    number = rack_numbers(design, group)
    out = np.full(len(number), -1, np.int64)
    here = np.flatnonzero(number >= 0)
    every = np.asarray(flat_of_box(design, group.name, group.full))
    order = np.argsort(number[every], kind="stable")
    ranked = number[every][order]
    first = np.r_[0, np.flatnonzero(np.diff(ranked)) + 1] if len(here) else np.zeros(0, np.int64)
    out[every[order]] = np.arange(len(every)) - np.repeat(first, np.diff(np.r_[first, len(every)]))
    return out


class Floor:
    """Everything about a design's hall that does not depend on the single cable: made once, asked for every bundle."""

    def __init__(self, design: Design, hall: Hall) -> None:
        self._design, self._hall = design, hall
        self.network = Network(hall)
        self._tiles = list(hall.tiles())
        self.offsets: dict[str, int] = {}
        self._index: dict[str, Ints] = {}
        for i, (_, _, group, rack) in enumerate(self._tiles):
            self._index.setdefault(group, np.zeros(0, np.int64))
            known = self._index[group]
            if rack >= len(known):
                self._index[group] = known = np.r_[known, np.full(max(rack + 1, 2 * len(known)) - len(known), -1)]
            known[rack] = i
        self._attach()
        self._measure()
        self._racks: dict[str, Ints] = {}
        self._heights: dict[str, Reals] = {}

    def _attach(self) -> None:
        found = [self.network.attachments(row, position) for row, position, _, _ in self._tiles]
        self.ways = max((len(f) for f in found), default=0)
        shape = (max(1, self.ways), len(found))
        self.tray = np.full(shape, -1, np.int64)
        self.at, self.z = np.zeros(shape), np.zeros(shape)
        self.ends = np.full((2, *shape), NOWHERE, np.int64)
        self.off = np.zeros((2, *shape))
        for i, attachments in enumerate(found):
            for k, a in enumerate(attachments):
                self.tray[k, i], self.at[k, i], self.z[k, i] = a.tray, a.at_m, self._hall.trays[a.tray].z_m
                self.ends[:, k, i] = a.left, a.right
                self.off[:, k, i] = a.left_m, a.right_m

    def _measure(self) -> None:
        """Distances between the meeting points; one more row and column stands for `nowhere`, which nothing reaches."""
        n = len(self.network)
        self.far, self.known = np.full((n + 1, n + 1), np.inf), np.ones((n + 1, n + 1), bool)
        for p in range(n):
            far, _, known = self.network.from_point(p)
            self.far[p, :n], self.known[p, :n] = far, known

    def racks(self, group: str) -> Ints:
        """Flat index of a device -> its rack, numbered through over all groups; -1 where it has no place."""
        if group not in self._racks:
            g = self._design.groups[group]
            number, own = rack_numbers(self._design, g), self._index.get(g.inside or g.beside or group, np.zeros(0, np.int64))
            there = (number >= 0) & (number < len(own))
            self._racks[group] = np.where(there, np.r_[own, -1][np.where(there, number, -1)], -1)
        return self._racks[group]

    def units(self, group: str) -> Reals:
        """Flat index of a device -> its lowest rack unit, counted from 1; not a number where nothing says it."""
        if group not in self._heights:
            g = self._design.groups[group]
            said = dict(self._hall.units).get(group, ())
            place = places_in_rack(self._design, g) if said else np.zeros(prod(g.rulers.values()), np.int64)
            out = np.full(len(place), np.nan)
            if len(said) == 1:
                height = self._design.parts[g.part].height_u
                out = np.where(place >= 0, said[0] + place * (height.value if height else np.nan), np.nan)
                out[place == 0] = said[0]
            elif said:
                out = np.r_[np.asarray(said, float), np.nan][np.where((place >= 0) & (place < len(said)), place, len(said))]
            self._heights[group] = out
        return self._heights[group]

    def heights(self, group: str) -> Reals:
        """Flat index of a device -> height above the floor at which it is connected [m], as said or as assumed."""
        unit = self.units(group)
        return np.where(np.isnan(unit), self._hall.unit_m, unit * UNIT_M)

    def detour_of(self, a: Ints, b: Ints) -> Ints:
        """Per pair of racks the number of the hall's detour for it, -1 where it goes the shortest way."""
        if not self._hall.detours:
            return np.full(len(a), -1, np.int64)
        at = {(row, p): i for i, (row, p, _, _) in enumerate(self._tiles)}
        known = {tuple(sorted((at[d.a], at[d.b]))): n for n, d in enumerate(self._hall.detours)}
        keys = np.asarray([low * len(self._tiles) + high for low, high in known])
        order = np.argsort(keys)
        key = np.minimum(a, b) * len(self._tiles) + np.maximum(a, b)
        place = np.minimum(np.searchsorted(keys[order], key), len(keys) - 1)
        return np.where(keys[order][place] == key, np.asarray(list(known.values()))[order][place], -1)

    def choices(self, a: Ints, b: Ints, za: Reals, zb: Reals) -> tuple[Ints, Ints, Ints, Ints]:
        """Per pair of racks its shortest way: tray of the one, tray of the other, and the meeting points before (0) or after (1) them,
        -1 where both are on one tray and it is direct."""
        out = np.zeros((4, len(a)), np.int64)
        out[2:] = -1
        best = np.full(len(a), np.inf)
        for i in range(self.ways):
            for j in range(self.ways):
                up = np.abs(self.z[i, a] - za) + np.abs(self.z[j, b] - zb)
                there = (self.tray[i, a] >= 0) & (self.tray[j, b] >= 0)
                for p, q in ((-1, -1), (0, 0), (0, 1), (1, 0), (1, 1)):
                    if p < 0:
                        way = np.where(self.tray[i, a] == self.tray[j, b], np.abs(self.at[i, a] - self.at[j, b]), np.inf)
                    else:
                        way = self.off[p, i, a] + self.far[self.ends[p, i, a], self.ends[q, j, b]] + self.off[q, j, b]
                    total = np.where(there, up + way, np.inf)
                    better = total < best - 1e-12
                    best = np.where(better, total, best)
                    out[:, better] = np.asarray([i, j, p, q])[:, None]
        return out[0], out[1], out[2], out[3]

    def routes(self, join: Join, c: Columns) -> Routes:
        """The way of every link of a bundle. A device without a place makes its links unknown, at 0 m: a lower bound."""
        hall = self._hall
        ra, rb = self.racks(join.a.group)[c.a], self.racks(join.b.group)[c.b]
        ua, ub = self.units(join.a.group)[c.a], self.units(join.b.group)[c.b]
        za, zb = self.heights(join.a.group)[c.a], self.heights(join.b.group)[c.b]
        out, known = np.full(len(c), np.inf), np.ones(len(c), bool)
        for i in range(self.ways):
            for j in range(self.ways):
                self._shortest(i, j, ra, rb, za, zb, out, known)
        self._around(ra, rb, za, zb, out)
        same = ra == rb
        apart = np.where(np.isnan(ua) | np.isnan(ub), hall.rack_u / 2, np.abs(ua - ub)) * UNIT_M
        out[same], known[same] = apart[same], True
        lost = ~np.isfinite(out) | (ra < 0) | (rb < 0)
        out[lost], known[lost] = 0.0, False
        return Routes(np.round(out + 2 * (hall.lead_m + hall.slack_m), 3), known)

    def _around(self, ra: Ints, rb: Ints, za: Reals, zb: Reals, out: Reals) -> None:
        """Put what has a detour in place of the shortest way."""
        if not self._hall.detours:
            return
        number = self.detour_of(ra, rb)
        index = {t.name: i for i, t in enumerate(self._hall.trays)}
        for n in np.unique(number[number >= 0]).tolist():
            detour, rows = self._hall.detours[n], np.flatnonzero(number == n)
            first, last = (self._hall.trays[index[detour.stretches[k][0]]].z_m for k in (0, -1))
            turned = np.asarray([self._tiles[r][:2] == detour.b for r in ra[rows].tolist()])
            up = np.abs(np.where(turned, last, first) - za[rows]) + np.abs(np.where(turned, first, last) - zb[rows])
            out[rows] = up + detour.length_m

    def _shortest(self, i: int, j: int, ra: Ints, rb: Ints, za: Reals, zb: Reals, out: Reals, known: NDArray[np.bool_]) -> None:
        """Lower `out` by the ways that leave through tray `i` of the first rack and come in through tray `j` of the second."""
        up = np.abs(self.z[i, ra] - za) + np.abs(self.z[j, rb] - zb)
        there = (self.tray[i, ra] >= 0) & (self.tray[j, rb] >= 0)
        along = np.where(self.tray[i, ra] == self.tray[j, rb], np.abs(self.at[i, ra] - self.at[j, rb]), np.inf)
        sure = np.ones(len(ra), bool)
        for p in (0, 1):
            for q in (0, 1):
                a, b = self.ends[p, i, ra], self.ends[q, j, rb]
                way = self.off[p, i, ra] + self.far[a, b] + self.off[q, j, rb]
                better = way < along
                along, sure = np.where(better, way, along), np.where(better, self.known[a, b], sure)
        total = np.where(there, up + along, np.inf)
        better = total < out
        out[better], known[better] = total[better], sure[better]
