"""Maximum concurrent flow where no box of digits is a symmetry: coarsest equitable partitions of the links' columns instead.

Per class of senders one is set apart, the partition is refined, and one commodity runs on its quotient. Senders whose quotients are
labelled alike are one class; links that all classes of senders see alike are one class of capacity. When refining by what every
sender sees changes nothing any more, the programme is the full one (sources as for `solve`).
"""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np

from dcgen.analysis.flow.approximate import TooMuch, bracket
from dcgen.analysis.flow.devices import Expanded, Floats, Wanted
from dcgen.analysis.flow.lp import Row, maximise
from dcgen.analysis.flow.partition import Graph, mix
from dcgen.analysis.flow.picks import Devices, Links, Pick
from dcgen.analysis.flow.project import Projection
from dcgen.analysis.flow.solve import Binding, Theta
from dcgen.analysis.flow.traffic import Ask
from dcgen.design.columns import Ints

MOST_VARIABLES = 40_000
SECONDS = 8.0
"""How long refining may take before a sample of the senders has to do."""
SAMPLE = 12
MOST_STEPS = 100_000_000
"""Kinds of senders times devices: each kind looks at all of them, and a hundred million looks take some seconds."""
MOST_TRIED = 40
"""Kinds of losses that are tried one by one."""


def numeric(projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick] = ()) -> tuple[Theta, str]:
    """The answer and the method in words; `too large` where neither refining nor the programme would end soon."""
    with np.errstate(over="ignore"):
        return _numeric(projection, asked, lost)


def _numeric(projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick]) -> tuple[Theta, str]:
    devices = Expanded(projection, lost)
    wanted = Wanted(devices, asked)
    everybody = wanted.senders()
    if not len(everybody):
        return Theta(None, None, None, "no demand", "nobody who is there wants to send to anybody who is"), "on the links"
    graph = Graph(devices, wanted)
    senders = np.unique(graph.twins.of[everybody])
    if len(senders) * len(devices.exists) > MOST_STEPS:
        why = f"{len(senders):,} kinds of senders among {len(devices.exists):,} devices: ask for a slice of the design"
        return Theta(None, None, None, "too large", why), "not solved"
    cut = _cut_off(graph, senders)
    if cut:
        return Theta(0.0, 0.0, 0.0, "cut off", cut), "walked over the links"
    rounds = _rounds(graph, int(senders[0]))
    signs, proven = graph.sharpen(senders, rounds, time.monotonic() + SECONDS)
    if not proven:
        signs = _sampled(graph, senders, rounds)
    return _programme(graph, senders, signs, rounds, proven)


def worst(projection: Projection, asked: Sequence[Sequence[Ask]], among: Sequence[Pick], k: int) -> tuple[Theta, str]:
    """The worst found when k of what is picked are lost, one after another: each time one of every kind that is left is tried."""
    lost: list[Pick] = []
    least: tuple[Theta, str] = (Theta(None, None, None, "no demand"), "")
    tried, alone = 0, True
    for _ in range(k):
        found: list[tuple[float, int, Theta, str, Pick]] = []
        kinds, single = _kinds(projection, asked[0], lost, among)
        alone &= single
        for one in kinds[:MOST_TRIED]:
            answers = [numeric(projection, a, [*lost, one]) for a in asked]
            theta, method = min(answers, key=lambda t: inf if t[0].rate_gbps is None else t[0].rate_gbps)
            found.append((inf if theta.rate_gbps is None else theta.rate_gbps, len(found), theta, method, one))
        if not found:
            break
        _, _, theta, method, one = min(found, key=lambda f: f[:2])
        lost.append(one)
        tried += len(found)
        least = theta, method
    theta, method = least
    if theta.status == "exact" and not (alone and k == 1):
        why = f"the worst of {tried} that were tried, one of each kind that looks different"
        theta = replace(theta, status="unproven", low_gbps=None, why=why)
    return theta, method


def _kinds(projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick], among: Sequence[Pick]) -> tuple[list[Pick], bool]:
    """One single loss of every kind inside what is picked, and whether no two losses were taken for alike."""
    devices = Expanded(projection, lost)
    with np.errstate(over="ignore"):
        graph = Graph(devices, Wanted(devices, asked))
        senders = np.unique(graph.twins.of[graph.wanted.senders()])
        if len(senders):
            graph.sharpen(senders, _rounds(graph, int(senders[0])), time.monotonic() + SECONDS)
    out: dict[tuple[str, int], Pick] = {}
    number = 0
    t = graph.twins
    label = np.where(t.of >= 0, graph.vertex[t.of], np.uint64(0))
    for x in among:
        if isinstance(x, Devices):
            for d in devices.inside(x.group, x.box)[devices.exists[devices.inside(x.group, x.box)]].tolist():
                number += 1
                out.setdefault((x.group, int(label[d])), Devices(x.group, _point(devices, x.group, d)))
            continue
        for join in (b for b in projection.joins if b.name == x.bundle):
            a, b = devices.ends(join)
            keep = np.isin(a, devices.inside(join.a.group, x.a)) & np.isin(b, devices.inside(join.b.group, x.b))
            look = mix(label[a] * np.uint64(3)) ^ label[b]
            number += int(keep.sum())
            for i in np.flatnonzero(keep)[np.unique(look[keep], return_index=True)[1]].tolist():
                ends = _point(devices, join.a.group, int(a[i])), _point(devices, join.b.group, int(b[i]))
                out.setdefault((x.bundle, int(look[i])), Links(x.bundle, *ends, 1))
    return list(out.values()), len(out) == number


def _point(devices: Expanded, group: str, number: int) -> dict[str, range]:
    at = devices.projection.design.groups[group].coordinates(number - devices.offsets[group])
    return {axis: range(x, x + 1) for axis, x in at.items()}


def _rounds(graph: Graph, s: int) -> int:
    """Rounds after which labels of a sender get no finer, and some more."""
    known, rounds = -1, 1
    while (now := len(np.unique(graph.see(s, rounds).labels))) != known:
        known, rounds = now, rounds + 1
    return rounds + 3


def _sampled(graph: Graph, senders: Ints, rounds: int) -> dict[int, int]:
    """Signatures of a few senders; the others are taken to be like the sampled one that they look like from afar."""
    looks = graph.vertex[senders]
    sample = senders[np.unique(looks, return_index=True)[1]]
    signs = {int(s): graph.see(int(s), rounds).sign for s in sample[:SAMPLE]}
    by_look = {int(graph.vertex[s]): sign for s, sign in signs.items()}
    first = next(iter(signs.values()))
    return {int(s): by_look.get(int(look), first) for s, look in zip(senders, looks, strict=True)}


def _cut_off(graph: Graph, senders: Ints) -> str:
    """Who cannot reach whom, in words; nothing where everybody can."""
    t = graph.twins
    passing = ~graph.hosts | graph.relays
    part = np.arange(graph.n)
    inner = passing[t.u] & passing[t.v]
    while True:  # connected parts of what passes traffic on
        before = part.copy()
        np.minimum.at(part, t.v[inner], part[t.u[inner]])
        part = part[part]
        if (part == before).all():
            break
    for s in senders.tolist():
        near = t.v[t.u == s]
        parts = np.unique(part[near[passing[near]]])
        reached = np.isin(part, parts) & passing
        ok = reached.copy()
        ok[t.v[reached[t.u]]] = True
        ok[near] = True
        want = graph.want(s)[:-1]
        ok[s] = ok[s] or t.count[s] == 1 or bool(len(near) and (reached[near].any()))
        bad = np.flatnonzero((want > 0) & ~ok)
        if len(bad):
            return f"{graph.devices.address(int(t.one[s]))} cannot reach {graph.devices.address(int(t.one[bad[0]]))}"
    return ""


def _programme(graph: Graph, senders: Ints, signs: dict[int, int], rounds: int, proven: bool) -> tuple[Theta, str]:
    """One commodity for each class of senders, one row of capacity for each class of arcs."""
    t = graph.twins
    classes: dict[int, list[int]] = defaultdict(list)
    for s in senders.tolist():
        classes[signs[s]].append(s)
    kinds, kind = np.unique(graph.arc if proven else graph.vertex[t.u] * np.uint64(3) + graph.vertex[t.v], return_inverse=True)
    capacity = np.bincount(kind, weights=t.gbps, minlength=len(kinds)).astype(np.float64)
    unit = float(capacity.max(initial=1.0))
    rows: list[Row] = []
    uses: list[dict[int, float]] = [{} for _ in kinds]
    columns = 1
    for members in classes.values():
        many = int(t.count[members].sum())
        balance, used = _commodity(graph, members[0], rounds, kind, columns)
        rows += balance
        for column, at in enumerate(used, columns):
            uses[at][column] = many / capacity[at] * unit
        columns += len(used)
        if columns > MOST_VARIABLES:
            return _bracket(graph, senders, f"more than {MOST_VARIABLES:,} variables for {len(classes):,} classes of senders")
    # every flow is in parts of `unit`, so that the numbers are near 1
    caps: list[Row] = [(-inf, 1.0, use) for use in uses]
    status, value, duals = maximise({0: 1.0}, columns, rows + caps)
    if status != "optimal":
        return Theta(None, None, None, "too slow", f"the solver gave up: {status}"), "not solved"
    price = [max(0.0, y) for y in duals[len(rows) :]]
    said = f"linear programme of {columns:,} variables on equitable partitions of the links"
    found = value * unit
    sure = found if proven else None
    sizes = {"variables": columns, "sources": len(classes), "cells": graph.n}
    state = "exact" if proven else "unproven"
    why = "" if proven else f"only {min(SAMPLE, len(senders))} of {len(senders):,} kinds of senders were looked at"
    return Theta(found, sure, sure, state, why, _binding(graph, kind, price, capacity), sizes), said


def _bracket(graph: Graph, senders: Ints, why: str) -> tuple[Theta, str]:
    """What a routing carries and what none exceeds, where the programme would be too large."""
    t = graph.twins
    wanted = np.array([graph.want(s)[:-1] * (t.count - (np.arange(graph.n) == s)) * t.count[s] for s in senders.tolist()])
    try:
        low, high, steps = bracket(t, senders, wanted, ~graph.hosts | graph.relays)
    except TooMuch as e:
        said = f"{why}; {e}: ask for a slice of the design (`--only`), or make the spread even"
        return Theta(None, None, None, "too large", said), "not solved"
    sizes = {"variables": 0, "sources": len(senders), "cells": graph.n}
    return Theta(low, low, high, "bracket", why, (), sizes), f"a routing and the bound of its prices after {steps:,} steps"


def _commodity(graph: Graph, s: int, rounds: int, kind: Ints, first: int) -> tuple[list[Row], list[int]]:
    """Conservation rows of one sender's quotient, and for its columns the class of arcs that each uses."""
    t = graph.twins
    labels = graph.see(s, rounds).labels
    cells, cell = np.unique(labels, return_inverse=True)
    want = graph.want(s)
    counts = t.count.copy()
    counts[s] -= 1
    total = np.bincount(cell[:-1], weights=want[:-1] * counts, minlength=len(cells))
    me = int(cell[-1])
    out = (~graph.hosts | graph.relays)[t.u] & (counts[t.u] > 0) & (counts[t.v] > 0)
    tail, head, k = [cell[t.u[out]]], [cell[t.v[out]]], [kind[out]]
    mine = (t.u == s) & (counts[t.v] > 0)
    tail.append(np.full(int(mine.sum()), me))
    head.append(cell[t.v[mine]])
    k.append(kind[mine])
    rows = np.unique(np.stack([np.concatenate(tail), np.concatenate(head), np.concatenate(k)], 1), axis=0)
    rows = rows[(rows[:, 0] != rows[:, 1]) & (rows[:, 1] != me)]
    balance: dict[int, dict[int, float]] = {int(c): {0: -float(w)} for c, w in enumerate(total) if w > 0 and c != me}
    for i, (a, b, _) in enumerate(rows.tolist()):
        balance.setdefault(b, {})[first + i] = 1.0
        balance.setdefault(a, {})[first + i] = -1.0
    balance.pop(me, None)
    return [(0.0, 0.0, row) for row in balance.values()], rows[:, 2].tolist()


def _binding(graph: Graph, kind: Ints, price: list[float], capacity: Floats) -> tuple[Binding, ...]:
    t = graph.twins
    whole = sum(price) or 1.0
    out = []
    for k, y in enumerate(price):
        if y > 1e-7 * whole:
            mine = np.flatnonzero(kind == k)
            a, b = (graph.devices.address(int(t.one[x[mine[0]]])) for x in (t.u, t.v))
            more = f" and {len(mine) - 1:,} alike" if len(mine) > 1 else ""
            out.append(Binding(f"{a} → {b}{more}", y / whole, len(mine), float(capacity[k])))
    return tuple(sorted(out, key=lambda b: (-b.share, b.name)))
