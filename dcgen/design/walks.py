"""Kinds of ways between node ports, walked over the links themselves: what answers where there are no witnesses."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, columns
from dcgen.design.model import Design, Join
from dcgen.design.reach import MOST_STEPS, TooManyStarts, Words, kinds
from dcgen.design.refine import Arcs, arcs
from dcgen.design.ways import Links, Ways

Floats: TypeAlias = NDArray[np.float64]


def walked(
    design: Design, bundles: Iterable[Join], owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]], cost: Mapping[str, float]
) -> Ways:
    """The same as `ways`, from one port of every kind.

    Raises:
        TooManyStarts: it would take minutes.
    """
    asked = tuple(bundles)
    links = arcs(design, asked)
    group = np.searchsorted(np.array([*links.offsets.values()]), np.arange(len(links.exists)), side="right") - 1
    home = _homes(design, links, owners, near)
    bundle = _bundles(design, links, asked, cost)
    ports, starts, number = _starts(links, owners, bundle, group, home)
    if len(starts) * len(links.source) > MOST_STEPS:
        raise TooManyStarts(f"{len(starts):,} kinds of ports on {len(links.source):,} links")
    price, names = np.array([cost[b.name] for b in asked]), [b.name for b in asked]
    found: Counter[tuple[str, Links]] = Counter()
    local = apart = 0
    for start, times in zip(starts.tolist(), number.tolist(), strict=True):
        way, spelt = _dearest(links, start, bundle, price)
        others = ports[ports != start]
        beside = home[others] == home[start]
        far = way[others[~beside]]
        local += times * int(beside.sum())
        apart += times * int((far < 0).sum())
        for one, n in zip(*np.unique(far[far >= 0], return_counts=True), strict=True):
            found[list(links.offsets)[group[start]], tuple(names[k] for k in spelt[int(one)])] += times * int(n)
    return Ways(dict(found), local, apart)


def _starts(links: Arcs, owners: Mapping[str, str], bundle: Ints, group: Ints, home: Ints) -> tuple[Ints, Ints, Ints]:
    """(all ports, one of every kind, how many are of its kind).

    Ports of a kind are of one group, over one bundle on switches with the same neighbours, and so are the ports that are local to
    them, as many on the same switch.
    """
    random = np.random.default_rng(11).integers(1, 2**63, size=int(bundle.max(initial=0)) + 1, dtype=np.uint64)
    ports, own, kind = kinds(links, owners, random[bundle])
    via = random[bundle[links.starts[np.searchsorted(links.target[links.starts], ports)]]]
    kind = _mixed(_mixed(kind) + via + group[ports].astype(np.uint64))
    _, place = np.unique(home[ports], return_inverse=True)
    _, shared = np.unique(place * (int(own.max(initial=0)) + 1) + own, return_inverse=True)
    sign = kind + _mixed(_summed(kind, place)) + _mixed(_mixed(_summed(kind, shared)))
    _, first, number = np.unique(sign, return_index=True, return_counts=True)
    return ports, ports[first], number


def _mixed(words: Words) -> Words:
    return (words ^ (words >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)


def _summed(words: Words, place: Ints) -> Words:
    """For every port the sum over all that are in the same place, modulo 2^64."""
    total = np.zeros(int(place.max(initial=-1)) + 1, np.uint64)
    np.add.at(total, place, words)
    return total[place]


def _bundles(design: Design, links: Arcs, asked: tuple[Join, ...], cost: Mapping[str, float]) -> Ints:
    """The dearest bundle that joins both ends, for every arc."""
    n = len(links.exists)
    key = np.minimum(links.target, links.source) * n + np.maximum(links.target, links.source)
    known, place = np.unique(key, return_inverse=True)
    dearest = np.full(len(known), -1, np.int64)
    for k in sorted(range(len(asked)), key=lambda k: cost[asked[k].name]):
        c = columns(design, asked[k])
        a, b = (x + links.offsets[e.group] for x, e in zip((c.a, c.b), asked[k].ends, strict=True))
        dearest[np.searchsorted(known, np.minimum(a, b) * n + np.maximum(a, b))] = k
    return dearest[place]


def _homes(design: Design, links: Arcs, owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]]) -> Ints:
    """A number for every port that ports which are local to each other share; of all else -1."""
    home = np.full(len(links.exists), -1, np.int64)
    first = {owner: i << 40 for i, owner in enumerate(dict.fromkeys(owners.values()))}
    for name, owner in owners.items():
        rulers = design.groups[name].rulers
        at = np.zeros(tuple(rulers.values()), np.int64)
        for axis in near[owner]:
            shape = [n if a == axis else 1 for a, n in rulers.items()]
            at = at * rulers[axis] + np.arange(rulers[axis]).reshape(shape)
        home[links.offsets[name] : links.offsets[name] + prod(rulers.values())] = first[owner] + at.ravel()
    return home


def _dearest(links: Arcs, start: int, bundle: Ints, price: Floats) -> tuple[Ints, list[tuple[int, ...]]]:
    """(number of the dearest of the shortest ways to every device, -1 out of reach; the bundles of every way)."""
    way = np.full(len(links.exists), -1, np.int64)
    spent = np.zeros(len(links.exists))
    spelt: list[tuple[int, ...]] = [()]
    way[start] = 0
    front = np.zeros(len(links.exists), bool)
    front[start] = True
    while front.any():
        at = np.flatnonzero(front[links.source] & (way[links.target] < 0))
        paid = spent[links.source[at]] + price[bundle[at]]
        order = np.lexsort((bundle[at], paid, links.target[at]))
        at, paid = at[order], paid[order]
        last = np.flatnonzero(np.diff(links.target[at], append=-1))
        at, paid = at[last], paid[last]
        taken, place = np.unique(way[links.source[at]] * len(price) + bundle[at], return_inverse=True)
        way[links.target[at]] = place + len(spelt)
        spelt += [(*spelt[before], k) for before, k in (divmod(int(t), len(price)) for t in taken)]
        spent[links.target[at]] = paid
        front[:] = False
        front[links.target[at]] = True
    return way, spelt
