"""The trays of a hall as a small graph: where they meet, and the shortest way from each meeting point to every other one."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from math import inf

from dcgen.design.hall import Duct, Hall, Tray

NOWHERE = -1
"""In place of a meeting point where there is none on that side."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A stretch between two meeting points: how long, of which tray or duct, and from where to where on it [m]."""

    a: int
    b: int
    length_m: float
    name: str
    start_m: float = 0.0
    stop_m: float = 0.0
    known: bool = True


@dataclass(frozen=True, slots=True)
class Attachment:
    """Where a rack's cables enter a tray: the tray, the place on it, and the meeting points before and after."""

    tray: int
    at_m: float
    left: int
    left_m: float
    right: int
    right_m: float


class Network:
    """Trays and ducts of a hall. Two trays meet where one crosses the other within both; between heights a cable goes straight up."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._points: list[dict[float, int]] = [{} for _ in hall.trays]
        self._count = 0
        links: list[Edge] = []
        for i, one in enumerate(hall.trays):
            for j in range(i + 1, len(hall.trays)):
                links += self._crossing(i, j, one, hall.trays[j])
        self.unattached: list[Duct] = []
        for duct in hall.ducts:
            links += self._duct(duct)
        stretches = [
            Edge(self._points[i][x], self._points[i][y], y - x, tray.name, x, y)
            for i, tray in enumerate(hall.trays)
            for x, y in pairwise(sorted(self._points[i]))
        ]
        self.edges = [*stretches, *links]

    def __len__(self) -> int:
        return self._count

    def _point(self, tray: int, at_m: float) -> int:
        at_m = round(at_m, 6)
        if at_m not in self._points[tray]:
            self._points[tray][at_m] = self._count
            self._count += 1
        return self._points[tray][at_m]

    def _crossing(self, i: int, j: int, one: Tray, other: Tray) -> list[Edge]:
        if one.room != other.room or bool(one.along) == bool(other.along):
            return []
        within = _holds(one, other.at_m) and _holds(other, one.at_m)
        if not within:
            return []
        if one.z_m == other.z_m and round(other.at_m, 6) not in self._points[i]:
            known = self._points[j].get(round(one.at_m, 6))
            point = self._point(i, other.at_m) if known is None else known
            self._points[i][round(other.at_m, 6)] = self._points[j][round(one.at_m, 6)] = point
            return []
        return [Edge(self._point(i, other.at_m), self._point(j, one.at_m), abs(one.z_m - other.z_m), "")]

    def _duct(self, duct: Duct) -> list[Edge]:
        ends = [self.over(row, position) for row, position in (duct.a, duct.b)]
        if None in ends:
            self.unattached.append(duct)
            return []
        points = [self._point(*end) for end in ends if end is not None]
        return [Edge(points[0], points[1], duct.length_m or 0.0, duct.name, known=duct.length_m is not None)]

    def over(self, row: str, position: int) -> tuple[int, float] | None:
        """The first tray over a tile, and the place on it."""
        x = self.hall.x_m(position)
        return next(((i, x) for i, t in enumerate(self.hall.trays) if t.along == row and _holds(t, x)), None)

    @cached_property
    def _next_to(self) -> list[list[tuple[int, Edge]]]:
        out: list[list[tuple[int, Edge]]] = [[] for _ in range(self._count)]
        for e in self.edges:
            out[e.a].append((e.b, e))
            out[e.b].append((e.a, e))
        return out

    def attachments(self, row: str, position: int) -> list[Attachment]:
        """Every tray that a rack on this tile reaches."""
        x = self.hall.x_m(position)
        return [self._attached(i, x) for i, t in enumerate(self.hall.trays) if t.along == row and _holds(t, x)]

    def _attached(self, tray: int, x_m: float) -> Attachment:
        left = max((m for m in self._points[tray] if m <= x_m + 1e-9), default=None)
        right = min((m for m in self._points[tray] if m >= x_m - 1e-9), default=None)
        return Attachment(
            tray,
            x_m,
            NOWHERE if left is None else self._points[tray][left],
            0.0 if left is None else max(0.0, x_m - left),
            NOWHERE if right is None else self._points[tray][right],
            0.0 if right is None else max(0.0, right - x_m),
        )

    def from_point(self, start: int) -> tuple[list[float], list[Edge | None], list[bool]]:
        """Dijkstra: (distance [m] to every point, the stretch by which each is reached, is that way's length known?)."""
        far, by = [inf] * self._count, [None] * self._count  # type: list[float], list[Edge | None]
        known = [True] * self._count
        far[start] = 0.0
        heap = [(0.0, start)]
        while heap:
            d, u = heappop(heap)
            if d > far[u]:
                continue
            for v, edge in self._next_to[u]:
                there = d + edge.length_m
                if there < far[v] - 1e-12:
                    far[v], by[v], known[v] = there, edge, known[u] and edge.known
                    heappush(heap, (there, v))
        return far, by, known

    def islands(self) -> list[set[int]]:
        """Trays that hang together, the largest island first."""
        owner = list(range(len(self.hall.trays)))

        def root(i: int) -> int:
            while owner[i] != i:
                i = owner[i]
            return i

        first: dict[int, int] = {}
        trays_of: dict[int, list[int]] = {}
        for i, points in enumerate(self._points):
            for p in points.values():
                trays_of.setdefault(p, []).append(i)
        for meeting in self._groups(trays_of):
            for i in meeting:
                owner[root(i)] = root(meeting[0])
        for i in range(len(owner)):
            first.setdefault(root(i), i)
        found = [{i for i in range(len(owner)) if root(i) == r} for r in first]
        return sorted(found, key=lambda x: (-len(x), min(x)))

    def _groups(self, trays_of: dict[int, list[int]]) -> Iterable[list[int]]:
        yield from trays_of.values()
        for e in self.edges:
            yield [trays_of[e.a][0], trays_of[e.b][0]]


def _holds(tray: Tray, at_m: float) -> bool:
    return tray.start_m - 1e-9 <= at_m <= tray.stop_m + 1e-9
