"""Kinds of ways between ports: on witnesses, walked over links, and between every pair of ports one by one, all the same."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import event, given
from hypothesis import strategies as st

from dcgen.design import Design, Join
from dcgen.design.columns import columns
from dcgen.design.lowering import NotSymbolic
from dcgen.design.rewrite import by_port
from dcgen.design.walks import walked
from dcgen.design.ways import Ways, _on_witnesses
from dcgen.design.witness import witnesses
from tests.laws.designs import Wild, chance, designs, law

NODES = Wild(two_ended=False)
Device = tuple[str, int]


def one_by_one(
    design: Design, joins: tuple[Join, ...], ports: Mapping[str, str], near: Mapping[str, tuple[str, ...]], cost: Mapping[str, float]
) -> Counter[tuple[str, float, int]]:
    """(group, cost, links) -> ordered pairs; -1 links where none leads there, -2 where they are local."""
    beside: dict[Device, set[tuple[Device, str]]] = defaultdict(set)
    for join in joins:
        c = columns(design, join)
        for a, b in zip(c.a.tolist(), c.b.tolist(), strict=True):
            beside[join.a.group, a].add(((join.b.group, b), join.name))
            beside[join.b.group, b].add(((join.a.group, a), join.name))
    found: Counter[tuple[str, float, int]] = Counter()
    ends = [d for d in beside if d[0] in ports]
    for start in ends:
        far, front = {start: (0, 0.0)}, [start]
        while front:
            ahead: dict[Device, float] = {}
            for v in front:
                for w, bundle in beside[v]:
                    if w not in far:
                        ahead[w] = max(ahead.get(w, 0.0), far[v][1] + cost[bundle])
            far |= {w: (far[front[0]][0] + 1, paid) for w, paid in ahead.items()}
            front = list(ahead)
        for other in ends:
            if other == start:
                continue
            homes = [(ports[g], *(design.groups[g].coordinates(n)[a] for a in near[ports[g]])) for g, n in (start, other)]
            if homes[0] == homes[1]:
                found[start[0], 0, -2] += 1
            else:
                hops, paid = far.get(other, (-1, 0))
                found[start[0], paid, hops] += 1
    return found


def summed(ways: Ways, cost: Mapping[str, float]) -> Counter[tuple[str, float, int]]:
    out: Counter[tuple[str, float, int]] = Counter()
    for (group, links), pairs in ways.pairs.items():
        out[group, sum(cost[b] for b in links), len(links)] += pairs
    return out


@law(150)
@given(designs(NODES), st.data())
def test_ways_are_those_of_every_pair(design: Design, data: st.DataObject) -> None:
    first = design.bundles[0].a.group
    nodes = {first, *(n for n in design.groups if n != design.bundles[0].b.group and data.draw(chance(3)))}
    design = replace(design, groups={n: replace(g, role="node" if n in nodes else "leaf") for n, g in design.groups.items()})
    bundles = [b for b in design.bundles if b.b.group not in nodes]
    ported, joins, ports = by_port(design, bundles)
    near = {g: tuple(a for a in design.groups[g].sizes if data.draw(st.booleans())) for g in sorted(set(ports.values()))}
    cost = {b.name: float(2**i) for i, b in enumerate(joins)}
    truth = one_by_one(ported, joins, ports, near, cost)
    kept = Counter({k: n for k, n in truth.items() if k[2] >= 0})
    local, apart = (sum(n for k, n in truth.items() if k[2] == code) for code in (-2, -1))
    on_links = walked(ported, joins, ports, near, cost)
    assert (summed(on_links, cost), on_links.local, on_links.apart) == (kept, local, apart)
    try:
        seen = _on_witnesses(witnesses(ported, joins), ports, near, cost)
    except NotSymbolic:
        event("no witnesses")
        return
    event("on witnesses")
    assert (summed(seen, cost), seen.local, seen.apart) == (kept, local, apart)
