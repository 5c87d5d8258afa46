"""Maximum concurrent flow a second time: every device, every link, every sender a commodity of its own. Slow, and plain."""

from collections import defaultdict
from collections.abc import Sequence
from math import inf

from dcgen.analysis.flow.lp import maximise
from dcgen.analysis.flow.picks import Devices, Pick
from dcgen.analysis.flow.project import Projection
from dcgen.analysis.flow.traffic import Ask, Spread
from dcgen.design.columns import columns, device_ids

Device = tuple[str, int]
Arc = tuple[Device, Device, int]


def _at(projection: Projection, device: Device) -> dict[str, int]:
    return projection.design.groups[device[0]].coordinates(device[1])


def _in(projection: Projection, device: Device, box: dict[str, range]) -> bool:
    at = _at(projection, device)
    return all(at[a] in r for a, r in box.items())


def device_arcs(projection: Projection, lost: Sequence[Pick]) -> tuple[dict[Arc, float], list[Device]]:
    """Capacity of every pair of devices by bundle, both directions, after the losses; and the devices that are alive."""
    names = dict.fromkeys(e.group for b in projection.joins for e in b.ends)
    alive = [(n, int(i)) for n in names for i in device_ids(projection.design.groups[n])]
    gone = [x for x in lost if isinstance(x, Devices)]
    alive = [d for d in alive if not any(x.group == d[0] and _in(projection, d, x.box) for x in gone)]
    there, arcs = set(alive), defaultdict(float)
    for n, join in enumerate(projection.joins):
        c = columns(projection.design, join)
        number: dict[tuple[Device, Device], int] = defaultdict(int)
        for a, b in zip(c.a.tolist(), c.b.tolist(), strict=True):
            number[(join.a.group, a), (join.b.group, b)] += 1
        for (u, v), times in number.items():
            for x in lost:
                if not isinstance(x, Devices) and x.bundle == join.name and _in(projection, u, x.a) and _in(projection, v, x.b):
                    times -= times if x.times is None else x.times
            if times > 0 and u in there and v in there:
                arcs[u, v, n] += times * join.rate_gbps
                arcs[v, u, n] += times * join.rate_gbps
    return {a: c for a, c in arcs.items() if c}, alive


def wants(projection: Projection, asked: Sequence[Ask], alive: Sequence[Device]) -> dict[Device, dict[Device, float]]:
    """What each device sends to each, by the definition of the traffic."""
    out: dict[Device, dict[Device, float]] = defaultdict(lambda: defaultdict(float))
    for ask in asked:
        if isinstance(ask, Spread):
            senders = [d for d in alive if any(g == d[0] and _in(projection, d, box) for g, box in ask.sources)]
            receivers = [d for d in alive if any(g == d[0] and _in(projection, d, box) for g, box in ask.targets)]
            for s in senders:
                mine = [t for t in receivers if t != s and all(_at(projection, t)[a] == _at(projection, s)[a] for a in ask.within)]
                for t in mine:
                    out[s][t] += ask.weight / len(mine)
            continue
        for group, box in ask.of:
            rings: dict[tuple[tuple[str, int], ...], dict[int, Device]] = defaultdict(dict)
            for d in alive:
                if d[0] == group and _in(projection, d, box):
                    at = _at(projection, d)
                    rings[tuple((a, x) for a, x in at.items() if a != ask.axis)][at[ask.axis]] = d
            for ring in rings.values():
                members = sorted(ring)
                pairs = list(ask.rows) or [(x, members[(i + ask.by) % len(members)]) for i, x in enumerate(members)]
                for x, y in pairs:
                    if x in ring and y in ring and x != y:
                        out[ring[x]][ring[y]] += 1.0
    return out


def full_theta(projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick] = (), most: int = 60_000) -> float | None:
    """None when nobody sends, 0 when somebody cannot; -1 when the programme would be too large to be an oracle."""
    arcs, alive = device_arcs(projection, lost)
    traffic = wants(projection, asked, alive)
    if not traffic:
        return None
    hosts, relays = projection.hosts, projection.relays
    if len(arcs) * len(traffic) > most:
        return -1
    rows, capacity, columns_ = [], defaultdict(dict), 1
    for s, row in traffic.items():
        balance: dict[Device, dict[int, float]] = defaultdict(dict)
        for t, w in row.items():
            balance[t][0] = -w
        columns_ = _flows(s, arcs, balance, capacity, columns_, hosts - relays)
        rows += [(0.0, 0.0, r) for node, r in balance.items() if node != s]
    rows += [(-inf, arcs[a], r) for a, r in capacity.items()]
    status, value, _ = maximise({0: 1.0}, columns_, rows, 120)
    assert status == "optimal", status
    return value


def _flows(
    s: Device, arcs: dict[Arc, float], balance: dict[Device, dict[int, float]], capacity: dict[Arc, dict[int, float]], first: int,
    closed: frozenset[str],
) -> int:  # fmt: skip
    """Columns of one sender: every arc but those into it and those out of hosts that carry nothing for others."""
    for u, v, n in arcs:
        if v == s or (u != s and u[0] in closed):
            continue
        balance[v][first] = 1.0
        balance[u][first] = -1.0
        capacity[u, v, n][first] = 1.0
        first += 1
    return first


def full_total(
    projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick], rate_gbps: float, most: int = 20_000
) -> tuple[float, float] | None:
    """(delivered, wanted) when no pair gets more than it wants at this rate and nobody has to be served; None when too large."""
    arcs, alive = device_arcs(projection, lost)
    traffic = wants(projection, asked, alive)
    if len(arcs) * len(traffic) > most:
        return None
    rows, capacity, first, goal = [], defaultdict(dict), 0, {}
    for s, row in traffic.items():
        balance: dict[Device, dict[int, float]] = defaultdict(dict)
        first = _flows(s, arcs, balance, capacity, first, projection.hosts - projection.relays)
        for t, w in row.items():
            balance[t][first] = -1.0
            rows.append((0.0, w * rate_gbps, {first: 1.0}))
            goal[first] = 1.0
            first += 1
        rows += [(0.0, 0.0, r) for node, r in balance.items() if node != s]
    rows += [(-inf, arcs[a], r) for a, r in capacity.items()]
    wanted = sum(w for row in traffic.values() for w in row.values()) * rate_gbps
    if not goal:
        return 0.0, wanted
    status, value, _ = maximise(goal, first, rows, 120)
    assert status == "optimal", status
    return value, wanted


def full_split(projection: Projection, asked: Sequence[Ask], lost: Sequence[Pick], most: int = 6_000) -> float | None:
    """Rate at which the first link is full when every device spreads what goes to a destination evenly over its shortest ways."""
    arcs, alive = device_arcs(projection, lost)
    traffic = wants(projection, asked, alive)
    if not traffic:
        return None
    if len(arcs) * sum(map(len, traffic.values())) > most * 10:
        return -1
    closed = projection.hosts - projection.relays
    load: dict[Arc, float] = defaultdict(float)
    for s, row in traffic.items():
        into: dict[Device, list[Arc]] = defaultdict(list)
        out: dict[Device, list[Arc]] = defaultdict(list)
        for arc in arcs:
            if arc[1] != s and (arc[0] == s or arc[0][0] not in closed):
                into[arc[1]].append(arc)
                out[arc[0]].append(arc)
        for t, want in row.items():
            far, todo = {t: 0}, [t]
            for v in todo:
                for u, _, _ in into[v]:
                    if u not in far:
                        far[u] = far[v] + 1
                        todo.append(u)
            if s not in far:
                return 0.0
            flow: dict[Device, float] = defaultdict(float, {s: want})
            for u in sorted(far, key=lambda d: -far[d]):
                steps = [(a, arcs[a] / projection.joins[a[2]].rate_gbps) for a in out[u] if far.get(a[1], len(far)) == far[u] - 1]
                for a, links in steps:
                    f = flow[u] * links / sum(n for _, n in steps)
                    flow[a[1]] += f
                    load[a] += f
    return min(arcs[a] / f for a, f in load.items() if f)
