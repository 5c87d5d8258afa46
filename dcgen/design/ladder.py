"""Which of a bundle's media each of its cables is: by the length of its way, and by what its neighbours in the same cage are.

A bundle's media are a ladder. Rungs of one cable and the same transceivers are one *kind*. The ports of one cage share a transceiver,
so a cable is of the first kind that covers the longest way among those it shares cages with; of that kind it has the first length
that covers its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Columns, Ints, cages, columns
from dcgen.design.model import Design, End, Join
from dcgen.design.routes import Routes
from dcgen.design.tally import fan_side, per_cable

Reals = NDArray[np.float64]
TO_MEASURE = "to be measured"
"""Basis of cables whose way leads through something of unknown length."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Rungs `first` to `stop` of a ladder, the lengths they have, and how many links one cable carries."""

    first: int
    lengths_m: tuple[float, ...]
    per_cable: int = 1

    @property
    def limit_m(self) -> float:
        """The longest way it covers; a length that is to be measured covers any."""
        return self.lengths_m[-1] or np.inf


def kinds(design: Design, join: Join) -> list[Kind]:
    """The kinds of a bundle's ladder, in the order of what they cover."""
    out: list[Kind] = []
    before = None
    for i, m in enumerate(join.media):
        made_of = (m.medium, m.cable, m.optics)
        if made_of == before:
            out[-1] = Kind(out[-1].first, (*out[-1].lengths_m, m.length_m), out[-1].per_cable)
        else:
            out.append(Kind(i, (m.length_m,), per_cable(design, m)))
        before = made_of
    return out


def cage_ids(end: End, device: Ints, port: Ints) -> Ints:
    """A number for the cage of every link at one end, the same for all links of the cage."""
    cage, _ = cages(end, port)
    return device * (int(cage.max(initial=0)) + 1) + cage


def levels(join: Join, c: Columns, routes: Routes, limits_m: Sequence[float]) -> Ints:
    """Per link the first of these kinds that covers it and all it shares cages with; unmeasured ways need the last."""
    need = np.where(routes.known, routes.length_m, np.inf)
    level = np.minimum(np.searchsorted(np.asarray(limits_m), need, "left"), len(limits_m) - 1)
    shared = [
        cage_ids(end, device, port)
        for end, device, port in ((join.a, c.a, c.a_port), (join.b, c.b, c.b_port))
        if end.block.split > 1 and len(limits_m) > 1
    ]
    while shared:
        before = level
        for ids in shared:
            level = _most(ids, level)
        if (level == before).all():
            break
    return level


def _most(ids: Ints, value: Any) -> Any:
    """Per row the largest value among the rows of the same id."""
    top = np.zeros(int(ids.max(initial=-1)) + 1, value.dtype)
    np.maximum.at(top, ids, value)
    return top[ids]


def lengths(join: Join, c: Columns, routes: Routes, level: Ints, kind: int, per: int) -> Reals:
    """Per link of a kind what its cable must cover [m]: its own way, or the longest of the legs that one cable has."""
    if per == 1:
        return routes.length_m
    ids = _fan_ids(join, c)
    longest: Reals = _most(ids, np.where(level == kind, routes.length_m, 0.0))
    return longest


def _fan_ids(join: Join, c: Columns) -> Ints:
    return cage_ids(join.b, c.b, c.b_port) if fan_side(join) else cage_ids(join.a, c.a, c.a_port)


def rungs(design: Design, join: Join, c: Columns, routes: Routes | None) -> Ints:
    """Per link the index of its media in the bundle's ladder."""
    out = np.zeros(len(c), np.int64)
    if len(join.media) < 2 or routes is None:
        return out
    found = kinds(design, join)
    level = levels(join, c, routes, [k.limit_m for k in found])
    for i, kind in enumerate(found):
        need = lengths(join, c, routes, level, i, kind.per_cable)
        rung = kind.first + np.minimum(np.searchsorted(np.asarray(kind.lengths_m), need, "left"), len(kind.lengths_m) - 1)
        out = np.where(level == i, rung, out)
    return out


def cable_ids(design: Design, join: Join, c: Columns, rung: Ints) -> Ints | None:
    """Per link a number that is equal exactly for the links of one cable; None where each link is one cable."""
    per = np.asarray([per_cable(design, m) for m in join.media] or [1])[rung]
    if (per == 1).all():
        return None
    ids = _fan_ids(join, c)
    single = per == 1
    return np.where(single, int(ids.max(initial=0)) + 1 + np.arange(len(c)), ids)


@dataclass(frozen=True, slots=True)
class Sorted:
    """The cables of a bundle by rung, and per side and transceiver the links that it carries where those are not all."""

    cables: list[int]
    picked: dict[tuple[int, str], Ints]


def sorted_out(design: Design, join: Join) -> Sorted:
    """Every link of a bundle with several rungs, measured and counted."""
    assert design.floor is not None
    c = columns(design, join)
    rung = rungs(design, join, c, design.floor.routes(join, c))
    ids = cable_ids(design, join, c, rung)
    first = rung if ids is None else rung[np.unique(ids, return_index=True)[1]]
    picked = {}
    for side in (0, 1):
        of = [m.optics[side] for m in join.media]
        if len(set(of)) > 1:
            for optic in filter(None, dict.fromkeys(of)):
                picked[side, optic] = np.flatnonzero(np.asarray([o == optic for o in of])[rung])
    return Sorted(np.bincount(first, minlength=len(join.media)).tolist(), picked)


@dataclass(frozen=True, slots=True)
class Step:
    """A kind that may be chosen: the longest way it is taken for, the lengths it is ordered in [m], links of one cable."""

    limit_m: float
    stock_m: tuple[float, ...]
    per_cable: int = 1


class Survey:
    """The ways of one bundle, asked while its media are chosen."""

    def __init__(self, design: Design, join: Join) -> None:
        assert design.floor is not None
        self._join, self._c = join, columns(design, join)
        self._routes = design.floor.routes(join, self._c)
        known = self._routes.length_m[self._routes.known]
        self.links = len(self._c)
        self.longest_m = float(known.max(initial=0.0))
        self.shortest_m = float(known.min(initial=self.longest_m))
        self.unmeasured = self.links - len(known)

    @property
    def side_by_side(self) -> bool:
        """Whether all ports of every cage go to one far cage, in the same order: what a straight cable of several ports needs."""
        join, c = self._join, self._c
        a, b = cage_ids(join.a, c.a, c.a_port), cage_ids(join.b, c.b, c.b_port)
        straight = (cages(join.a, c.a_port)[1] == cages(join.b, c.b_port)[1]).all()
        return bool(straight and (_most(a, b) == b).all() and (_most(b, a) == a).all())

    def covered(self, limit_m: float) -> int:
        """Links whose way is no longer than this."""
        return int((self._routes.known & (self._routes.length_m <= limit_m)).sum())

    def lengths_m(self, steps: Sequence[Step]) -> list[list[float]]:
        """Of each kind the lengths that are ordered, shortest first; ways that are not measured are left out."""
        level = levels(self._join, self._c, self._routes, [s.limit_m for s in steps])
        level = np.where(_with_unmeasured(self._join, self._c, self._routes), -1, level)
        out = []
        for i, step in enumerate(steps):
            need = np.unique(lengths(self._join, self._c, self._routes, level, i, step.per_cable)[level == i])
            stock = np.asarray(step.stock_m)
            at = np.minimum(np.searchsorted(stock, need, "left"), len(stock) - 1)
            out.append(stock[np.unique(at)].tolist())
        return out


def _with_unmeasured(join: Join, c: Columns, routes: Routes) -> NDArray[np.bool_]:
    """Links of unknown length, and those that share a cage with one."""
    return np.asarray(levels(join, c, routes, [1e12, np.inf]) == 1)


def skews(design: Design, join: Join) -> Reals:
    """Per cage with several links the difference between their longest and shortest ordered length [m], end by end."""
    assert design.floor is not None
    c = columns(design, join)
    length = np.asarray([m.length_m for m in join.media])[rungs(design, join, c, design.floor.routes(join, c))]
    found = [np.zeros(0)]
    for end, device, port in ((join.a, c.a, c.a_port), (join.b, c.b, c.b_port)):
        if end.block.split > 1:
            _, at = np.unique(cage_ids(end, device, port), return_inverse=True)
            most, least = np.zeros(at.max(initial=-1) + 1), np.full(at.max(initial=-1) + 1, np.inf)
            np.maximum.at(most, at, length)
            np.minimum.at(least, at, length)
            found.append(most - least)
    return np.concatenate(found)
