"""How full every tray is, stretch by stretch."""

from dataclasses import dataclass
from itertools import pairwise
from math import inf, pi

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, columns
from dcgen.design.hall import Tray
from dcgen.design.ladder import rungs
from dcgen.design.model import Design, Join, Media
from dcgen.parts import Cable

Reals = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Load:
    """A stretch of a tray: cables in it, their cross-section [m2] as far as it is known, of how many it is not, and what it may hold."""

    tray: Tray
    start_m: float
    stop_m: float
    cables: int
    section_m2: float
    unknown: int

    @property
    def limit_m2(self) -> float | None:
        """What may be filled; None where the tray's own cross-section is unknown."""
        return limit_m2(self.tray)

    @property
    def full(self) -> bool:
        """Whether more is in it than may be."""
        return self.limit_m2 is not None and self.section_m2 > self.limit_m2 + 1e-12

    @property
    def fill_1(self) -> float | None:
        """Filled share of the tray's whole cross-section; None where that is unknown."""
        return self.section_m2 / (self.tray.width_m * self.tray.depth_m) if self.tray.width_m and self.tray.depth_m else None


def limit_m2(tray: Tray) -> float | None:
    """Cross-section of cables that a tray may hold."""
    return tray.width_m * tray.depth_m * tray.max_fill_1 if tray.width_m and tray.depth_m else None


@dataclass(frozen=True, slots=True)
class _Flow:
    """Cables between pairs of racks: rack and rack, heights, how many, their cross-section, and of how many it is unknown."""

    a: Ints
    b: Ints
    za: Reals
    zb: Reals
    cables: Reals
    section_m2: Reals
    unknown: Reals


def loads(design: Design) -> list[Load]:
    """Every stretch of every tray between two places where a rack or another tray joins it, in order."""
    return Filling(design).loads()


def thick_m(design: Design, media: Media) -> float | None:
    """Diameter of a cable: its part's, else what the hall takes its medium to have."""
    assert design.hall is not None
    part = design.parts.get(media.cable)
    known = part.diameter_m if isinstance(part, Cable) else None
    return known.value if known else dict(design.hall.diameters).get(media.medium)


class Filling:
    """The trays of one design while they fill: what is in each stretch, and the way of every pair of racks."""

    def __init__(self, design: Design) -> None:
        assert design.hall is not None
        assert design.floor is not None
        self.design, self.hall, self.floor = design, design.hall, design.floor
        self._tiles = list(self.hall.tiles())
        self.index = {t.name: i for i, t in enumerate(self.hall.trays)}
        places: list[set[float]] = [{t.start_m, t.stop_m} for t in self.hall.trays]
        for tray, at in zip(self.floor.tray.ravel().tolist(), self.floor.at.ravel().tolist(), strict=True):
            if tray >= 0:
                places[tray].add(at)
        for e in self.floor.network.edges:
            if e.name in self.index:
                places[self.index[e.name]] |= {e.start_m, e.stop_m}
        self.places = [np.unique(np.round(sorted(p), 6)) for p in places]
        self.held = [np.zeros((3, len(p))) for p in self.places]
        self.flow = self._flow()
        self._lay()

    def _flow(self) -> _Flow:
        found = [f for join in self.design.bundles if join.field_cabled and (f := self._between(join)) is not None]
        every = np.concatenate(found, axis=1) if found else np.zeros((7, 0))
        return _Flow(every[0].astype(np.int64), every[1].astype(np.int64), *every[2:])

    def _between(self, join: Join) -> Reals | None:
        c = columns(self.design, join)
        a, b = self.floor.racks(join.a.group)[c.a], self.floor.racks(join.b.group)[c.b]
        heights = [self.floor.heights(e.group)[d] for e, d in ((join.a, c.a), (join.b, c.b))]
        rung = rungs(self.design, join, c, self.floor.routes(join, c)) if len(join.media) > 1 else np.zeros(len(c), np.int64)
        levels, at_level = np.unique(np.concatenate(heights), return_inverse=True)
        za, zb = np.split(at_level, 2)
        key = (((a * len(self._tiles) + b) * len(levels) + za) * len(levels) + zb) * max(1, len(join.media)) + rung
        key, first, number = np.unique(key[(a >= 0) & (b >= 0) & (a != b)], return_index=True, return_counts=True)
        if not len(key):
            return None
        rows = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))[first]
        pairs, at = np.stack([a[rows], b[rows], levels[za[rows]], levels[zb[rows]]]), rung[rows]
        share = [1 / p.ports if isinstance(p := self.design.parts.get(m.cable), Cable) else 1.0 for m in join.media] or [1.0]
        thick = [thick_m(self.design, m) for m in join.media] or [None]
        cables = number * np.asarray(share)[at]
        section = cables * np.asarray([pi / 4 * (d or 0.0) ** 2 for d in thick])[at]
        return np.stack([*pairs, cables, section, cables * np.asarray([d is None for d in thick])[at]])

    def _lay(self) -> None:
        """Put every pair of racks on its way: directly along one tray, between meeting points, or on its detour."""
        f, floor = self.flow, self.floor
        amounts = np.stack([f.cables, f.section_m2, f.unknown])
        i, j, p, q = floor.choices(f.a, f.b, f.za, f.zb)
        plain = floor.detour_of(f.a, f.b) < 0
        for n in np.flatnonzero(~plain).tolist():
            for name, x, y in self.hall.detours[int(floor.detour_of(f.a[n : n + 1], f.b[n : n + 1])[0])].stretches:
                self._add(np.asarray([self.index[name]]), np.asarray([x]), np.asarray([y]), amounts[:, n : n + 1])
        rows = np.flatnonzero(plain & (p < 0))
        a, b = f.a[rows], f.b[rows]
        self._add(floor.tray[i[rows], a], floor.at[i[rows], a], floor.at[j[rows], b], amounts[:, rows])
        rows = np.flatnonzero(plain & (p >= 0))
        ends = []
        for k, rack, end in ((i[rows], f.a[rows], p[rows]), (j[rows], f.b[rows], q[rows])):
            at = floor.at[k, rack]
            self._add(floor.tray[k, rack], at, at + floor.off[end, k, rack] * np.where(end == 1, 1, -1), amounts[:, rows])
            ends.append(floor.ends[end, k, rack])
        self._along(ends[0], ends[1], amounts[:, rows])
        self.held = [np.cumsum(h, axis=1) for h in self.held]

    def _along(self, start: Ints, end: Ints, amounts: Reals) -> None:
        """Add what runs between meeting points to the stretches of the shortest ways: each passes on what it is the way to."""
        points = len(self.floor.network)
        for first in np.unique(start).tolist():
            far, by, _ = self.floor.network.from_point(first)
            mine, carried = start == first, np.zeros((3, points))
            for row in range(3):
                np.add.at(carried[row], end[mine], amounts[row, mine])
            for at in sorted((n for n in range(points) if far[n] < inf), key=lambda n: -far[n]):
                edge = by[at]
                if edge is None or not carried[0, at]:
                    continue
                if edge.name in self.index:
                    tray = np.asarray([self.index[edge.name]])
                    self._add(tray, np.asarray([edge.start_m]), np.asarray([edge.stop_m]), carried[:, at : at + 1])
                carried[:, edge.a if edge.b == at else edge.b] += carried[:, at]

    def _add(self, tray: Ints, x: Reals, y: Reals, amounts: Reals) -> None:
        """Note where these amounts begin and end on these trays; summed up at the end."""
        for t in np.unique(tray).tolist():
            mine = tray == t
            low = np.searchsorted(self.places[t], np.round(np.minimum(x[mine], y[mine]), 6))
            high = np.searchsorted(self.places[t], np.round(np.maximum(x[mine], y[mine]), 6))
            for row in range(3):
                np.add.at(self.held[t][row], low, amounts[row, mine])
                np.subtract.at(self.held[t][row], high, amounts[row, mine])

    def loads(self) -> list[Load]:
        """What is in every stretch."""
        return [
            Load(tray, float(x), float(y), round(n), float(section), round(unknown))
            for tray, places, held in zip(self.hall.trays, self.places, self.held, strict=True)
            for (x, y), n, section, unknown in zip(pairwise(places), *(h[:-1] for h in held), strict=True)
        ]
