"""The bandwidth that is left in a stage, bracketed: a routing that carries so much, and ports that let through no more.

Of every layer of switches that a change touches, each lower switch sends to all others as much as its own links below ask for. A
routing over one upper switch for each pair is found by proportional fitting; whatever it carries can be carried, so it is a proof.
The capacity of each switch's uplinks bounds every routing. Both are compared with what the layer carries before.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from dcgen.plan.cables import Cables, Inventory
from dcgen.plan.counts import components, pairs
from dcgen.plan.order import Order, state

Reals = NDArray[np.float64]

WORK = 2e10
"""Multiplications that are spent on one part of a layer."""
ROUNDS = 60
TINY = 1e-9
MOST_COLUMNS, SECONDS = 40_000, 20.0
"""Size [variables] and time [s] beyond which the linear programme is not solved."""
CLOSE = 1e-6
"""Bounds that are so near to each other, as a share, are one figure."""


@dataclass(frozen=True, slots=True)
class Residual:
    """What is left of the bandwidth of one fabric's layer in a stage [share]: at least `low`, at most `high`."""

    fabric: str
    layer: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class _Carried:
    """What a layer carries [Gb/s for every link below], in the worst of its parts that hang together, and how many parts serve."""

    low: float
    high: float
    count: int


def residuals(inventory: Inventory, order: Order) -> list[list[Residual]]:
    """For every stage, what each layer of switches in which something is unplugged keeps."""
    layers = dict.fromkeys((inventory.kinds[k].fabric, inventory.kinds[k].layer) for k in np.unique(order.removed.kind).tolist())
    out: list[list[Residual]] = [[] for _ in range(order.stages)]
    for fabric, layer in layers:
        own = [n for n, k in enumerate(inventory.kinds) if (k.fabric, k.layer) == (fabric, layer)]
        tiers = [[inventory.ground.places[p].any.tier for p in inventory.kinds[n].places] for n in own]
        if all(0 < low < high for low, high in tiers):
            for stage, (low, high) in enumerate(_layer(inventory, order, own)):
                out[stage].append(Residual(fabric, layer, low, high))
    return out


def _layer(inventory: Inventory, order: Order, own: list[int]) -> Iterator[tuple[float, float]]:
    """(low, high) share of a layer, stage by stage: of what it carries before, or after where that is less.

    A layer that is in more parts than before and after has nothing proven: whoever is in two of them meets elsewhere, or not at all.
    """
    before, after = (_carried(inventory, order, own, stage) for stage in (0, order.stages + 1))
    for stage in range(1, order.stages + 1):
        now = _carried(inventory, order, own, stage)
        whole = now.count <= max(before.count, after.count)
        low = min(1.0, now.low / max(min(before.high, after.high), TINY)) if whole and now.low < inf else float(whole)
        high = min(1.0, now.high / max(min(before.low, after.low), TINY)) if now.high < inf else 1.0
        yield (high if high - low <= CLOSE else low), high


def _carried(inventory: Inventory, order: Order, own: list[int], stage: int) -> _Carried:
    cables = state(order, stage)
    mine, wanted = cables[np.isin(cables.kind, own)], _wanted(inventory, own, cables)
    rate = np.array([k.rate_gbps or 1 for k in inventory.kinds])
    found = pairs(mine.a, mine.b)
    width = int(found.b.max(initial=0)) + 1
    at = np.searchsorted(found.a * width + found.b, mine.a * width + mine.b)
    capacity = np.bincount(at, weights=rate[mine.kind], minlength=len(found.a))
    if len(np.setdiff1d(np.flatnonzero(wanted), found.a)):
        return _Carried(0.0, 0.0, 0)  # a switch that serves somebody, and leads nowhere
    done: dict[bytes, tuple[float, float]] = {}
    parts = 0
    for rows in components(found):
        low, i = np.unique(found.a[rows], return_inverse=True)
        up, j = np.unique(found.b[rows], return_inverse=True)
        c = np.zeros((len(low), len(up)))
        c[i, j] = capacity[rows]
        some = wanted[low] > 0
        parts += bool(some.any())
        c, asks = c[some], wanted[low][some]
        key = np.append(c.ravel(), asks).tobytes()
        if len(asks) > 1 and key not in done:
            done[key] = _solved(c, asks)
    least = [min((bound[n] for bound in done.values()), default=inf) for n in (0, 1)]
    return _Carried(least[0], least[1], parts)


def _wanted(inventory: Inventory, own: list[int], cables: Cables) -> Reals:
    """How much every lower switch of a layer has to send: its links from below that lead to nodes of before and after."""
    places, kinds = inventory.ground.places, inventory.kinds
    lower, fabric = {kinds[n].places[0] for n in own}, kinds[own[0]].fabric
    tier = [[places[p].any.tier for p in k.places] for k in kinds]
    serves = inventory.ground.was & inventory.ground.will
    for p in places:
        serves[p.offset : p.offset + p.size] &= p.any.tier == 0
    out = np.zeros(len(serves))
    for n in sorted(range(len(kinds)), key=lambda n: tier[n]):
        if kinds[n].fabric == fabric and tier[n][0] < tier[n][1]:
            links = cables[cables.kind == n]
            leads = serves[links.a]
            serves[links.b[leads]] = True
            if kinds[n].places[1] in lower and n not in own:
                out += np.bincount(links.b[leads], minlength=len(out))
    return out


def _solved(capacity: Reals, asks: Reals) -> tuple[float, float]:
    """The same as `_routed`, closed by a linear programme where the bounds do not meet and it is small."""
    low, high = _routed(capacity, asks)
    if low >= high * (1 - CLOSE) or len(asks) ** 2 * capacity.shape[1] > MOST_COLUMNS:
        return low, high
    from dcgen.analysis.flow.lp import Row, maximise

    n, m = capacity.shape
    column = {pair: i for i, pair in enumerate((i, k, j) for i in range(n) for k in range(n) if i != k for j in range(m))}
    demand = np.outer(asks, asks) / asks.sum()
    rows: list[Row] = []
    for i in range(n):
        others = [k for k in range(n) if k != i]
        for j in range(m):
            most = float(capacity[i, j])
            rows += [
                (-np.inf, most, {1 + column[pair]: 1.0 for pair in way})
                for way in ([(i, k, j) for k in others], [(k, i, j) for k in others])
            ]
        rows += [(0.0, np.inf, {0: -float(demand[i, k]), **{1 + column[i, k, j]: 1.0 for j in range(m)}}) for k in others]
    status, best, _ = maximise({0: 1.0}, 1 + len(column), rows, SECONDS)
    return (max(low, min(best, high)), high) if status == "optimal" else (low, high)


def _routed(capacity: Reals, asks: Reals) -> tuple[float, float]:
    """(rate that a routing carries, rate that no routing exceeds) for traffic of each lower switch to all others."""
    demand = np.outer(asks, asks) / asks.sum()
    np.fill_diagonal(demand, 0)
    total = demand.sum(1)
    high = float((capacity.sum(1) / total).min())
    used = capacity.sum(0) > 0
    c = capacity[:, used]
    x, y = c.copy(), c / c.sum(0)
    there, low = c > 0, 0.0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        for _ in range(max(2, min(ROUNDS, int(WORK / (3 * len(c) * c.size))))):
            met = x @ y.T
            if ((met <= 0) & (demand > 0)).any():
                return low, high  # two switches with no upper one in common
            weight = np.where(demand > 0, demand / met, 0)
            loads = [x * (weight @ y), y * (weight.T @ x)]
            over = max(float((load[there] / c[there]).max()) for load in loads)
            if not np.isfinite(over):
                break
            low = max(low, 1 / over)
            if low >= high * (1 - CLOSE / 10):
                break
            x, y = (np.where(there & (load > 0), share * c / load, 0) for share, load in zip((x, y), loads, strict=True))
            x, y = (share / share.max(1, keepdims=True).clip(min=TINY) for share in (x, y))  # only proportions count
    return min(low, high), high
