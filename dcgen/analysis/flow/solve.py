"""Maximum concurrent flow of a net, exactly, without expanding it: one small linear programme, both of its bounds, what binds.

One commodity per class of sources on the quotient that leaves one of them in place, one capacity row per class of arcs. Exact
when classes are orbits (lifted linear programming: Grohe, Kersting, Mladenov, Selman 2014). Sources are never merged: on the
graph of groups a host is source and sink at once, and the answer would be infinite.
"""

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf

from dcgen.analysis.flow.cells import Frame, settle
from dcgen.analysis.flow.demand import Demand
from dcgen.analysis.flow.fold import fold
from dcgen.analysis.flow.lp import Row, maximise
from dcgen.analysis.flow.net import Box, Loss, Net
from dcgen.analysis.flow.quotient import Commodity, Edge, Relay, Setting, commodity, kinds, seen_by

TIGHT = 1e-7
"""Relative gap below which the two bounds are called equal."""
MOST_COLUMNS = 8_000
"""Variables of a quotient programme beyond which another form is looked for first."""


class TooLarge(Exception):
    """A programme that would take too long; the text says how large it would be."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A class of links with a price: `share` of the upper bound is its capacity [1]; `gbps` of the whole class, one direction."""

    name: str
    share: float
    links: int
    total_gbps: float


@dataclass(frozen=True, slots=True)
class Theta:
    """The rate [Gb/s] at which every demand of rate 1 is served at once; None when nobody wants to send.

    `low` is carried by a routing of the devices, `high` bounds every routing (duality). `status` is one of exact, bracket,
    unproven, no demand, cut off, too slow; `why` says more.
    """

    rate_gbps: float | None
    low_gbps: float | None
    high_gbps: float | None
    status: str
    why: str = ""
    binding: tuple[Binding, ...] = ()
    size: dict[str, int] = field(default_factory=dict)


def theta(
    net: Net, demands: Sequence[Demand], relay: Relay | None = None, losses: Sequence[Loss] = (), rounds: int = 4, folded: bool = True,
    most: int = MOST_COLUMNS,
) -> Theta:  # fmt: skip
    """Solve; `rounds` is how often classes may be split when the bounds of a broken ring do not meet.

    Raises:
        TooLarge: more variables than are built.
    """
    renumbered: frozenset[str] = frozenset()
    if folded and len(losses) > 1:
        frame = Frame(net, [a for d in demands for a in d.agreements(net)])
        whole = settle(net, [m for d in demands for m in d.marks(net)], frame)
        losses, renumbered = fold(net, losses, frame, whole, {axis for d in demands for axis in d.ordered()})
    extra: list[Box] = []
    done = 0
    while True:
        setting = Setting(net, demands, relay, losses, extra, renumbered)
        parts = []
        for source in setting.sources():
            parts.append(commodity(setting, source))
            if sum(len(p.edges) for p in parts) > most:
                raise TooLarge(f"more than {most:,} variables on the quotient by symmetry")
        answer, split = _solve(setting, parts)
        answer.size["rounds"] = done
        if answer.status != "bracket" or done == rounds or not split:
            return answer
        extra, done = extra + split, done + 1


def _solve(setting: Setting, parts: list[Commodity]) -> tuple[Theta, list[Box]]:
    """The linear programme, its bounds, and the marks that would make it finer."""
    columns = 1 + sum(len(p.edges) for p in parts)
    size = {"cells": len(setting.live), "classes": len(setting.pairs), "sources": len(parts), "variables": columns}
    if not parts:
        return Theta(None, None, None, "no demand", "nobody who is there wants to send to anybody who is", size=size), []
    for p in parts:
        ahead = {p.root, *(e.head for e in p.edges)}
        if beyond := [t for t in p.want if t not in ahead]:
            why = f"{setting.said(p.cells[p.root])} cannot reach {setting.said(p.cells[beyond[0]])}"
            return Theta(0.0, 0.0, 0.0, "cut off", why, size=size), []
    unit = _first_guess(setting, parts)  # keeps the solver's numbers near 1 for a million senders and for one
    total = [n * g / unit for n, g in zip(setting.pairs, setting.gbps, strict=True)]
    balance, uses = _balance(setting, parts)
    average: list[Row] = [(-inf, 1.0, {c: p.source.count / total[k] for c, p, _ in use}) for k, use in enumerate(uses)]
    status, high, duals = maximise({0: 1.0}, columns, balance + average)
    if status != "optimal":
        return Theta(None, None, None, "too slow", f"the solver gave up: {status}", size=size), []
    price = [max(0.0, y) for y in duals[len(balance) :]]
    strict, split, counted = _per_kind(setting, uses, total)
    low = maximise({0: 1.0}, columns, balance + strict)[1] if split else high
    high = _bound(parts, price, total)
    status = "unproven" if not counted else "exact" if high - low <= TIGHT * high else "bracket"
    binding = _explain(setting, price, total, unit)
    return Theta(low * unit, low * unit if counted else None, high * unit, status, "", binding, size), split


def _balance(setting: Setting, parts: list[Commodity]) -> tuple[list[Row], list[list[tuple[int, Commodity, Edge]]]]:
    """Conservation at every node but the roots (column 0 is theta), and by class of arcs the columns that use it."""
    columns, rows_out = 1, []
    uses: list[list[tuple[int, Commodity, Edge]]] = [[] for _ in setting.pairs]
    for p in parts:
        rows: dict[int, dict[int, float]] = {node: {0: -w} for node, w in p.want.items()}
        for e in p.edges:
            rows.setdefault(e.head, {})[columns] = 1.0
            rows.setdefault(e.tail, {})[columns] = -1.0
            if e.k is not None:
                uses[e.k].append((columns, p, e))
            columns += 1
        rows_out += [(0.0, 0.0, row) for node, row in rows.items() if node != p.root]
    return rows_out, uses


def _first_guess(setting: Setting, parts: list[Commodity]) -> float:
    """What the terminals' own links allow: an upper bound."""
    out: list[float] = []
    into: dict[int, float] = defaultdict(float)
    wanted: dict[int, float] = defaultdict(float)
    for k, (_, j) in enumerate(setting.ends):
        into[j] += setting.pairs[k] * setting.gbps[k]
    for p in parts:
        out.append(sum(e.pairs * setting.gbps[e.k] for e in p.edges if e.tail == p.root and e.k is not None) / sum(p.want.values()))
        for node, w in p.want.items():
            wanted[p.cells[node].parent] += p.source.count * w
    return min(*out, *(into[j] / w for j, w in wanted.items()))


def _per_kind(setting: Setting, uses: list[list[tuple[int, Commodity, Edge]]], total: list[float]) -> tuple[list[Row], list[Box], bool]:
    """Capacity rows for every kind of arc that broken rings load differently.

    The rows, the marks that would split the classes (none: all classes are even), and whether the number of sources that see an
    arc as each of its types came out whole, as it must if the classes are what we think they are.
    """
    rows: list[Row] = []
    split: dict[tuple[int, str, object], Box] = {}
    whole = True
    for k, use in enumerate(uses):
        found = kinds(setting, k, [(p, e) for _, p, e in use])
        for kind in found:
            row = {}
            for c, p, e in use:
                seen = seen_by(p.source, e, kind)
                row[c] = p.source.count / total[k] * seen
                n = p.source.count * e.pairs / setting.pairs[k] * seen
                whole &= abs(n - round(n)) <= 1e-6 * max(1.0, n)
            rows.append((-inf, 1.0, row))
            for i in setting.ends[k] if len(found) > 1 else ():
                sides = setting.cells[i].sides
                for axis, (part, side) in kind.items():
                    if axis in sides and part != side:
                        split[i, axis, part] = {**sides, axis: part}
    return rows, list(split.values()), whole


def _bound(parts: list[Commodity], price: list[float], total: list[float]) -> float:
    """Weak duality on the devices: sum(price) / sum(demand × distance). Distances from a source under prices that are one per
    class of arcs are the same in its quotient as among the devices, so this holds whatever else went wrong."""
    paid = 0.0
    for p in parts:
        following = defaultdict(list)
        for e in p.edges:
            following[e.tail].append((e.head, 0.0 if e.k is None else price[e.k] / total[e.k]))
        far: dict[int, float] = {}
        heap = [(0.0, p.root)]
        while heap:
            d, node = heapq.heappop(heap)
            if node not in far:
                far[node] = d
                for head, w in following[node]:
                    if head not in far:
                        heapq.heappush(heap, (d + w, head))
        paid += p.source.count * sum(w * far[node] for node, w in p.want.items())
    return float(sum(price) / paid) if paid else inf


def _explain(setting: Setting, price: list[float], total: list[float], unit: float) -> tuple[Binding, ...]:
    whole = sum(price) or 1.0
    found = [
        Binding(setting.name(k), y / whole, setting.pairs[k] * setting.times[k], total[k] * unit)
        for k, y in enumerate(price)
        if y > TIGHT * whole
    ]
    return tuple(sorted(found, key=lambda b: (-b.share, b.name)))
