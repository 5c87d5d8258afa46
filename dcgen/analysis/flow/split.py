"""Equal split over shortest paths: what every link carries when each device spreads the traffic to a destination evenly over all its
links that lie on a shortest way. Loads add up, so this is arithmetic and no programme."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from dcgen.analysis.flow.cells import Cell, cut
from dcgen.analysis.flow.demand import Demand, Source
from dcgen.analysis.flow.net import Loss, Net
from dcgen.analysis.flow.quotient import Commodity, Edge, Relay, Setting, commodity, kinds, seen_by
from dcgen.analysis.flow.solve import Binding, Theta
from dcgen.analysis.flow.span import Span

MOST_PAIRS = 4000
MOST_STEPS = 100_000
"""Classes of pairs times classes of arcs: each pair walks the arcs, and a hundred thousand steps take some seconds."""


def equal_split(net: Net, demands: Sequence[Demand], relay: Relay | None = None, losses: Sequence[Loss] = ()) -> Theta:
    """The rate per sender at which the first link is full; one sender and one receiver are isolated per class of pairs."""
    setting = Setting(net, demands, relay, losses)
    uses: dict[int, list[tuple[Commodity, Edge, float]]] = defaultdict(list)
    pairs = 0
    for source in setting.sources():
        for pair, part in each_target(setting, source):
            pairs += 1
            if pairs > MOST_PAIRS or pairs * len(setting.pairs) > MOST_STEPS:
                why = f"{pairs:,} classes of pairs or more over {len(setting.pairs):,} classes of arcs: ask for a slice of the design"
                return Theta(None, None, None, "too large", why)
            flow = _split(setting, pair, part)
            if flow is None:
                why = f"{setting.said(pair.cells[pair.root])} cannot reach {setting.said(pair.cells[next(iter(pair.want))])}"
                return Theta(0.0, 0.0, 0.0, "cut off", why)
            for e, f in flow:
                if e.k is not None:
                    uses[e.k].append((pair, e, f))
    if not pairs:
        return Theta(None, None, None, "no demand", "nobody who is there wants to send to anybody who is")
    loads: list[tuple[float, str, int]] = []
    for k, use in uses.items():
        for kind in kinds(setting, k, [(p, e) for p, e, _ in use]):
            carried = sum(p.source.count * f * seen_by(p.source, e, kind) for p, e, f in use)
            loads.append((carried / (setting.pairs[k] * setting.gbps[k]), setting.name(k), k))
    loads.sort(key=lambda x: (-x[0], x[1]))
    load, name, k = loads[0]
    number = setting.pairs[k]
    full = Binding(name, 1.0, number * setting.times[k], number * setting.gbps[k])
    return Theta(1 / load, 1 / load, 1 / load, "exact", "", (full,), {"pairs": pairs})


def each_target(setting: Setting, source: Source) -> list[tuple[Commodity, float]]:
    """The commodity of a source, once per class of targets, with one target of the class isolated as well."""
    cells = setting.live
    for point in source.points:
        cells = cut(cells, point, setting.frame)
    out = []
    for cell in cells:
        if cell.group in setting.hosts and (part := source.wants(cell)):
            device = {axis: Span.of(x) for axis, x in cell.device().items()}

            def wants(c: Cell, group: str = cell.group, part: float = part, device: dict[str, Span] = device) -> float:
                return part if c.group == group and c.sides == device else 0.0

            out.append((commodity(setting, replace(source, points=(*source.points, device), wants=wants)), part))
    return out


def _split(setting: Setting, pair: Commodity, part: float) -> list[tuple[Edge, float]] | None:
    """What flows on the shortest ways to the one target; None if it cannot be reached."""
    (target,) = pair.want
    into: dict[int, list[Edge]] = defaultdict(list)
    for e in pair.edges:
        into[e.head].append(e)
    far, todo = {target: 0}, [target]
    for node in todo:  # entering a host costs nothing
        for e in into[node]:
            d = far[node] + (e.k is not None)
            if d < far.get(e.tail, d + 1):
                far[e.tail] = d
                todo.append(e.tail)
    if pair.root not in far:
        return None
    out: dict[int, list[tuple[Edge, int]]] = defaultdict(list)
    for e in pair.edges:
        if e.tail in far and e.head in far and far[e.tail] == far[e.head] + (e.k is not None):
            out[e.tail].append((e, 1 if e.k is None else e.pairs * setting.times[e.k]))
    flow: dict[int, float] = defaultdict(float, {pair.root: part})
    found = []
    for node in sorted(out, key=lambda n: (-far[n], -n)):
        whole = sum(links for _, links in out[node])
        for e, links in out[node] if flow[node] else ():
            f = flow[node] * links / whole
            flow[e.head] += f
            found.append((e, f))
    return found
