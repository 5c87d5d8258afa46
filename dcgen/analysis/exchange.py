"""Formulas for collectives, free of any design: factors, rings, trees, and lines or points that were measured.

Sizes are bytes, rates GB/s (which is also bytes a nanosecond), times ns. A size is what one rank holds, as nccl-tests count it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import ceil, exp, log, log2

from dcgen.parts.collective import Measured, Point

BASE_NS = 8400.0
INNER_STEP_NS = 3400.0
OUTER_STEP_NS = 14000.0
"""Start of a collective, a step inside a scale-up domain, a step over the network: constants of NCCL's tuner for large messages
(src/graph/tuning.cc)."""

INNER_SHARE = 370 / 450
OUTER_SHARE = 47 / 50
"""What a ring was measured to get of the line rate inside a domain of eight (nccl-tests, question 212), and what a network card
gives of its own (46 to 48 GB/s of 50, arXiv 2505.09343, Figure 7)."""


def bus_factor(op: str, ranks: int) -> float:
    """Bus bandwidth over size/time: how much of the data passes the busiest link (nccl-tests, PERFORMANCE.md).

    >>> bus_factor("all-reduce", 8), bus_factor("all-gather", 8)
    (1.75, 0.875)
    """
    return (2 if op == "all-reduce" else 1) * (ranks - 1) / ranks


def bus_bandwidth(op: str, ranks: int, size_bytes: float, time_ns: float) -> float:
    """Bus bandwidth [GB/s]. It may exceed the line where switches add up, and is kept so that figures compare."""
    return size_bytes / time_ns * bus_factor(op, ranks)


def ring_steps(op: str, ranks: int) -> int:
    """Steps of a ring: once round to reduce or to gather, twice for both."""
    return (2 if op == "all-reduce" else 1) * (ranks - 1)


def ring_ns(op: str, domain: int, domains: int, size_bytes: float, inner: float, outer: float, outer_step_ns: float) -> float:
    """One ring through all ranks, as many at once as a domain has network cards.

    Only the steps between domains take the network's step time; the slower of both rates bounds it.
    """
    ranks = domain * domains
    crossing = ring_steps(op, domains)
    waiting = (ring_steps(op, ranks) - crossing) * INNER_STEP_NS + crossing * outer_step_ns
    return BASE_NS + waiting + size_bytes * bus_factor(op, ranks) / _slower(domain, domains, inner, outer)


def tree_ns(domain: int, domains: int, size_bytes: float, inner: float, outer: float, outer_step_ns: float) -> float:
    """A double binary tree over domains, a chain in each: an all-reduce goes up and down, and sends twice the data."""
    waiting = 2 * ((domain - 1) * INNER_STEP_NS + ceil(log2(domains)) * outer_step_ns)
    return BASE_NS + waiting + 2 * size_bytes / _slower(domain, domains, inner, outer)


def _slower(domain: int, domains: int, inner: float, outer: float) -> float:
    """The rate that bounds a ring or tree: of the domain, or of all its network cards together [GB/s]."""
    rates = ([inner] if domain > 1 else []) + ([domain * outer] if domains > 1 else [])
    return min(rates)


def between_ns(op: str, peers: int, size_bytes: float, outer: float, step_ns: float) -> float:
    """One rank of each domain with its peers over the network: the faster of a ring and, for an all-reduce, a double tree."""
    ring = ring_steps(op, peers) * step_ns + size_bytes * bus_factor(op, peers) / outer
    tree = 2 * ceil(log2(peers)) * step_ns + 2 * size_bytes / outer
    return min(ring, tree) if op == "all-reduce" else ring


def line_ns(measured: Measured, ranks: int, size_bytes: float) -> float | None:
    """Time by the line that was fitted: latency + factor × size / rate; None where there is no line."""
    if measured.latency_ns is None or not measured.bus_rate_gbps:
        return None
    return measured.latency_ns + size_bytes * bus_factor(measured.op, ranks) / (measured.bus_rate_gbps / 8)


def between_points_ns(points: Sequence[Point], size_bytes: float) -> float | None:
    """Time between two measured points, straight on logarithmic scales; None outside them."""
    sizes = [p.size_bytes for p in points]
    if not sizes or not sizes[0] <= size_bytes <= sizes[-1]:
        return None
    i = bisect_left(sizes, size_bytes)
    if sizes[i] == size_bytes:
        return points[i].time_ns
    low, high = points[i - 1], points[i]
    share = log(size_bytes / low.size_bytes) / log(high.size_bytes / low.size_bytes)
    return exp((1 - share) * log(low.time_ns) + share * log(high.time_ns))
