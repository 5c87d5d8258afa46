"""The closed form of an intact Clos: seen from its terminals it is a tree, and on a tree throughput is a division per edge.

Which digits of a switch its terminals can tell apart (`kept`) follows from the wiring alone: a parent keeps the digits that the child
keeps and shares with it. All leaves of a unit, all spines of a pod, all cores are merged so; when every merged device then has the
same links, the merged net is equitable with single terminals, and routing on it is unique.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from dcgen.analysis.flow.cells import Cell, Frame, cut, settle
from dcgen.analysis.flow.demand import Demand
from dcgen.analysis.flow.net import Net, Wire, inside
from dcgen.analysis.flow.solve import Binding, Theta
from dcgen.analysis.flow.span import Span


@dataclass(frozen=True, slots=True)
class Branch:
    """The edges from the merged devices of `child` up to those of `parent`, one per coordinate of `kept`; a rate in each direction."""

    child: str
    parent: str
    kept: tuple[str, ...]
    edge_gbps: float
    links: int


def branches(net: Net, hosts: Sequence[str]) -> list[Branch] | None:
    """The tree seen from the hosts, or None: a loop, a mesh, a hole, an axis that was merged and is not whole,
    several trees."""
    plain = all(not w.axis and w.at_a is None and w.at_b is None and w.rate_gbps > 0 for w in net.wires)
    common = all(set(net.groups[w.a].full) & set(net.groups[w.b].full) == w.shared for w in net.wires)
    if not plain or not common or any(g.extents for g in net.groups.values()):
        return None
    wires: dict[frozenset[str], list[Wire]] = defaultdict(list)
    for w in net.wires:
        wires[frozenset((w.a, w.b))].append(w)
    found = _upward(net, hosts, wires)
    if found is None:
        return None
    kept, above = found
    tops = [g for g in kept if g not in above]
    if len(tops) != 1 or any(net.groups[tops[0]].full[axis].size > 1 for axis in kept[tops[0]]):
        return None  # several trees that never meet
    for child, parent in above.items():
        a, b = net.groups[child].full, net.groups[parent].full
        for axis in set(a) & set(b):
            if (axis not in kept[child] and a[axis] != b[axis]) or not a[axis] <= b[axis]:
                return None
    return [_branch(net, c, p, kept[c], wires[frozenset((c, p))]) for c, p in above.items()]


def _upward(
    net: Net, hosts: Sequence[str], wires: dict[frozenset[str], list[Wire]]
) -> tuple[dict[str, frozenset[str]], dict[str, str]] | None:
    """(what each group keeps, what is above it)."""
    kept = {h: frozenset(net.groups[h].full) for h in hosts}
    above: dict[str, str] = {}
    todo = list(hosts)
    for child in todo:
        ups = [p for p in wires if child in p and above.get(next(iter(p - {child}), child)) != child]
        if len(ups) > 1:
            return None  # two ways up: a loop, or a scale-up domain beside the fabric
        for pair in ups:
            parent = next(iter(pair - {child}), child)
            keeps = kept[child] & wires[pair][0].shared
            if parent in hosts or parent == child or kept.setdefault(parent, keeps) != keeps:
                return None
            above[child] = parent
            todo += [parent] if parent not in todo else []
    return kept, above


def _branch(net: Net, child: str, parent: str, kept: frozenset[str], wires: Sequence[Wire]) -> Branch:
    a, b = net.groups[child].full, net.groups[parent].full
    joint = {**b, **a}
    inner = prod((a[x] & b[x] if x in a and x in b else side).size for x, side in joint.items() if x not in kept)
    each = sum(w.times * w.rate_gbps for w in wires)
    return Branch(child, parent, tuple(sorted(kept)), each * inner, sum(w.times for w in wires) * inner)


def on_tree(net: Net, asked: Sequence[Demand], found: Sequence[Branch]) -> Theta:
    """Per class of edges, capacity over the traffic that crosses it, the least of all."""
    frame = Frame(net, [a for d in asked for a in d.agreements(net)] + [b.kept for b in found if b.kept])
    base = settle(net, [m for d in asked for m in d.marks(net)], frame)
    best: tuple[float, Binding] | None = None
    anybody = False
    for branch in found:
        edges = {tuple((a, c.sides[a].parts) for a in branch.kept): c for c in base if c.group == branch.child}
        for edge in edges.values():
            up, down = _across(asked, base, frame, branch, edge)
            anybody = anybody or bool(up or down)
            if max(up, down) and (best is None or branch.edge_gbps / max(up, down) < best[0]):
                words = net.groups[branch.child].said({**net.groups[branch.child].full, **{a: edge.sides[a] for a in branch.kept}})
                name = f"{words} → {branch.parent}" if up >= down else f"{branch.parent} → {words}"
                number = prod(edge.sides[a].size for a in branch.kept)
                best = branch.edge_gbps / max(up, down), Binding(name, 1.0, number * branch.links, number * branch.edge_gbps)
    if best is None or not anybody:
        return Theta(None, None, None, "no demand", "nobody who is there wants to send to anybody who is")
    rate, binding = best
    return Theta(rate, rate, rate, "exact", "", (binding,), {"variables": 0, "sources": 0})


def _across(asked: Sequence[Demand], base: list[Cell], frame: Frame, branch: Branch, edge: Cell) -> tuple[float, float]:
    """What has to go up and down over one edge when each sender sends 1."""
    mark = {a: Span.of(edge.sides[a].first) for a in branch.kept}
    cells = [Cell(c.group, c.sides, i) for i, c in enumerate(cut(base, mark, frame))]

    def below(c: Cell) -> bool:
        return all(a in c.sides for a in branch.kept) and inside(c.sides, mark)

    up = down = 0.0
    for source in (s for d in asked for s in d.classes(cells)):
        seen, inner = cells, below(cells[source.cell])
        for point in source.points:
            seen = cut(seen, point, frame)
        across = source.count * sum(source.wants(c) for c in seen if below(c) != inner)
        up, down = (up + across, down) if inner else (up, down + across)
    return up, down
