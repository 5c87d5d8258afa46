"""Bounds that need no symmetry: what no routing exceeds, from distances alone."""

from collections.abc import Sequence

from dcgen.analysis.flow.lp import Row, maximise
from dcgen.analysis.flow.picks import Pick
from dcgen.analysis.flow.project import Projection

MOST_SWITCHES = 220
"""Switches whose longest matching is looked for: an assignment of the square of their number."""


def mean_distance(n: int, degree: int) -> float:
    """Least mean distance of one device to the others in any graph of `n` devices with `degree` links each: Moore's bound.

    >>> mean_distance(50, 7)  # the Hoffman-Singleton graph reaches it: 7 at one link, 42 at two
    1.8571428571428572
    """
    if n < 2 or degree < 1:
        raise ValueError(f"{n} devices of {degree} links")
    left, far, step, total = n - 1, degree, 1, 0
    while left > 0 and far > 0:
        here = min(left, far)
        total, left = total + here * step, left - here
        far, step = far * (degree - 1), step + 1
    return total / (n - 1) if left <= 0 else float("inf")


def universal_limit(terminals: int, radix: int, each: int) -> float:
    """Throughput that no fabric of alike switches exceeds for its worst traffic, `each` terminals on every switch of `radix` ports,
    in link rates. Source: Namyar et al., SIGCOMM 2021.

    >>> universal_limit(110_000, 32, 8) >= 1 > universal_limit(112_000, 32, 8)
    True
    """
    return (radix - each) / (each * mean_distance(terminals // each, radix - each))


def matching_bound(near: Sequence[Sequence[tuple[int, float]]], terminals: Sequence[int]) -> float:
    """Throughput of the worst traffic is at most this: all capacity between switches, over that which the longest matching takes.

    `near` lists for each switch the others it is joined to and the rate; `terminals` says how many it carries. In rates of one
    terminal. Source: TUB, Namyar et al., SIGCOMM 2021.

    Raises:
        ValueError: too many switches to match, or some that cannot be reached.
    """
    carrying = [i for i, h in enumerate(terminals) if h]
    if len(carrying) > MOST_SWITCHES:
        raise ValueError(f"{len(carrying):,} switches; a longest matching is for at most {MOST_SWITCHES}")
    weight = [[min(terminals[u], terminals[v]) * d for v in carrying for d in [far[v]]] for u in carrying for far in [_far(near, u)]]
    if any(w < 0 for row in weight for w in row):
        raise ValueError("some switches cannot reach each other")
    n = len(carrying)
    rows: list[Row] = [(1.0, 1.0, {i * n + j: 1.0 for j in range(n)}) for i in range(n)]
    rows += [(1.0, 1.0, {i * n + j: 1.0 for i in range(n)}) for j in range(n)]
    goal = {i * n + j: float(weight[i][j]) for i in range(n) for j in range(n)}
    status, longest, _ = maximise(goal, n * n, rows)
    if status != "optimal" or longest <= 0:
        raise ValueError(f"no longest matching: {status}")
    return sum(rate for links in near for _, rate in links) / longest


def longest_matching(projection: Projection, lost: Sequence[Pick] = ()) -> float:
    """The same for a fabric: rate of each terminal [Gb/s] that the worst traffic cannot exceed.

    Raises:
        ValueError: too many switches, terminals that hang on several, or some that cannot be reached.
    """
    from dcgen.analysis.flow.devices import Expanded

    devices = Expanded(projection, lost)
    hosts = devices.among(projection.hosts - projection.relays)
    senders = devices.among(projection.terminals)
    number: dict[int, int] = {}
    near: list[list[tuple[int, float]]] = []
    terminals: list[int] = []

    def at(device: int) -> int:
        if device not in number:
            number[device] = len(near)
            near.append([])
            terminals.append(int(senders[device] and not hosts[device]))
        return number[device]

    if devices.exists.sum() - hosts.sum() > MOST_SWITCHES:
        raise ValueError("too many switches")
    hung = set[int]()
    for u, v, rate in zip(devices.u.tolist(), devices.v.tolist(), devices.gbps.tolist(), strict=True):
        if hosts[u] or hosts[v]:
            host, switch = (u, v) if hosts[u] else (v, u)
            if hosts[switch] or host in hung:
                raise ValueError("terminals that hang on several switches")
            hung.add(host)
            terminals[at(switch)] += int(senders[host])
        else:
            near[at(u)].append((at(v), rate))
            near[at(v)].append((at(u), rate))
    return matching_bound(near, terminals)


def _far(near: Sequence[Sequence[tuple[int, float]]], start: int) -> list[int]:
    """Links from one switch to every other; below zero where no way leads."""
    far = [-(10**9)] * len(near)
    far[start], todo = 0, [start]
    for u in todo:
        for v, _ in near[u]:
            if far[v] < 0:
                far[v] = far[u] + 1
                todo.append(v)
    return far
