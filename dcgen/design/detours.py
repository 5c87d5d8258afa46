"""The ways that cables take round a stretch of tray that is full."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from dcgen.design.fill import Filling, limit_m2
from dcgen.design.hall import Detour, Hall
from dcgen.design.model import Design
from dcgen.design.trays import NOWHERE, Attachment

Reals = NDArray[np.float64]


def relieved(design: Design) -> Hall:
    """The hall with detours for what overfills a tray, as long as another way has room.

    Pairs of racks are taken one after the other, those whose detour costs least first, each on the shortest way that still has room for
    all its cables.
    """
    filling = Filling(design)
    full = {(x.tray.name, x.start_m) for x in filling.loads() if x.full}
    if not full:
        return filling.hall
    graph = _Fine(filling)
    detours: list[Detour] = list(filling.hall.detours)
    for pair in graph.crossing(full):
        if not graph.over(pair):
            continue
        found = graph.around(pair)
        if found is not None:
            detours.append(found)
    return replace(filling.hall, detours=tuple(detours))


@dataclass(frozen=True, slots=True)
class _Pair:
    """All cables between two racks, and the stretches they are in: (tray, number of the stretch)."""

    a: int
    b: int
    amount: Reals
    stretches: tuple[tuple[int, int], ...]
    length_m: float


class _Fine:
    """The trays as stretches between all places, with what each still holds: for the few pairs that must go another way."""

    def __init__(self, filling: Filling) -> None:
        self.f = filling
        self.tiles = list(filling.hall.tiles())
        self.room = [
            np.full(h.shape[1], inf) if (most := limit_m2(t)) is None else most - h[1]
            for t, h in zip(filling.hall.trays, filling.held, strict=True)
        ]
        self.next_to: dict[tuple[int, int], list[tuple[tuple[int, int], float, tuple[int, int] | None]]] = {}
        for t, places in enumerate(filling.places):
            for s, (x, y) in enumerate(pairwise(places)):
                self._join((t, s), (t, s + 1), float(y - x), (t, s))
        for (t, x), (u, y), length in self._meetings():
            self._join((t, x), (u, y), length, None)

    def _join(self, a: tuple[int, int], b: tuple[int, int], length_m: float, stretch: tuple[int, int] | None) -> None:
        self.next_to.setdefault(a, []).append((b, length_m, stretch))
        self.next_to.setdefault(b, []).append((a, length_m, stretch))

    def _meetings(self) -> Iterator[tuple[tuple[int, int], tuple[int, int], float]]:
        trays = self.f.hall.trays
        for i, one in enumerate(trays):
            for j in range(i + 1, len(trays)):
                other = trays[j]
                if one.room != other.room or bool(one.along) == bool(other.along):
                    continue
                if one.start_m - 1e-9 <= other.at_m <= one.stop_m + 1e-9 and other.start_m - 1e-9 <= one.at_m <= other.stop_m + 1e-9:
                    yield self._place(i, other.at_m), self._place(j, one.at_m), abs(one.z_m - other.z_m)
        for e in self.f.floor.network.edges:
            if e.known and e.name and e.name not in self.f.index:
                duct = next(d for d in self.f.hall.ducts if d.name == e.name)
                ends = [self.f.floor.network.over(*end) for end in (duct.a, duct.b)]
                if ends[0] and ends[1]:
                    yield self._place(*ends[0]), self._place(*ends[1]), e.length_m

    def _place(self, tray: int, at_m: float) -> tuple[int, int]:
        return tray, int(np.searchsorted(self.f.places[tray], round(at_m, 6)))

    def crossing(self, full: set[tuple[str, float]]) -> list[_Pair]:
        """Pairs of racks with cables in a full stretch, the shorter detour first, then in order of racks."""
        flow, merged = self.f.flow, dict[tuple[int, int], Reals]()
        for n in range(len(flow.a)):
            key = int(flow.a[n]), int(flow.b[n])
            key = key if key[0] < key[1] else (key[1], key[0])
            amount = np.asarray([flow.cables[n], flow.section_m2[n], flow.unknown[n]])
            merged[key] = merged.get(key, np.zeros(3)) + amount
        numbers = {(self.f.index[name], int(np.searchsorted(self.f.places[self.f.index[name]], x))) for name, x in full}
        out = []
        for (a, b), amount in merged.items():
            way = self._search(a, b, None)
            if way and set(way[1]) & numbers:
                other = self._search(a, b, 0.0, closed=numbers)
                out.append((other[0] - way[0] if other else inf, a, b, _Pair(a, b, amount, way[1], way[0])))
        return [p for *_, p in sorted(out, key=lambda x: x[:3])]

    def over(self, pair: _Pair) -> bool:
        """Whether one of its stretches still holds too much."""
        return any(self.room[t][s] < -1e-12 for t, s in pair.stretches)

    def around(self, pair: _Pair) -> Detour | None:
        """Take a pair out of its way and put it on the shortest one with room; None, and all as before, where there is none."""
        for t, s in pair.stretches:
            self.room[t][s] += pair.amount[1]
        found = self._search(pair.a, pair.b, float(pair.amount[1]))
        for t, s in found[1] if found else pair.stretches:
            self.room[t][s] -= pair.amount[1]
        if found is None:
            return None
        named = tuple((self.f.hall.trays[t].name, float(self.f.places[t][s]), float(self.f.places[t][s + 1])) for t, s in found[1])
        return Detour(self.tiles[pair.a][:2], self.tiles[pair.b][:2], round(found[0], 6), named)

    def _search(
        self, a: int, b: int, need_m2: float | None, closed: set[tuple[int, int]] | None = None
    ) -> tuple[float, tuple[tuple[int, int], ...]] | None:
        """Dijkstra from rack to rack over stretches with room (all of them where `need_m2` is None): (length, stretches)."""
        start, goal = ({self._place(t.tray, t.at_m): self._drop(t.tray) for t in self._over(rack)} for rack in (a, b))
        far = dict(start)
        by: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int] | None]] = {}
        heap = sorted((d, s) for s, d in start.items())
        end = (NOWHERE, NOWHERE)
        while heap:
            d, u = heappop(heap)
            if d > far[u]:
                continue
            if u == end:
                at, _ = by.pop(end)
                first, stretches = self._back(by, at)
                return d - start[first] - goal[at], stretches
            steps = [*self.next_to.get(u, ()), *([(end, goal[u], None)] if u in goal else [])]
            for v, length, stretch in steps:
                if stretch is not None and not self._open(stretch, need_m2, closed):
                    continue
                if d + length < far.get(v, inf) - 1e-12:
                    far[v], by[v] = d + length, (u, stretch)
                    heappush(heap, (d + length, v))
        return None

    def _over(self, rack: int) -> list[Attachment]:
        return self.f.floor.network.attachments(*self.tiles[rack][:2])

    def _drop(self, tray: int) -> float:
        return abs(self.f.hall.trays[tray].z_m - self.f.hall.unit_m)

    def _open(self, stretch: tuple[int, int], need_m2: float | None, closed: set[tuple[int, int]] | None) -> bool:
        if closed and stretch in closed:
            return False
        return need_m2 is None or self.room[stretch[0]][stretch[1]] >= need_m2 - 1e-12

    def _back(
        self, by: dict[tuple[int, int], tuple[tuple[int, int], tuple[int, int] | None]], at: tuple[int, int]
    ) -> tuple[tuple[int, int], tuple[tuple[int, int], ...]]:
        """(where the way to a place began, its stretches)."""
        out = []
        while at in by:
            at, stretch = by[at]
            out += [stretch] if stretch else []
        return at, tuple(reversed(out))
