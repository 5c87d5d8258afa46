"""What every accelerator gets in a stage when all send to all at once: the solver of the analysis, asked about the stage as a design."""

from dataclasses import dataclass, replace

import numpy as np

from dcgen.design.model import Axis, Design, DeviceGroup, Join
from dcgen.design.select import around
from dcgen.plan.cables import Cables, Inventory, joined
from dcgen.plan.final import listed
from dcgen.plan.ground import Ground
from dcgen.plan.order import Order, state
from dcgen.plan.rewire import identical

MOST_PAIRS, MOST_AT_ONCE = 900, 300
"""Pairs of switches in all stages together, and in one, beyond which the solver is not asked: each of them is told apart."""


@dataclass(frozen=True, slots=True)
class Throughput:
    """The rate at which every accelerator sends to all others over a fabric in a stage, and before [Gb/s]; both are exact."""

    fabric: str
    now_gbps: float
    before_gbps: float

    @property
    def share(self) -> float:
        """What is left."""
        return self.now_gbps / self.before_gbps


def throughputs(inventory: Inventory, order: Order) -> list[list[Throughput]]:
    """For every stage the throughput of each fabric in which something in service moves, where the solver has an exact answer."""
    out: list[list[Throughput]] = [[] for _ in range(order.stages)]
    before = _staying(inventory.ground)
    for fabric in dict.fromkeys(inventory.kinds[k].fabric for k in np.unique(order.removed.kind).tolist()):
        intact = _asked(before, fabric)
        for stage in range(1, order.stages + 1) if intact else ():
            design = _during(inventory, before, fabric, state(order, stage), min(MOST_AT_ONCE, MOST_PAIRS // order.stages))
            found = _asked(design, fabric) if design else None
            if found is not None and intact:
                out[stage - 1].append(Throughput(fabric, found, intact))
    return out


def _asked(design: Design, fabric: str) -> float | None:
    """The exact answer, or None."""
    from dcgen.analysis.flow import Unanswerable, throughput

    if fabric not in design.fabrics or any(g.part not in design.parts for g in design.groups.values()):
        return None
    try:
        found = throughput(design, fabric)
    except Unanswerable:
        return None
    return found.value if found.exact else None


def _during(inventory: Inventory, before: Design, fabric: str, cables: Cables, most: int) -> Design | None:
    """The design with the cables that it has in a stage; None where more than so many pairs would be told apart."""
    ground = inventory.ground
    there = cables[ground.was[cables.a]]  # what hangs on new switches below serves nobody yet
    groups, instead = dict(before.groups), dict[str, list[Join]]()
    pairs = 0
    for kind, k in enumerate(inventory.kinds):
        mine, joins = there[there.kind == kind], inventory.bundles.get((kind, False), inventory.bundles.get((kind, True), []))
        if k.fabric != fabric or not joins or _same(inventory, kind, mine):
            continue
        pairs += len(np.unique(mine.a * len(ground.was) + mine.b))
        places = [ground.places[p] for p in k.places]
        if pairs > most or any(p.before is None for p in places):
            return None
        groups[places[1].group] = _both(groups[places[1].group], places[1].after)
        wide = replace(inventory, ground=replace(ground, after=replace(before, groups=groups)))
        instead |= {j.name: [] for j in joins}
        instead[joins[0].name] = [listed(wide, kind, joins[0], mine)]
    kept = [b for b in before.bundles if b.name not in instead]
    return replace(before, groups=groups, bundles=(*kept, *(j for made in instead.values() for j in made)))


def _staying(ground: Ground) -> Design:
    """The design before without the nodes that go."""
    groups = dict(ground.before.groups)
    for place in ground.places:
        group, after = place.before, place.after
        if group is None or group.tier:
            continue
        sizes = after.sizes if after is not None else dict.fromkeys(group.sizes, 0)
        outside = [s for axis in group.axes for s in around(axis, range(sizes[axis.name]), group.name)]
        gone = (*group.absent, *(after.absent if after is not None else ()), *outside)
        groups[group.name] = replace(group, absent=tuple(dict.fromkeys(gone)))
    return replace(ground.before, groups=groups, requirements=())


def _same(inventory: Inventory, kind: int, cables: Cables) -> bool:
    """Whether the cables of a kind are just those before."""
    old = joined(inventory.cables(join, False, kind) for join in inventory.bundles.get((kind, False), ()))
    return len(old) == len(cables) and bool(identical(cables, old).all())


def _both(one: DeviceGroup, other: DeviceGroup | None) -> DeviceGroup:
    """The group with every coordinate that either has."""
    if other is None:
        return one
    axes = tuple(Axis(a.name, max(a.size, other.sizes[a.name]), max(a.ruler, other.rulers[a.name]), a.kind) for a in one.axes)
    return replace(one, axes=axes, absent=())
