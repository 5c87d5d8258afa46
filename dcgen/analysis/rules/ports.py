"""Enough ports, and none used twice."""

from collections.abc import Iterator

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.sockets import cage_range, clashes, ports_held
from dcgen.design.wiring import members_needed, ports_needed
from dcgen.diagnostics import Diagnostic
from dcgen.naming import COUNTED, address
from dcgen.parts.switch import MANAGEMENT


def port_shortage(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: every switch has the ports that its links and its reserve ask for.

    Why: a port that is not there is found when the cable is in the contractor's hand.
    Example: a leaf of 144 ports with 144 downlinks and 72 uplinks is 72 short.
    Source: counting; absent devices keep their ports.
    """
    for name, group in design.groups.items():
        ends: dict[str, list[tuple[Join, int]]] = {}
        for join in design.bundles:
            for side, end in enumerate(join.ends):
                if end.group == name and join.field_cabled and group.tier:
                    ends.setdefault(end.block.name, []).append((join, side))
        for block, used in ends.items():
            cages = design.part(name).port_groups()[block].cages
            top = max(cage_range(design, *end).stop for end in used)
            if top > cages:
                yield _short(design, name, block, used, cages, top)
        for used_ends in ends.values():
            for join, side in used_ends:
                spread = join.ends[side].spread
                if spread and (need := members_needed(design, join, side)) > group.sizes[spread.axis]:
                    have, each = group.sizes[spread.axis], ports_needed(design, join, side)
                    what = f"{name}: {need} switches needed at {each} ports each, {have} declared, short by {need - have}"
                    yield Diagnostic(
                        "port-shortage",
                        what,
                        f"{join.name} fills one switch after the other",
                        f"write `count: {need}` or `count: derived`",
                        subject=name,
                        origin=group.origin,
                    )


def _short(design: Design, name: str, block: str, used: list[tuple[Join, int]], cages: int, top: int) -> Diagnostic:
    group, split = design.groups[name], max(j.ends[s].block.split for j, s in used)
    need, have = ports_held(design, used), cages * split
    reserved = len(group.reserved)
    each = [(j, s) for j, s in used if s == 0 or j.a.group != j.b.group]
    why = " + ".join(f"{ports_needed(design, j, s)} of {j.name}" for j, s in each) + (
        f" + {reserved * split} kept for {group.reserve_reason}" if reserved else ""
    )
    short = (top - cages) * split if need + reserved * split <= have else need + reserved * split - have
    what = f"{name}: {need + reserved * split} ports needed, {group.part} has {have}, short by {short}"
    relief = _relief(design, group, used, need, have - reserved * split)
    fix = "choose a switch with more ports" + (f", or let fewer devices share one: {relief}" if relief else "")
    return Diagnostic("port-shortage", what, why, fix, subject=name, origin=group.origin)


def _relief(design: Design, group: DeviceGroup, used: list[tuple[Join, int]], need: int, have: int) -> str:
    """An axis that would make every switch small enough: one of the nodes' ports or racks that switches do not divide by yet.

    Uplinks follow downlinks, so dividing what is below by n divides the whole need by n.
    """
    fabric, down = design.fabrics.get(group.fabric), [j for j, s in used if s == 1 and j.a.group != group.name]
    if fabric is None or fabric.kind != "clos" or not down or have < 1:
        return ""
    parts = -(-need // have)
    for sizes, of_ports in ((down[0].ways, True), (design.groups[down[0].a.group].sizes, False)):
        for axis, size in sizes.items():
            shared = all(axis in (j.ways if of_ports else design.groups[j.a.group].sizes) for j in down)
            if axis in COUNTED or size < parts or not shared or axis in group.sizes or any(axis in j.a.view for j in down):
                continue
            if of_ports or size == parts:
                return f"write `{axis}` in `per:`"
            return f"write `half={axis}/{size // parts}` in `per:`, for example"
    return ""


def port_conflict(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: no two bundles use the same port of a device.

    Why: one socket takes one plug; inside a bundle that holds by construction, between two it is checked lane by lane.
    Example: two endpoint kinds on one leaf whose ranges both begin at cage 1.
    Source: counting.
    """
    for clash in clashes(design):
        where = address(clash.group, design.groups[clash.group].coordinates(clash.device))
        what = f"{where}: cage {clash.cage + 1} of `{clash.block}` is used by {clash.bundles[0]} and by {clash.bundles[1]}"
        more = f" (and {clash.count - 1:,} more cages)" if clash.count > 1 else ""
        yield Diagnostic("port-conflict", what + more, subject=where, origin=design.groups[clash.group].origin)


def unserved_ports(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: ports of nodes, and management ports of switches, that no fabric and no written link reaches at all. Switches
    of a network for management itself are managed through their own ports.

    Why: a design of the compute network alone is a fair question, but whoever orders by it has no way into the machines.
    Example: nodes whose `bmc` is in no `serves:`.
    Source: counting; a design without any cable is not judged.
    """
    reached = {(e.group, e.block.name) for b in design.bundles if b.field_cabled for e in b.ends}
    managing = {b.fabric for b in design.bundles if b.a.block.name in (MANAGEMENT, "bmc")}
    open_ports: dict[str, int] = {}
    for name, group in design.groups.items() if reached else ():
        for block, ports in design.part(name).port_groups().items():
            of_switch = group.tier > 0 and block == MANAGEMENT and group.fabric not in managing
            if (of_switch or group.role == "node") and (name, block) not in reached and group.count:
                word = name.replace("/", ".") + (" (management)" if of_switch else f".{block}")
                open_ports[word] = group.count * ports.count(ports.modes[0][0])
    if open_ports:
        what = f"{sum(open_ports.values()):,} ports are cabled to nothing"
        why = ", ".join(f"{n:,} of {ports}" for ports, n in open_ports.items())
        fix = "name them under `serves:` of a fabric, where they are to be cabled"
        yield Diagnostic("unserved-ports", what, why, fix, "info", "site")
