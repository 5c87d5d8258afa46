"""Which cable is unplugged and plugged in which stage, so that every device keeps its share; as few stages as there can be."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dcgen.design.columns import Ints
from dcgen.plan.cables import Cables, Inventory, Sockets, joined
from dcgen.plan.colour import coloured
from dcgen.plan.ground import Flags, Ground
from dcgen.plan.rewire import Target, spare
from dcgen.plan.sides import ANY, Sides

MOST_TRIES = 12


@dataclass(frozen=True)
class Order:
    """All cables before and after, and when: the stage of every cable of `removed` and `added`, counted from 1.

    Stage 0 is before anything is unplugged, `stages` + 1 is after everything else. `shares` are, for each stage, the least share of
    its capacity that any side keeps while the stage's cables are out.
    """

    kept: Cables
    removed: Cables
    added: Cables
    out: Ints
    when: Ints
    stages: int
    shares: tuple[Fraction, ...]

    @property
    def share(self) -> Fraction:
        """The least share of all stages."""
        return min(self.shares, default=Fraction(1))


@dataclass(frozen=True)
class Change:
    """What is to be ordered."""

    inventory: Inventory
    sockets: Sockets
    before: Cables
    after: Cables
    target: Target
    sides: Sides


def orders(change: Change, keep: Fraction) -> Iterator[Order]:
    """Orders of all moves, those with fewer stages first: as few as the quotas allow, more where ports come free too late.

    Some hold the share at every port, others do not.
    """
    removed = change.before[~change.target.keep]
    weight = change.sides.weight[~change.target.keep]
    quota, moved = change.sides.quota(keep), change.sides.count(removed[weight])
    for stages, whole in _tries(change.sides, moved, quota):
        out = _unplugged(change, removed, weight, keep, stages, whole)
        if out is not None:
            yield _plugged(change, removed, out, stages, moved)


def _tries(sides: Sides, moved: Ints, quota: Ints) -> Iterator[tuple[int, bool]]:
    """(number of stages, whether switches that go are taken out as a whole): the fewest first, up to one link of a side at a time."""
    asked = sides.asked(moved)
    need = -(-moved // np.maximum(quota, 1))
    fewest, single = int(need[asked].max(initial=0)), int(need[(quota < ANY)].max(initial=0))
    if not moved.any():
        yield 0, False
        return
    most, tried = max(int(moved[asked].max(initial=0)), single, 1), 0
    stages = max(fewest, 1)
    while stages <= most and tried < MOST_TRIES:
        yield stages, True
        if stages >= single:
            yield stages, False
        tried += stages >= single
        stages = stages + 1 if tried < 4 else min(stages * 2, most) if stages < most else most + 1


def _unplugged(change: Change, removed: Cables, weight: Flags, keep: Fraction, stages: int, whole: bool) -> Ints | None:
    """The stage in which each removed cable is unplugged, from 1; 0 for what carries nothing.

    With `whole`, switches that go are taken out one as a whole after the other, as many at once as their neighbours can spare;
    None where not all that moves is theirs, or they cannot be.
    """
    out, quota = np.zeros(len(removed), np.int64), change.sides.quota(keep)
    live = removed[weight]
    if whole:
        number = np.bincount(change.before.kind[change.sides.weight], minlength=len(change.inventory.kinds))
        most = number - -(-number * keep.numerator // keep.denominator)
        found = _in_turn(change.inventory.ground, change.sides, live, quota, most, stages)
        if found is None:
            return None
        out[weight] = found + 1
    elif stages:
        ends = []
        for side in change.sides.of(live):
            free = (quota[side] >= ANY) | (change.sides.goes[side] & (quota[side] < 1))
            ends.append(np.where(free, len(quota) + np.arange(len(live)), side))
        out[weight] = coloured(ends[0], ends[1], stages) + 1
    return out


def _in_turn(ground: Ground, sides: Sides, live: Cables, quota: Ints, most: Ints, stages: int) -> Ints | None:
    """The stage from 0 in which each switch that goes is taken out, first fit in the order of numbers, for each of its cables.

    A cable between two such switches goes with the lower one. Of each kind of cable no more than `most` go in one stage, unless a
    single switch has more: nodes with one link are cut off some at a time, not all at once.
    """
    goes = ~ground.will
    lower = goes[live.a]
    if not (lower | goes[live.b]).all():
        return None
    one, other = sides.of(live)
    owner, far = np.where(lower, live.a, live.b), np.where(lower, other, one)
    held = ~goes[np.where(lower, live.b, live.a)]
    used, of_kind = np.zeros((stages, len(quota)), np.int64), np.zeros((stages, len(most)), np.int64)
    out = np.zeros(len(live), np.int64)
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1)).tolist()
    for first, last in zip(starts, [*starts[1:], len(order)], strict=True):
        mine = order[first:last]
        touched, number = np.unique(far[mine[held[mine]]], return_counts=True)
        kinds = np.bincount(live.kind[mine], minlength=len(most))
        for s in range(stages):
            alone = (of_kind[s] + kinds <= most) | (of_kind[s] == 0) | (kinds == 0)
            if alone.all() and (used[s, touched] + number <= quota[touched]).all():
                break
        else:
            return None
        used[s, touched] += number
        of_kind[s] += kinds
        out[mine] = s
    return out


def _plugged(change: Change, removed: Cables, out: Ints, stages: int, moved: Ints) -> Order:
    """With the stage in which each added cable is plugged: once both its sockets are free.

    What carries nothing is unplugged in the first stage if a socket of it is wanted, and last if not.
    """
    sockets, kept = change.sockets, change.before[change.target.keep]
    held = [sockets.held(removed, side) for side in (0, 1)]
    free_at = np.zeros(sockets.count, np.int64)
    for lane, row in held:
        free_at[lane] = np.maximum(out[row], 1)
    added = joined([change.target.fixed, _chosen(change, kept, free_at, stages)])
    when, wanted = np.zeros(len(added), np.int64), np.zeros(sockets.count, bool)
    for side in (0, 1):
        lane, row = sockets.held(added, side)
        np.maximum.at(when, row, free_at[lane])
        wanted[lane] = True
    now = out.copy()
    for lane, row in held:
        now[row[wanted[lane] & (out[row] == 0)]] = 1
    stages = max(stages, int(when.max(initial=0)))
    now[now == 0] = stages + 1
    shares = _shares(change, removed, added, now, when, stages, moved)
    return Order(kept, removed, added, now, when, stages, shares)


def _chosen(change: Change, kept: Cables, free_at: Ints, stages: int) -> Cables:
    """The open cables with ports: shared out over the stages like what is unplugged, each on a port that is free by then."""
    rows = change.target.open
    colour = coloured(rows.a, rows.b, max(stages, 1))
    places = [rows.a_at.copy(), rows.b_at.copy()]
    for side in (0, 1):
        device = rows.ends(side)[0]
        for kind, here, at in spare(rows, change.after, kept, change.target.fixed, side):
            asked = np.flatnonzero(rows.kind == kind)
            asked = asked[np.lexsort((colour[asked], device[asked]))]
            order = np.lexsort((at, _free_from(change.sockets, kind, here, at, side, free_at), here))
            places[side][asked] = at[order][_first(here[order], device[asked])]
    return replace(rows, a_at=places[0], b_at=places[1])


def _free_from(sockets: Sockets, kind: int, device: Ints, at: Ints, side: int, free_at: Ints) -> Ints:
    """The stage from which each position is free."""
    lane, row = sockets.held(Cables(np.full(len(device), kind, np.int64), device, at, device, at), side)
    out = np.zeros(len(device), np.int64)
    np.maximum.at(out, row, free_at[lane])
    return out


def _first(have: Ints, want: Ints) -> Flags:
    """As many of the first places of every device as it wants; both in the order of devices."""
    devices, starts, number = np.unique(have, return_index=True, return_counts=True)
    need = np.bincount(np.searchsorted(devices, want), minlength=len(devices))
    out: Flags = np.arange(len(have)) - np.repeat(starts, number) < np.repeat(need, number)
    return out


def _shares(change: Change, removed: Cables, added: Cables, out: Ints, when: Ints, stages: int, moved: Ints) -> tuple[Fraction, ...]:
    """The least share of capacity that is left at any side that is asked to keep some, once a stage is unplugged."""
    sides = change.sides
    rate = np.array([round(k.rate_gbps * 1000) or 1 for k in change.inventory.kinds], np.int64)
    weight = sides.weight
    had = sides.count(change.before[weight], rate[change.before.kind[weight]])
    mine = weight[~change.target.keep]
    live, gone = removed[mine], out[mine]
    base = np.minimum(had, had - sides.count(live, rate[live.kind]) + sides.count(added, rate[added.kind]))
    asked = sides.asked(moved) & (base > 0)
    left, found = had.copy(), []
    for stage in range(1, stages + 1):
        for some, sign in ((live[gone == stage], -1), (added[when == stage - 1], 1)):
            left += sign * sides.count(some, rate[some.kind])
        ratio = np.where(asked, left / np.maximum(base, 1), np.inf)
        at = int(ratio.argmin()) if len(ratio) else 0
        found.append(min(Fraction(1), Fraction(int(left[at]), int(base[at]))) if asked.any() else Fraction(1))
    return tuple(found)


def state(order: Order, stage: int) -> Cables:
    """The cables that are plugged while a stage's are out; before everything for stage 0."""
    if not stage:
        return joined([order.kept, order.removed])
    return joined([order.kept, order.removed[order.out > stage], order.added[order.when < stage]])
