"""The plan itself: what moves, in which order, with what proof; or why there is none."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.naming import address
from dcgen.plan.cables import Inventory, Sockets, joined
from dcgen.plan.final import final
from dcgen.plan.ground import Ground, ground
from dcgen.plan.model import Devices, Interruption, Layer, Plan, Stage, percent
from dcgen.plan.order import Change, Order, orders
from dcgen.plan.residual import CLOSE, Residual, residuals
from dcgen.plan.rewire import target
from dcgen.plan.sides import ANY, largest, sides
from dcgen.plan.solved import Throughput, throughputs
from dcgen.plan.work import tasks

PROVEN_BY = 4
"""Orders that hold the share at every port and are tried until one is also proven to carry it."""


def plan(before: Design, after: Design, keep: Fraction) -> Plan:
    """The change from one design to another in stages that keep a share of the bandwidth, with the fewest cables moved.

    Raises:
        Rejected: `keep-not-met`, with the largest share that can be kept.
    """
    inventory = Inventory(ground(before, after))
    old, new = inventory.read(False), inventory.read(True)
    sockets = Sockets(inventory, [old, new])
    found = target(inventory, sockets, old, new)
    change = Change(inventory, sockets, old, new, found, sides(inventory, old, new))
    order, proof = _chosen(change, keep)
    cables = joined([order.kept, order.added])
    design, differ, unwritten = final(inventory, found, new, cables)
    weight = change.sides.weight
    made = Plan(
        inventory,
        before,
        after,
        keep,
        order.kept,
        order.removed,
        order.added,
        tuple(_stages(change, order, proof, throughputs(inventory, order))),
        tuple(_layers(inventory, order)),
        tuple(_devices(inventory.ground)),
        tuple(_interruptions(change, order)),
        design,
        int((weight & ~found.keep).sum()),
        int(weight.sum()),
        differ,
        unwritten,
    )
    return replace(made, findings=tuple(_findings(made, [inventory.kinds[k].layer for k in found.unproven])))


def _chosen(change: Change, keep: Fraction) -> tuple[Order, list[list[Residual]]]:
    """The order with the fewest stages that holds the share at all ports and is proven to, else the first that holds it."""
    first: tuple[Order, list[list[Residual]]] | None = None
    best = Fraction(0)
    for tried, order in enumerate(orders(change, keep)):
        best = max(best, order.share)
        if order.share < keep:
            continue
        proof = residuals(change.inventory, order)
        first = first or (order, proof)
        if all(r.low >= keep - CLOSE for stage in proof for r in stage):
            return order, proof
        if tried >= PROVEN_BY:
            break
    if first is None:
        raise Rejected([_not_met(change, keep, best)])
    return first


def _not_met(change: Change, keep: Fraction, best: Fraction) -> Diagnostic:
    """That a share cannot be kept, and which can."""
    found, here = change.sides, change.inventory.ground
    moved = found.count(change.before[found.weight & ~change.target.keep])
    tight = found.asked(moved) & (found.least > 1)
    at = np.flatnonzero(tight & (found.least == found.least[tight].min(initial=ANY)))[:1]
    place = here.places[int(here.place_of(found.device(at))[0])]
    device = address(place.group, place.coordinates(int(found.device(at)[0])))
    way = ("upward", "downward", "to its like")[int(found.keys[at][0]) % 3]
    why = f"{device} has {int(found.least[at][0])} links {way}, and {int(moved[at][0])} of them move: at best one at a time"
    known = "can be kept" if best == largest(found, moved) else "was found to be kept"
    what = f"no plan keeps {percent(keep)} of the bandwidth; {percent(best)} is the most that {known}"
    return Diagnostic("keep-not-met", what, why, f"write `--keep {percent(best).replace(' ', '')}`, or change less at once", subject=device)


def _stages(change: Change, order: Order, proof: list[list[Residual]], solved: list[list[Throughput]]) -> Iterator[Stage]:
    """The stages in which something is done."""
    moves = set(np.unique(order.out).tolist())
    for number in range(order.stages + 2):
        work = tasks(change.inventory, change.sockets, order, number)
        if not len(work):
            continue
        if number == 0:
            yield Stage(0, "prepare", work)
        elif number > order.stages:
            yield Stage(number, "take away", work)
        else:
            share = order.shares[number - 1] if number in moves else None
            yield Stage(number, "move", work, share, tuple(proof[number - 1]), tuple(solved[number - 1]))


def _layers(inventory: Inventory, order: Order) -> Iterator[Layer]:
    """What stays and what moves, layer by layer in the order of the bundles."""
    names = [(k.fabric, k.layer) for k in inventory.kinds]
    counts = [np.bincount(c.kind, minlength=len(names)).tolist() for c in (order.kept, order.removed, order.added)]
    for fabric, layer in dict.fromkeys(names):
        kept, removed, added = (sum(n for n, name in zip(x, names, strict=True) if name == (fabric, layer)) for x in counts)
        yield Layer(fabric, layer, kept + removed, kept, added)


def _devices(here: Ground) -> Iterator[Devices]:
    """What comes and goes, group by group."""
    counted: dict[str, list[int]] = {}
    for p in here.places:
        was, will = (x[p.offset : p.offset + p.size] for x in (here.was, here.will))
        found = counted.setdefault(p.group, [0, 0])
        found[0] += int((will & ~was).sum())
        found[1] += int((was & ~will).sum())
    for group, (come, go) in counted.items():
        same = min(come, go) if sum(p.group == group for p in here.places) > 1 else 0
        if come or go:
            yield Devices(group, come - same, go - same, same)


def _interruptions(change: Change, order: Order) -> Iterator[Interruption]:
    """Devices that are cut off from a fabric because they have one link to it, and that one moves."""
    found, here = change.sides, change.inventory.ground
    single = found.single & (found.will > 0)
    weight = found.weight[~change.target.keep]
    rows = np.flatnonzero(weight)
    for end in found.of(order.removed[rows]):
        hit = single[end]
        device, kind, stage = found.device(end[hit]), order.removed.kind[rows][hit], order.out[rows][hit]
        place = here.place_of(device)
        for p, k, s in sorted(set(zip(place.tolist(), kind.tolist(), stage.tolist(), strict=True))):
            mine = np.unique(device[(place == p) & (kind == k) & (stage == s)])
            yield Interruption(here.places[p].group, change.inventory.kinds[k].fabric, s, mine)


def _findings(made: Plan, unproven: list[str]) -> Iterator[Diagnostic]:
    """What somebody who carries it out must know."""
    for group, fabric in dict.fromkeys((i.group, i.fabric) for i in made.interruptions):
        mine = [i for i in made.interruptions if (i.group, i.fabric) == (group, fabric)]
        places = made.inventory.ground.places
        place = next(p for p in places if p.offset <= mine[0].devices[0] < p.offset + p.size)
        first = address(group, place.coordinates(int(mine[0].devices[0])))
        number = sum(len(i.devices) for i in mine)
        what = (
            f"{number:,} of {group} {'is' if number == 1 else 'are'} cut off from {fabric} for a while, in {_said([i.stage for i in mine])}"
        )
        fix = "take them out of service for that stage, or give them a second link first"
        yield Diagnostic(
            "cut-off", what, f"a single link leads from each to {fabric}, and moves; the first is {first}", fix, "warning", group
        )
    for layer in dict.fromkeys((r.fabric, r.layer) for s in made.stages for r in s.residuals):
        found = [(s, r) for s in made.stages for r in s.residuals if (r.fabric, r.layer) == layer and r.low < made.keep - CLOSE]
        if found:
            yield _unproven(made, found)
    for kind in unproven:
        what = f"{kind}: that no plan moves fewer is not proven"
        why = "links are spread unevenly, or over too many pairs; each pair gets as many as the design after has"
        yield Diagnostic("moves-unproven", what, why, severity="info")


def _unproven(made: Plan, found: list[tuple[Stage, Residual]]) -> Diagnostic:
    """That a layer may keep less than was asked for, although the links of every device are enough."""
    stage, worst = min(found, key=lambda x: x[1].low)
    at, fabric = _said([s.number for s, _ in found]), f"{worst.fabric} ({worst.layer})"
    if worst.low == 0:
        what = f"in {at}, {fabric} is in parts that no switch joins"
        why = "what is new is not joined to what is old; only devices with links into both reach everything"
        return Diagnostic(
            "keep-unproven", what, why, "join both for the time of the change, or move all in one stage", "warning", worst.fabric
        )
    what = f"in {at}, {percent(worst.low)} of what {fabric} carries is proven to be left, {percent(worst.high)} is the most it can be"
    why = f"every device keeps {percent(stage.share or 0)} of its links, but not of those that the others keep"
    return Diagnostic("keep-unproven", what, why, "keep more, so that less moves at once", "warning", worst.fabric)


def _said(stages: list[int]) -> str:
    """`stages 1, 2 and 3`."""
    *most, last = sorted(set(stages))
    return f"stages {', '.join(map(str, most))} and {last}" if most else f"stage {last}"
