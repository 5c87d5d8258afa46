"""Numeric cells: the coarsest equitable partition of the links' columns. Exact for one-commodity flow, for any wiring.

Source: colour refinement (1-WL) on capacities; flow between unions of cells is kept, see Grohe, Kersting, Mladenov, Selman 2014.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, alive, columns
from dcgen.design.model import Design, Join
from dcgen.design.region import Box


@dataclass(frozen=True, slots=True)
class Arcs:
    """Devices of the groups that some bundles touch, numbered through, and the capacity between them, parallel links added up.

    `offsets` is the first number of each group, `exists` says for every number whether there is a device; u < v are the ends and
    `capacity` [Gb/s] of each pair that is joined. `target`, `source`, `weight` and `starts` are the same in both directions, sorted
    by target, with whole Mb/s as weights.
    """

    offsets: dict[str, int]
    exists: NDArray[np.bool_]
    u: Ints
    v: Ints
    capacity: NDArray[np.float64]
    target: Ints
    source: Ints
    weight: NDArray[np.uint64]
    starts: Ints


@dataclass(frozen=True, slots=True)
class Partition:
    """`colour` of every device (flat index plus the group's offset), -1 where none exists."""

    colour: Ints


def arcs(design: Design, bundles: Iterable[Join]) -> Arcs:
    """The links of these bundles, ready to be refined any number of times."""
    asked = tuple(bundles)
    offsets: dict[str, int] = {}
    n = 0
    for name in dict.fromkeys(e.group for b in asked for e in b.ends):
        offsets[name] = n
        n += prod(design.groups[name].rulers.values())
    us, vs, ws = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for join in asked:
        c = columns(design, join)
        us.append(c.a + offsets[join.a.group])
        vs.append(c.b + offsets[join.b.group])
        ws.append(np.full(len(c), float(join.rate_gbps)))
    one, other, w = np.concatenate(us), np.concatenate(vs), np.concatenate(ws)
    key, inverse = np.unique(np.minimum(one, other) * n + np.maximum(one, other), return_inverse=True)
    u, v = key // max(n, 1), key % max(n, 1)
    capacity = np.bincount(inverse, weights=w, minlength=len(key)).astype(np.float64)
    exists = np.zeros(n, bool)
    for name, start in offsets.items():
        here = alive(design.groups[name])
        exists[start : start + len(here)] = here
    target, source = np.concatenate([u, v]), np.concatenate([v, u])
    order = np.argsort(target, kind="stable")
    target = target[order]
    weight = np.round(np.concatenate([capacity, capacity])[order] * 1000).astype(np.uint64)
    starts = np.flatnonzero(np.diff(target, prepend=-1)).astype(np.int64)
    return Arcs(offsets, exists, u, v, capacity, target, source[order], weight, starts)


def refine(design: Design, links: Arcs, apart: Mapping[str, Iterable[Box]] | None = None) -> Partition:
    """Partition that tells groups, and inside a group the boxes of `apart`, from the rest.

    Signatures are sums of capacity times a random number per colour, modulo 2^64.
    """
    n = len(links.exists)
    colour = np.full(n, -1, np.int64)
    for first, (name, start) in enumerate(links.offsets.items()):
        colour[start : start + prod(design.groups[name].rulers.values())] = first
    for name, box in ((g, box) for g in links.offsets for box in (apart or {}).get(g, ())):
        inside = np.zeros(n, bool)
        inside[links.offsets[name] + flat_of_box(design, name, box)] = True
        _, colour = _numbered(colour * 2 + inside)  # boxes may overlap
    colour[~links.exists] = -1
    random = np.random.default_rng(7)
    known = len(np.unique(colour[links.exists]))
    while True:
        r = random.integers(1, 2**63, size=int(colour.max(initial=0)) + 1, dtype=np.uint64) | np.uint64(1)
        sign = r[colour] * np.uint64(0x9E3779B97F4A7C15)  # a device's own colour is part of its signature
        if len(links.starts):
            sign[links.target[links.starts]] += np.add.reduceat(links.weight * r[colour[links.source]], links.starts)
        now, colour[links.exists] = _numbered(sign[links.exists])
        if now == known:
            return Partition(colour)
        known = now


def _numbered(values: NDArray[Any]) -> tuple[int, Ints]:
    """(how many different values, the rank of each among them). They are few: looking them up is faster than an inverse sort."""
    different = np.unique(values)
    return len(different), np.searchsorted(different, values)


def flat_of_box(design: Design, group: str, box: Box) -> Ints:
    """Flat indexes of a box of axes."""
    shape = tuple(design.groups[group].rulers.values())
    full = {**design.groups[group].full, **box}
    return np.arange(prod(shape)).reshape(shape)[tuple(slice(r.start, r.stop) for r in full.values())].ravel()
