"""The shape that a Clos must keep."""

from collections.abc import Iterator
from dataclasses import replace
from math import prod

from dcgen.analysis.bandwidth import cut_off, oversubscription
from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Join
from dcgen.design.wiring import device_at
from dcgen.diagnostics import Diagnostic
from dcgen.naming import address


def oversubscribed(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: no tier has less capacity upward than `oversubscription:` allows.

    Why: pinned counts and uplinks can break the ratio that the blueprint promises, or leave a switch without any uplink. Single
    links taken out are put back for the ratio: `missing-uplink` says those.
    Example: 64 downlinks and 32 uplinks of one rate are 2:1 where 1:1 was written.
    Source: the blueprint.
    """
    as_built = {m.subject: m for m in measures if m.measure == "oversubscription"}
    ratios = as_built
    if any(b.gone for b in design.bundles):
        whole = replace(design, bundles=tuple(replace(b, gone=()) for b in design.bundles))
        ratios = {m.subject: m for m in oversubscription(whole)}
    for fabric in design.fabrics.values():
        for tier, allowed in fabric.oversubscription.items():
            m = ratios.get(tier)
            if m is not None and m.value > allowed * (1 + 1e-9):
                what = f"{tier} is oversubscribed {m.value:.3g}:1, at most {allowed:g}:1 is allowed"
                fix = "pin more uplinks, or allow the ratio"
                yield Diagnostic("oversubscribed", what, m.method, fix, subject=tier, origin=design.groups[tier].origin or fabric.origin)
        for tier in fabric.tiers:
            if tier not in as_built and (n := cut_off(design, tier)):
                what = f"{n:,} of {design.groups[tier].count:,} switches of {tier} have no uplink at all"
                why, fix = "what they serve reaches nothing beyond them", "put devices above or links back in"
                yield Diagnostic("oversubscribed", what, why, fix, subject=tier, origin=design.groups[tier].origin)


def missing_uplink(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: every link that the rule of a bundle makes is there, unless a device at its end is absent.

    Why: a leaf that misses one spine carries less and routes differently from its neighbours.
    Example: `absent: [backend/leaf[su=0,rail=3]:swp37]` takes one out.
    Source: fat-tree invariants.
    """
    for join in design.bundles:
        for link in join.gone:
            low, high = (address(end.group, device_at(design, join, side, link)) for side, end in enumerate(join.ends))
            yield Diagnostic(
                "missing-uplink",
                f"{low} lacks a link to {high}",
                "the link was taken out by `absent:`",
                "remove the line, or write `allow: [missing-uplink]`",
                "error",
                low,
                join.origin,
            )


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
    Source: connected parts of the links, node ports being devices of their own; a digit that every tier has and every bundle
    agrees on is never crossed, and names them.
    """
    from dcgen.design.islands import islands, parts_apart

    for name, fabric in design.fabrics.items():
        if not fabric.field_cabled or fabric.kind == "explicit" or not design.of(name):
            continue
        number = parts_apart(design, name)
        if number > 1:
            axes = islands(design, name)
            named = prod(axes.values()) == number
            said = f" ({' × '.join(f'{n} {axis}' for axis, n in axes.items())})" if named else ""
            what = f"{name}: {number:,} islands that never meet in a switch{said}"
            why = "no bundle joins different " + " or ".join(axes) if named else "no tier joins all of them"
            yield Diagnostic("separate-islands", what, why, "", "info", name, fabric.origin)
