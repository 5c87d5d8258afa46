"""How many shortest ways lead from one terminal to another, and which links two sets of terminals have in common."""

from collections import defaultdict
from collections.abc import Sequence

from dcgen.analysis.flow.answer import Question
from dcgen.analysis.flow.demand import Demand, Uniform
from dcgen.analysis.flow.lower import lower
from dcgen.analysis.flow.project import project
from dcgen.analysis.flow.quotient import Commodity, Setting, commodity
from dcgen.analysis.flow.split import MOST_STEPS, each_target
from dcgen.analysis.flow.traffic import boxes_of, side_of
from dcgen.design.model import Design


def shortest_ways(question: Question) -> tuple[int, int] | None:
    """(links passed, ways link by link) between two terminals that are as far apart as any, the fewest of such pairs; None without
    cells, with so many that it would take minutes, or where some cannot reach each other."""
    if question.lowered is None:
        return None
    setting = Setting(question.lowered.net, question.demands[0], question.relay, question.lowered.missing)
    found: list[tuple[int, int]] = []
    sources = setting.sources()
    if len(sources) ** 2 * len(setting.pairs) > MOST_STEPS:
        return None  # nearly every source is its own class, and so is every target of it
    for source in sources:
        for pair, _ in each_target(setting, source):
            counted = _count(setting, pair)
            if counted is None:
                return None
            found.append(counted)
    longest = max((far for far, _ in found), default=0)
    return (longest, min(n for far, n in found if far == longest)) if found else None


def _count(setting: Setting, pair: Commodity) -> tuple[int, int] | None:
    """(links passed, number of shortest ways) of one pair; every link of a pair of devices is a way of its own."""
    (target,) = pair.want
    into = defaultdict(list)
    for e in pair.edges:
        into[e.head].append(e)
    far, todo = {target: 0}, [target]
    for node in todo:
        for e in into[node]:
            if e.tail not in far:
                far[e.tail] = far[node] + 1
                todo.append(e.tail)
    if pair.root not in far:
        return None
    ways: dict[int, int] = {target: 1}
    for node in sorted(far, key=lambda n: far[n]):
        for e in into[node]:
            if far.get(e.tail) == far[node] + 1 and e.k is not None:
                each = e.pairs * setting.times[e.k] // pair.cells[e.tail].count
                ways[e.tail] = ways.get(e.tail, 0) + each * ways[node]
    return far[pair.root], ways[pair.root]


def shared_links(design: Design, fabric: str, one: Sequence[str], other: Sequence[str]) -> tuple[int, list[str]]:
    """Links of a fabric that lie on a way between two terminals of one set and on a way between two of the other, and their bundles.

    None of them means that the two are physically apart there: no traffic of one can be in the way of the other's.

    Raises:
        Unanswerable: a selector names nothing in this fabric.
        NotSymbolic: the wiring has no cells to answer on.
    """
    projection = project(design, fabric)
    low = lower(projection)
    sets: list[Demand] = []
    for among in (one, other):
        side = boxes_of(low, side_of(projection, among))
        sets.append(Uniform(side, side))
    setting = Setting(low.net, sets, dict.fromkeys(projection.relays, True), low.missing)
    used = [{e.k for s in d.classes(setting.live) for e in commodity(setting, s).edges if e.k is not None} for d in sets]
    ends = [{frozenset((setting.wires[k], *setting.ends[k])) for k in classes} for classes in used]
    both = ends[0] & ends[1]
    mine = {frozenset((setting.wires[k], *setting.ends[k])): k for k in range(len(setting.pairs))}
    number = sum(setting.pairs[mine[e]] * setting.times[mine[e]] for e in both)
    return number, sorted({low.net.wires[setting.wires[mine[e]]].name for e in both})
