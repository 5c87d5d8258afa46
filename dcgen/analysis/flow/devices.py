"""A projected fabric link by link: devices numbered through, capacities after losses, who wants how much of whom, and which terminals
are twins: they hang on the same switches alike and are asked the same, so any two may change places."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.analysis.flow.picks import Devices, Links, Pick, present
from dcgen.analysis.flow.project import Projection
from dcgen.analysis.flow.traffic import Ask, Spread
from dcgen.design.columns import Ints, alive, columns
from dcgen.design.model import Join
from dcgen.design.region import Box
from dcgen.naming import address

Floats: TypeAlias = NDArray[np.float64]
Words: TypeAlias = NDArray[np.uint64]


@dataclass(frozen=True)
class Twins:
    """Vertices: one for each class of twins, with how many there are and one of them.

    `u`, `v`, `gbps` are the directed arcs with the capacity of all twins together.
    """

    count: Ints
    one: Ints
    of: Ints
    u: Ints
    v: Ints
    gbps: Floats


class Expanded:
    """All devices of a question, numbered through."""

    def __init__(self, projection: Projection, lost: Sequence[Pick]) -> None:
        self.projection = projection
        self.offsets: dict[str, int] = {}
        n = 0
        for name in present(projection):
            self.offsets[name] = n
            n += prod(projection.design.groups[name].rulers.values())
        self.n = n
        self.exists = np.zeros(n, bool)
        for name, start in self.offsets.items():
            here = alive(projection.design.groups[name])
            self.exists[start : start + len(here)] = here
        for pick in lost:
            if isinstance(pick, Devices):
                self.exists[self.inside(pick.group, pick.box)] = False
        self.u, self.v, self.gbps = self._links([x for x in lost if isinstance(x, Links)])

    def inside(self, group: str, box: Box) -> Ints:
        """Numbers of the devices of a group in a box of its axes."""
        g = self.projection.design.groups[group]
        shape = tuple(g.rulers.values())
        full = {**g.full, **box}
        return np.arange(prod(shape)).reshape(shape)[tuple(slice(r.start, r.stop) for r in full.values())].ravel() + self.offsets[group]

    def ends(self, join: Join) -> tuple[Ints, Ints]:
        """Numbers of the devices at both ends of every link of a bundle, lost or not."""
        c = columns(self.projection.design, join)
        return c.a + self.offsets[join.a.group], c.b + self.offsets[join.b.group]

    def _links(self, cuts: Sequence[Links]) -> tuple[Ints, Ints, Floats]:
        """Each pair of devices that is joined, once, with its capacity."""
        us, vs, ws = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
        for join in self.projection.joins:
            a, b = self.ends(join)
            keep = self.exists[a] & self.exists[b]
            for x in cuts:
                if x.bundle == join.name:
                    hit = np.isin(a, self.inside(join.a.group, x.a)) & np.isin(b, self.inside(join.b.group, x.b)) & keep
                    keep[_some(a, b, hit, x.times)] = False
            us.append(a[keep])
            vs.append(b[keep])
            ws.append(np.full(int(keep.sum()), float(join.rate_gbps)))
        one, other, w = np.concatenate(us), np.concatenate(vs), np.concatenate(ws)
        key, inverse = np.unique(np.minimum(one, other) * self.n + np.maximum(one, other), return_inverse=True)
        gbps = np.bincount(inverse, weights=w, minlength=len(key)).astype(np.float64)
        there = gbps > 0
        return key[there] // max(self.n, 1), key[there] % max(self.n, 1), gbps[there]

    def address(self, number: int) -> str:
        """Which device a number is."""
        name = max((g for g in self.offsets if self.offsets[g] <= number), key=lambda g: self.offsets[g])
        return address(name, self.projection.design.groups[name].coordinates(number - self.offsets[name]))

    def among(self, names: Sequence[str] | frozenset[str]) -> NDArray[np.bool_]:
        """Devices of these groups that exist."""
        out = np.zeros(self.n, bool)
        for name in names:
            if name in self.offsets:
                out[self.inside(name, {})] = True
        return out & self.exists


def _some(a: Ints, b: Ints, hit: NDArray[np.bool_], times: int | None) -> Ints:
    """Of the links that are hit, `times` of each pair of devices."""
    rows = np.flatnonzero(hit)
    if times is None or not len(rows):
        return rows
    order = rows[np.lexsort((b[rows], a[rows]))]
    new = np.ones(len(order), bool)
    new[1:] = (a[order][1:] != a[order][:-1]) | (b[order][1:] != b[order][:-1])
    first = np.maximum.accumulate(np.where(new, np.arange(len(order)), 0))
    return order[np.arange(len(order)) - first < times]


class Wanted:
    """Who wants how much of whom, asked one sender at a time."""

    def __init__(self, devices: Expanded, asked: Sequence[Ask]) -> None:
        self.n = devices.n
        self.spreads: list[tuple[NDArray[np.bool_], NDArray[np.bool_], Ints, float]] = []
        self.pairs: list[tuple[Ints, Ints]] = []
        for ask in asked:
            if isinstance(ask, Spread):
                sides = []
                for side in (ask.sources, ask.targets):
                    mask = np.zeros(self.n, bool)
                    for group, box in side:
                        mask[devices.inside(group, box)] = True
                    sides.append(mask & devices.exists)
                self.spreads.append((sides[0], sides[1], _keys(devices, ask), ask.weight))
            else:
                for group, box in ask.of:
                    self.pairs += _pairs(devices, group, box, ask.axis, ask.by, ask.rows)

    def senders(self) -> Ints:
        """Everybody who wants to send to somebody."""
        mask = np.zeros(self.n, bool)
        for sources, targets, key, _ in self.spreads:
            mates = np.bincount(key[targets], minlength=int(key.max(initial=0)) + 1)[key] - targets
            mask |= sources & (mates > 0)
        for src, _ in self.pairs:
            mask[src] = True
        return np.flatnonzero(mask)

    def of(self, s: int) -> Floats:
        """What one device sends to each."""
        out = np.zeros(self.n)
        for sources, targets, key, rate in self.spreads:
            if sources[s]:
                mates = targets & (key == key[s])
                mates[s] = False
                out += mates * (rate / max(int(mates.sum()), 1))
        for src, dst in self.pairs:
            np.add.at(out, dst[src == s], 1.0)
        return out

    def told_apart(self) -> list[Ints]:
        """Keys under which two devices must be alike to be asked the same."""
        out: list[Ints] = []
        for sources, targets, key, _ in self.spreads:
            out.append(np.where(sources | targets, key + 1, 0) * 4 + sources * 2 + targets)
        for src, dst in self.pairs:
            alone = np.zeros(self.n, np.int64)
            alone[src] = src + 1
            alone[dst] = dst + 1
            out.append(alone)
        return out


def _keys(devices: Expanded, ask: Spread) -> Ints:
    """A number for the coordinates on the axes `within`; alike in all groups that have the same axes."""
    out = np.zeros(devices.n, np.int64)
    groups = dict.fromkeys(g for g, _ in (*ask.sources, *ask.targets))
    rulers = {a: max(devices.projection.design.groups[g].rulers[a] for g in groups) for a in ask.within}
    for name in groups:
        g = devices.projection.design.groups[name]
        shape = tuple(g.rulers.values())
        number = np.zeros(shape, np.int64)
        for axis in ask.within:
            at = list(g.rulers).index(axis)
            along = np.arange(shape[at]).reshape([-1 if i == at else 1 for i in range(len(shape))])
            number = number * rulers[axis] + along
        out[devices.offsets[name] : devices.offsets[name] + number.size] = number.ravel()
    return out


def _pairs(devices: Expanded, group: str, box: Box, axis: str, by: int, rows: Sequence[tuple[int, int]]) -> list[tuple[Ints, Ints]]:
    """(senders, receivers) along an axis, among those that exist: a ring heals around who is missing."""
    g = devices.projection.design.groups[group]
    shape, names = tuple(g.rulers.values()), list(g.rulers)
    picked = np.zeros(devices.n, bool)
    picked[devices.inside(group, box)] = True
    start = devices.offsets[group]
    there = (picked & devices.exists)[start : start + prod(shape)].reshape(shape)
    number = np.arange(start, start + prod(shape)).reshape(shape)
    at = names.index(axis)
    alive_, lines = np.moveaxis(there, at, -1).reshape(-1, shape[at]), np.moveaxis(number, at, -1).reshape(-1, shape[at])
    if rows:
        both = [(x, y, alive_[:, x] & alive_[:, y]) for x, y in rows if max(x, y) < shape[at]]
        return [(lines[ok, x], lines[ok, y]) for x, y, ok in both if ok.any()]
    src, dst = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for line, ok in zip(lines, alive_, strict=True):
        ring = line[ok]
        if len(ring) and by % len(ring):
            src.append(ring)
            dst.append(np.roll(ring, -by))
    return [(np.concatenate(src), np.concatenate(dst))]


def twins(devices: Expanded, wanted: Wanted, random: np.random.Generator) -> Twins:
    """Classes of hosts that any permutation may exchange; every other device is a class of its own."""
    hosts = devices.among(devices.projection.hosts)
    r = random.integers(1, 2**63, size=devices.n, dtype=np.uint64) | np.uint64(1)
    sign = np.zeros(devices.n, np.uint64)
    rate = np.round(devices.gbps * 1000).astype(np.uint64)
    np.add.at(sign, devices.u, rate * r[devices.v])
    np.add.at(sign, devices.v, rate * r[devices.u])
    for start in devices.offsets.values():
        sign[start:] += np.uint64(start + 1) * np.uint64(0x9E3779B97F4A7C15)
    for key in wanted.told_apart():
        sign = sign * np.uint64(0xBF58476D1CE4E5B9) + key.astype(np.uint64)
    sign = np.where(hosts, sign, r)  # all that are no hosts stay apart
    there = np.flatnonzero(devices.exists)
    _, one, inverse, count = np.unique(sign[there], return_index=True, return_inverse=True, return_counts=True)
    of = np.full(devices.n, -1, np.int64)
    of[there] = inverse
    u, v = of[devices.u], of[devices.v]
    n = len(count)
    key, back = np.unique(np.concatenate([u * n + v, v * n + u]), return_inverse=True)
    gbps = np.bincount(back, weights=np.concatenate([devices.gbps, devices.gbps]), minlength=len(key)).astype(np.float64)
    return Twins(count.astype(np.int64), there[one], of, key // max(n, 1), key % max(n, 1), gbps)
