"""A bracket where the programme would be too large: a routing that is made better and better, and the bound that its prices give.

Links are priced by how full they are; all traffic moves a little towards the ways that are cheapest under these prices. Whatever
was reached when time is up, the routing carries its rate, and no routing exceeds what the best prices bound (weak duality).
Source: the exponential prices of Plotkin, Shmoys and Tardos 1995, followed as Frank and Wolfe 1956 do.
"""

import time

import numpy as np

from dcgen.analysis.flow.devices import Floats, Twins
from dcgen.design.columns import Ints

MOST_WORK = 30_000_000
"""Arcs × classes of senders of one step beyond which not even a bracket is worth the wait."""
SECONDS = 2.0
CLOSE = 1e-3
FLOOR = 1e-7
"""Least price of a link beside the dearest: at no price there and back again would be as short."""
SAME = 1e-12
"""Ways that differ by less than this share are as short as each other."""


class TooMuch(Exception):
    """No step would end soon."""


class _Ways:
    """Shortest ways from all classes of senders at once, under prices."""

    def __init__(self, t: Twins, senders: Ints, wanted: Floats, passing: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> None:
        order = np.argsort(t.v, kind="stable")
        self.u, self.v, self.capacity = t.u[order], t.v[order], t.gbps[order]
        self.n, self.senders, self.wanted = len(t.count), senders, wanted  # wanted: what a class of senders wants of a class, together
        self.starts = np.flatnonzero(np.diff(self.v, prepend=-1))
        self.heads = self.v[self.starts]
        self.closed = ~passing[self.u]

    def distances(self, price: Floats) -> Floats:
        """From every class of senders to every class, along at least one link."""
        s = len(self.senders)
        cost = np.where(self.closed, np.inf, price)
        own = np.full((s, self.n), np.inf)
        own[np.arange(s), self.senders] = 0.0
        far = np.full((s, self.n), np.inf)
        far[:, self.heads] = np.minimum.reduceat(own[:, self.u] + price, self.starts, axis=1)
        while True:
            new = far.copy()
            step = np.minimum.reduceat(far[:, self.u] + cost, self.starts, axis=1)
            new[:, self.heads] = np.minimum(new[:, self.heads], step)
            if np.array_equal(new, far):
                return far
            far = new

    def load(self, price: Floats, far: Floats) -> Floats:
        """What every link carries when all traffic goes the shortest ways, evenly by capacity where several are as short."""
        left, out = self.wanted.copy(), np.zeros(len(self.u))
        first = np.zeros((len(self.senders), len(self.u)), bool)
        first[self.senders[:, None] == self.u[None, :]] = True
        behind = np.where(first, 0.0, np.where(self.closed, np.inf, far[:, self.u]))
        with np.errstate(invalid="ignore"):  # what cannot be reached is not tight
            tight = np.abs(behind + price - far[:, self.v]) <= SAME * np.maximum(far[:, self.v], 1e-300)
        share = np.where(tight, self.capacity, 0.0)
        whole = np.zeros((len(self.senders), self.n))
        whole[:, self.heads] = np.add.reduceat(share, self.starts, axis=1)
        share /= np.maximum(whole[:, self.v], 1e-300)
        for _ in range(self.n):
            if not left.any():
                break
            flow = share * left[:, self.v]
            out += flow.sum(0)
            back = np.where(first, 0.0, flow)
            left = np.zeros_like(left)
            for i in range(len(self.senders)):
                left[i] = np.bincount(self.u, weights=back[i], minlength=self.n)
            left[left < 1e-12 * self.wanted.max()] = 0.0
        return out


def bracket(t: Twins, senders: Ints, wanted: Floats, passing: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> tuple[float, float, int]:
    """(rate that a routing carries, rate that none exceeds, steps taken), every class of senders wanting so much of every class.

    Raises:
        TooMuch: one step alone would take too long.
    """
    if len(senders) * len(t.u) > MOST_WORK:
        raise TooMuch(f"{len(senders):,} classes of senders on {len(t.u):,} links")
    ways = _Ways(t, senders, wanted, passing)
    price = 1 / ways.capacity
    far = ways.distances(price)
    flow = ways.load(price, far)
    low, high, steps, until = 0.0, np.inf, 0, time.monotonic() + SECONDS
    while True:
        full = flow / ways.capacity
        most = float(full.max())
        low = max(low, 1 / most)
        asked = float((wanted * np.where(wanted > 0, far, 0.0)).sum())
        high = min(high, float((price * ways.capacity).sum()) / asked)
        if high - low <= CLOSE * high or time.monotonic() > until:
            return low, high, steps
        steps += 1
        sharp = np.log(len(full)) / max(0.3 * (1 - low / high), CLOSE) / most
        weight = np.maximum(np.exp(sharp * (full - most)), FLOOR)
        price = weight / ways.capacity
        far = ways.distances(price)
        flow = _towards(flow, ways.load(price, far), ways.capacity, sharp)


def _towards(flow: Floats, target: Floats, capacity: Floats, sharp: float) -> Floats:
    """As far towards the target as makes the links least full, by the same smooth measure that the prices follow."""

    def measure(x: float) -> float:
        full = ((1 - x) * flow + x * target) / capacity
        most = full.max()
        return float(most + np.log(np.exp(sharp * (full - most)).sum()) / sharp)

    low, high = 0.0, 1.0
    for _ in range(24):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, b) if measure(a) < measure(b) else (a, high)
    return (1 - low) * flow + low * target
