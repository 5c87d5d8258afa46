"""The shape that a Clos must keep."""

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from dcgen.analysis.bandwidth import oversubscription
from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Join
from dcgen.diagnostics import Diagnostic
from dcgen.naming import address


def oversubscribed(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: no tier has less capacity upward than `oversubscription:` allows.

    Why: pinned counts and uplinks can break the ratio that the blueprint promises. Single links taken out are put back for this
    check: `missing-uplink` says those.
    Example: 64 downlinks and 32 uplinks of one rate are 2:1 where 1:1 was written.
    Source: the blueprint.
    """
    whole = replace(design, bundles=tuple(replace(b, gone=()) for b in design.bundles)) if any(b.gone for b in design.bundles) else None
    for fabric in design.fabrics.values():
        for m in oversubscription(whole) if whole else measures:
            of_leaves = m.measure == "oversubscription" and m.subject == next(iter(fabric.tiers), None)
            if of_leaves and fabric.oversubscription is not None and m.value > fabric.oversubscription * (1 + 1e-9):
                what = f"{m.subject} is oversubscribed {m.value:.3g}:1, at most {fabric.oversubscription:g}:1 is allowed"
                yield Diagnostic(
                    "oversubscribed", what, m.method, "pin more uplinks, or allow the ratio", subject=m.subject, origin=fabric.origin
                )


def missing_uplink(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: every link that the rule of a bundle makes is there, unless a device at its end is absent.

    Why: a leaf that misses one spine carries less and routes differently from its neighbours.
    Example: `absent: [backend/leaf[su=0,rail=3]:swp37]` takes one out.
    Source: fat-tree invariants.
    """
    for join in design.bundles:
        for link in join.gone:
            low, high = (_device(design, join, side, link) for side in (0, 1))
            what = f"{low} has no link to {high}" if high else f"{low} lacks one link of {join.name}"
            yield Diagnostic(
                "missing-uplink",
                what,
                "the link was taken out by `absent:`",
                "remove the line, or write `allow: [missing-uplink]`",
                "error",
                low,
                join.origin,
            )


def _device(design: Design, join: Join, side: int, link: dict[str, int]) -> str:
    end, group, at = join.ends[side], design.groups[join.ends[side].group], {}
    for axis in group.sizes:
        if end.spread is not None and axis == end.spread.axis:
            continue
        x = 0
        for d in end.view.get(axis, (axis,)):
            x = x * join.sizes.get(d, 1) + link[d]
        at[axis] = x
    return address(group.name, at)


def idle_switch(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: every switch has at least one link.

    Why: an idle switch is bought, powered and racked for nothing.
    Example: twelve counted leaves where eight hold all endpoints.
    Source: counting.
    """
    for name, group in design.groups.items():
        used = [(b, s) for b in design.bundles for s, e in enumerate(b.ends) if e.group == name]
        if not group.tier or not group.count:
            continue
        idle = group.count if not used else _idle(design, name, used)
        if idle:
            what = f"{name}: {idle:,} of {group.count:,} switches have no link to anything below"
            yield Diagnostic(
                "idle-switch", what, group.counting(), "lower the count, or serve more endpoints", "warning", name, group.origin
            )


def _idle(design: Design, name: str, used: list[tuple[Join, int]]) -> int:
    down = [(b, s) for b, s in used if s == 1]
    if not any(design.groups[b.a.group].absent or b.b.spread or b.gone for b, _ in down) and down:
        return 0
    import numpy as np

    from dcgen.design.columns import columns, device_ids

    group = design.groups[name]
    seen = np.zeros(prod(group.rulers.values()), bool)
    for join, side in down:
        c = columns(design, join)
        seen[c.b if side else c.a] = True
    return int((~seen[device_ids(group)]).sum())


def separate_islands(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: whether all node ports of a fabric can reach each other through its switches.

    Why: planes are meant to stay apart; rails or halves that never meet depend on the nodes to forward between them.
    Example: leaves without a spine tier are one island each.
    Source: a digit that every tier has and every bundle agrees on is never crossed.
    """
    from dcgen.design.islands import islands

    for name, fabric in design.fabrics.items():
        axes = islands(design, name) if fabric.field_cabled else {}
        number = prod(axes.values())
        if number > 1:
            said = " × ".join(f"{n} {axis}" for axis, n in axes.items())
            what = f"{name}: {number:,} islands that never meet in a switch ({said})"
            yield Diagnostic("separate-islands", what, "no bundle joins different " + " or ".join(axes), "", "info", name, fabric.origin)
