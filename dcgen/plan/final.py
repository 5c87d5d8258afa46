"""The design that a plan ends at: the design after, with every cable in the ports that it really has."""

from dataclasses import replace

import numpy as np

from dcgen.design.model import Block, Decision, Design, End, Join, Table
from dcgen.plan.cables import Cables, Inventory
from dcgen.plan.rewire import Target, identical

MOST_LISTED = 50_000
"""Cables of one bundle beyond which they are not written down one by one."""


def final(inventory: Inventory, target: Target, after: Cables, cables: Cables) -> tuple[Design, int, tuple[str, ...]]:
    """(the design, cables that are elsewhere than the design after has them, bundles that are too large to be written down)."""
    design = inventory.ground.after
    instead: dict[str, list[Join]] = {}
    said: list[Decision] = []
    unwritten: list[str] = []
    differ = 0
    for (kind, later), joins in inventory.bundles.items():
        mine = cables[cables.kind == kind]
        other = int((~identical(mine, after)).sum()) if later else 0
        if not other:
            continue
        differ += other
        name = joins[0].name
        if name in target.grown:
            instead[name] = target.grown[name]
        elif len(mine) > MOST_LISTED:
            unwritten.append(name)
            continue
        else:
            instead |= {j.name: [] for j in joins}
            instead[name] = [listed(inventory, kind, joins[0], mine)]
        why = "cables that were there stay where they were; laid out from nothing, they would end in other ports"
        said.append(Decision(name, f"{other:,} of {len(mine):,} cables elsewhere", why))
    bundles = tuple(j for b in design.bundles for j in instead.get(b.name, [b]))
    return replace(design, bundles=bundles, decisions=(*design.decisions, *said)), differ, tuple(unwritten)


def listed(inventory: Inventory, kind: int, join: Join, cables: Cables) -> Join:
    """A bundle whose cables are written down one by one, each with its two devices and ports."""
    order = np.lexsort((cables.b_at, cables.b, cables.a_at, cables.a))
    cables = cables[order]
    ends, values, ports = [], [], []
    for side, (end, sign) in enumerate(zip(join.ends, "<>", strict=True)):
        place = inventory.ground.places[inventory.kinds[kind].places[side]]
        device, at = cables.ends(side)
        group = inventory.ground.after.groups[end.group]
        flat = place.flat(device, group)
        digits, below = [], flat
        for ruler in reversed(group.rulers.values()):
            digits.append((below % ruler).tolist())
            below = below // ruler
        values.append(list(zip(*reversed(digits), strict=True)) if digits else [()] * len(cables))
        used, number = np.unique(at, return_inverse=True)
        ports.append(number.tolist())
        block = Block(end.block.name, 0, end.block.split, end.block.lanes, tuple(used.tolist()))
        ends.append(End(end.group, block, {axis: (f"{axis}{sign}",) for axis in group.sizes}))
    rows = tuple((a, b, 1) for a, b in zip(*values, strict=True))
    names = [tuple(d for (d,) in e.view.values()) for e in ends]
    table = Table(names[0], names[1], rows, tuple(zip(*ports, strict=True)))
    return replace(join, a=ends[0], b=ends[1], on=(), ways={}, sizes={}, gone=(), pairs=table)
