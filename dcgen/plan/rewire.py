"""Which cables stay and which pairs get new ones: the fewest moves that lead from one design to the next."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dcgen.design.columns import Ints
from dcgen.design.model import Deal, Join
from dcgen.design.stages import Growth, growth_of, per_coordinate
from dcgen.design.wiring import WiringError, ports_needed
from dcgen.plan.cables import Cables, Inventory, Sockets, joined, none
from dcgen.plan.counts import Pairs, balanced, looked_up, pairs
from dcgen.plan.ground import Flags


@dataclass(frozen=True)
class Target:
    """What becomes of the cables before (`keep`), the cables that come new, and how.

    `fixed` are new cables whose ports are known, `open` those whose pair of devices is known and whose ports (-1) may be chosen
    among what `spare` gives. `grown` are bundles in
    the form in which they have grown. `unproven` are kinds of which the fewest moves are not proven.
    """

    keep: Flags
    fixed: Cables
    open: Cables
    grown: dict[str, list[Join]]
    unproven: tuple[int, ...] = ()


def target(inventory: Inventory, sockets: Sockets, before: Cables, after: Cables) -> Target:
    """The fewest cables moved, kind by kind; whatever cable can stay in its two sockets does."""
    same = identical(before, after)
    keep, fixed, opened = np.zeros(len(before), bool), [], []
    grown: dict[str, list[Join]] = {}
    unproven: list[int] = []
    allowed = _allowed(sockets, before, after)
    for kind in range(len(inventory.kinds)):
        old, new = np.flatnonzero((before.kind == kind) & allowed), np.flatnonzero(after.kind == kind)
        if not len(old) or not len(new):
            fixed.append(after[new])
            continue
        if same[old].sum() == len(new):
            keep[old[same[old]]] = True
            continue
        found = _grown(inventory, kind) if allowed[before.kind == kind].all() else None
        if found is not None:
            name, joins = found
            there = joined(inventory.cables(join, True, kind) for join in joins)
            stay = identical(before[old], there)
            if stay.sum() == _most(before[old], after[new]):
                keep[old[stay]] = True
                fixed.append(there[~identical(there, before[old])])
                grown[name] = joins
                continue
        stay, exact, rest, proven = _free(inventory, kind, before[old], after[new], same[old])
        keep[old[stay]] = True
        fixed.append(exact)
        opened.append(rest)
        unproven += [] if proven else [kind]
    return Target(keep, joined(fixed), joined(opened), grown, tuple(unproven))


def identical(some: Cables, others: Cables) -> Flags:
    """Which cables are also among the others: the same kind in the same two sockets.

    A socket holds one cable, so that one end and the kind say which cable of the others it could be.
    """
    wide = max(int(c.a_at.max(initial=0)) for c in (some, others)) + 1
    many = max(int(c.a.max(initial=0)) for c in (some, others)) + 1
    asked, known = ((c.kind * many + c.a) * wide + c.a_at for c in (some, others))
    order = np.argsort(known, kind="stable")
    at = np.searchsorted(known, asked, sorter=order)
    inside = at < len(known)
    found = np.zeros(len(some), bool)
    mine, theirs = np.flatnonzero(inside), order[at[inside]]
    found[mine] = (known[theirs] == asked[mine]) & (others.b[theirs] == some.b[mine]) & (others.b_at[theirs] == some.b_at[mine])
    return found


def _most(before: Cables, after: Cables) -> int:
    """The most that can stay when every pair of devices gets what it has in the design after."""
    old, new = pairs(before.a, before.b), pairs(after.a, after.b)
    return int(np.minimum(old.count, looked_up(new, old.a, old.b)).sum())


def _allowed(sockets: Sockets, before: Cables, after: Cables) -> Flags:
    """Which cables sit in sockets that the design after leaves to their kind, or to nobody."""
    out = np.ones(len(before), bool)
    for side in (0, 1):
        claimed = np.full(sockets.count, -1, np.int64)
        for other in (0, 1):
            lane, row = sockets.held(after, other)
            claimed[lane] = after.kind[row]
        lane, row = sockets.held(before, side)
        out[row[(claimed[lane] >= 0) & (claimed[lane] != before.kind[row])]] = False
    return out


def _grown(inventory: Inventory, kind: int) -> tuple[str, list[Join]] | None:
    """The bundle of a kind in the form in which it grows from what there is, if it is of a form that does."""
    old, new = inventory.bundles.get((kind, False), []), inventory.bundles.get((kind, True), [])
    if len(new) != 1 or not old:
        return None
    (join,), ground = new, inventory.ground
    lower, upper = (ground.after.groups[e.group] for e in join.ends)
    was = [ground.before.groups[e.group] for e in join.ends]
    axes = [a for a in lower.sizes if a not in join.on and lower.sizes[a] != was[0].sizes[a]]
    for axis in axes or [a for a in lower.sizes if a not in join.on][:1]:
        found = growth_of(old, join, was[0], was[1], axis)
        final = growth_of([join], join, lower, upper, axis)
        if len(axes) < 2 and found is not None and final is not None:
            joins = _next(found, final, join, inventory)
            return (join.name, joins) if joins else None
    return None


def _next(grown: Growth, final: Growth, join: Join, inventory: Inventory) -> list[Join]:
    design, old = inventory.ground.after, inventory.ground.before
    lower, upper = (design.groups[e.group] for e in join.ends)
    uplinks = len(final.held[0, 0][1])
    had = max(max(ports, default=-1) for held in grown.held.values() for ports in held[2:]) + 1
    radix = max(had, ports_needed(design, join, 1))
    if any(sum(len(held[1]) for (i, _), held in grown.held.items() if i == n) != uplinks for n in range(len(grown.epochs[0]))):
        return []  # another number of uplinks
    if any(old.groups[e.group].sizes[a] != n for e in join.ends for a, n in design.groups[e.group].sizes.items() if a in join.on):
        return []  # more islands, which are new as a whole
    try:
        grown.grow(final.reached, per_coordinate(join, lower, grown.axis), uplinks, radix)
    except ValueError:
        return []
    return grown.joins(join, lower, upper)


def _free(inventory: Inventory, kind: int, old: Cables, new: Cables, same: Flags) -> tuple[Flags, Cables, Cables, bool]:
    """(which stay, new ones exactly as the design has them, new ones with open ports, whether no choice keeps more)."""
    wanted, proven = pairs(new.a, new.b), True
    if any(isinstance(e.spread, Deal) and not e.spread.lane for b in inventory.bundles[kind, True] for e in b.ends):
        wanted, proven = balanced(pairs(old.a, old.b), wanted, _may(inventory, kind) or wanted)
    stay = np.zeros(len(old), bool)
    order = np.lexsort((old.b_at, old.a_at, ~same, old.b, old.a))
    room = looked_up(wanted, old.a[order], old.b[order])
    stay[order] = _rank(old.a[order], old.b[order]) < room
    kept = pairs(old.a[stay], old.b[stay])
    missing = replace(wanted, count=wanted.count - looked_up(kept, wanted.a, wanted.b))
    free = ~identical(new, old) & ~_touches(new, old[stay])
    order = np.lexsort((new.b_at, new.a_at, ~free, new.b, new.a))
    fits = np.zeros(len(new), bool)
    fits[order] = _rank(new.a[order], new.b[order]) < looked_up(missing, new.a[order], new.b[order])
    exact = new[fits & free]
    done = pairs(exact.a, exact.b)
    left = missing.count - looked_up(done, missing.a, missing.b)
    nowhere = np.full(int(left.sum()), -1, np.int64)
    rest = Cables(np.full(len(nowhere), kind, np.int64), np.repeat(missing.a, left), nowhere, np.repeat(missing.b, left), nowhere)
    return stay, exact, rest, proven


def _may(inventory: Inventory, kind: int) -> Pairs | None:
    """Every pair of devices that bundles of a kind may join: those that agree on what they must, wherever the links are dealt."""
    found = []
    for join in inventory.bundles[kind, True]:
        a, b = (replace(e, spread=None, order=None) for e in join.ends)
        try:
            found.append(inventory.cables(replace(join, a=a, b=b, ways={}, gone=()), True, kind))
        except WiringError:
            return None
    every = joined(found)
    return pairs(every.a, every.b)


def _rank(a: Ints, b: Ints) -> Ints:
    """The how-manieth row of its pair, rows being in order of pairs."""
    begins = np.ones(len(a), bool)
    begins[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    starts = np.flatnonzero(begins)
    return np.arange(len(a)) - np.repeat(starts, np.diff(np.append(starts, len(a))))


def _touches(some: Cables, others: Cables) -> Flags:
    """Which cables want a socket, at either end, that one of the others holds; all of one kind."""
    out = np.zeros(len(some), bool)
    for side in (0, 1):
        device, at = some.ends(side)
        held, held_at = others.ends(side)
        width = max(int(at.max(initial=0)), int(held_at.max(initial=0))) + 1
        out |= np.isin(device * width + at, held * width + held_at)
    return out


def spare(open_: Cables, after: Cables, kept: Cables, fixed: Cables, side: int) -> Iterator[tuple[int, Ints, Ints]]:
    """(kind, device, position) of the positions that open cables of each kind may take at one end, in order of devices."""
    for kind in np.unique(open_.kind).tolist():
        wanted = np.unique(open_.ends(side)[0][open_.kind == kind])
        device, at = (x[after.kind == kind] for x in after.ends(side))
        width = int(at.max(initial=0)) + 1
        key = device * width + at
        for held in (kept, fixed):
            here, there = (x[held.kind == kind] for x in held.ends(side))
            key = key[~np.isin(key, here[there < width] * width + there[there < width])]
        key = np.sort(key[np.isin(key // width, wanted)])
        yield kind, key // width, key % width


__all__ = ["Target", "identical", "none", "spare", "target"]
