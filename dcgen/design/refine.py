"""Numeric cells: the coarsest equitable partition of the links' columns. Exact for one-commodity flow, for any wiring.

Source: colour refinement (1-WL) on capacities; flow between unions of cells is kept, see Grohe, Kersting, Mladenov, Selman 2014.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, alive, columns
from dcgen.design.model import Design, Join
from dcgen.design.region import Box


@dataclass(frozen=True, slots=True)
class Partition:
    """`colour` of every device (flat index plus the group's offset), -1 where none exists; parallel links are added up."""

    offsets: dict[str, int]
    colour: Ints
    u: Ints
    v: Ints
    capacity: NDArray[np.float64]


def arcs(design: Design, bundles: Iterable[Join]) -> tuple[dict[str, int], int, Ints, Ints, NDArray[np.float64], NDArray[np.bool_]]:
    """(offset per group, devices with room, ends u < v, capacity [Gb/s] between them, does the device exist)."""
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
    u, v, w = np.concatenate(us), np.concatenate(vs), np.concatenate(ws)
    key, inverse = np.unique(np.minimum(u, v) * n + np.maximum(u, v), return_inverse=True)
    exists = np.zeros(n, bool)
    for name, start in offsets.items():
        here = alive(design.groups[name])
        exists[start : start + len(here)] = here
    return offsets, n, key // max(n, 1), key % max(n, 1), np.bincount(inverse, weights=w, minlength=len(key)).astype(np.float64), exists


def refine(design: Design, bundles: Iterable[Join], apart: Mapping[str, Iterable[Box]] | None = None) -> Partition:
    """Partition that tells groups, and inside a group the boxes of `apart`, from the rest.

    Signatures are sums of capacity times a random number per colour, modulo 2^64; capacities enter as whole eighths of a Gb/s.
    """
    offsets, n, u, v, capacity, exists = arcs(design, bundles)
    colour = np.full(n, -1, np.int64)
    for first, (name, start) in enumerate(offsets.items()):
        colour[start : start + prod(design.groups[name].rulers.values())] = first
    for name, box in ((g, box) for g in offsets for box in (apart or {}).get(g, ())):
        inside = np.zeros(n, bool)
        inside[offsets[name] + flat_of_box(design, name, box)] = True
        colour = np.unique(colour * 2 + inside, return_inverse=True)[1].ravel()  # boxes may overlap
    colour[~exists] = -1
    weight = np.round(capacity * 8).astype(np.uint64)
    random = np.random.default_rng(7)
    known = len(np.unique(colour[exists]))
    while True:
        r = random.integers(1, 2**63, size=int(colour.max(initial=0)) + 1, dtype=np.uint64) | np.uint64(1)
        sign = np.zeros(n, np.uint64)
        np.add.at(sign, u, weight * r[colour[v]])
        np.add.at(sign, v, weight * r[colour[u]])
        _, inverse = np.unique(np.stack([colour[exists].astype(np.uint64), sign[exists]], 1), axis=0, return_inverse=True)
        colour[exists] = inverse.ravel()
        now = int(inverse.max(initial=-1)) + 1
        if now == known:
            return Partition(offsets, colour, u, v, capacity)
        known = now


def flat_of_box(design: Design, group: str, box: Box) -> Ints:
    """Flat indexes of a box of axes."""
    shape = tuple(design.groups[group].rulers.values())
    full = {**design.groups[group].full, **box}
    return np.arange(prod(shape)).reshape(shape)[tuple(slice(r.start, r.stop) for r in full.values())].ravel()
