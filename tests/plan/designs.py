"""Small fabrics, and plans carried out cable by cable."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Fabric, Join
from dcgen.naming import address, parse_selector
from dcgen.plan import Plan
from dcgen.plan.cables import Cables

Socket = tuple[int, str, int]
"""Device, socket group, position."""


def clos(
    leaves: int,
    spines: int,
    uplinks: int,
    *,
    nodes: int = 2,
    homes: int = 1,
    near: bool = False,
    paired: bool = False,
    part: str = "switch",
    absent: Iterable[str] = (),
) -> Design:
    """Nodes with `homes` ports, each on a leaf of its own, and leaves on spines: in whole rounds, or dealt one by one."""
    pods = leaves // homes
    groups = {
        "node": DeviceGroup("node", "server", (Axis("pod", pods), Axis("node", nodes))),
        "leaf": DeviceGroup("leaf", part, (Axis("pod", pods), Axis("home", homes)), role="leaf", fabric="net", tier=1),
        "spine": DeviceGroup("spine", part, (Axis("spine", spines),), role="spine", fabric="net", tier=2),
    }
    gone = [parse_selector(text) for text in absent]
    groups = {n: replace(g, absent=tuple(s for s in gone if s.group == n)) for n, g in groups.items()}
    low = Join("net/node-leaf", End("node", Block("nic")), End("leaf", Block("main")), ("pod",), {}, {}, 100, "net", "node-leaf")
    up = Block("main", first=nodes)
    if near and uplinks % spines:
        ends = End("leaf", up, order=("way",)), End("spine", Block("main"), order=("pod", "home", "way"), spread=Deal("spine"))
        ways = uplinks
    else:
        orders = (("spine", "way"), ("pod", "home", "way")) if paired else (("way", "spine"), ("way", "pod", "home"))
        ends = End("leaf", up, order=orders[0]), End("spine", Block("main"), order=orders[1])
        ways = uplinks // spines
    join = Join("net/leaf-spine", *ends, (), {"way": ways}, {}, 100, "net", "leaf-spine")
    return Design("d", groups, (low, join), fabrics={"net": Fabric("net", "clos", ("leaf", "spine"))})


def rows(plan: Plan, cables: Cables) -> list[tuple[Socket, Socket]]:
    """Both sockets of each cable."""
    out = []
    for k, a, a_at, b, b_at in zip(*(getattr(cables, f).tolist() for f in ("kind", "a", "a_at", "b", "b_at")), strict=True):
        blocks = plan.inventory.kinds[k].blocks
        out.append(((a, blocks[0], a_at), (b, blocks[1], b_at)))
    return out


def carried_out(plan: Plan) -> Iterator[tuple[set[tuple[Socket, Socket]], set[tuple[Socket, Socket]]]]:
    """For every stage: what is plugged once its cables are out, and once its new ones are in.

    Every cable that is unplugged was there, and no socket holds two.
    """
    removed, added = rows(plan, plan.removed), rows(plan, plan.added)
    there = {*rows(plan, plan.kept), *removed}
    for stage in plan.stages:
        out = [removed[i] for i in stage.tasks.unplugged.tolist() if i >= 0]
        assert len(set(out)) == len(out)
        assert there >= set(out)
        there = there - set(out)
        drained = there
        new = [added[i] for i in stage.tasks.plugged.tolist() if i >= 0]
        there = there | set(new)
        sockets = [s for cable in there for s in cable]
        assert len(sockets) == len(set(sockets)), f"a socket holds two cables in stage {stage.number}"
        yield drained, there


def pairs(plan: Plan, cables: Iterable[tuple[Socket, Socket]]) -> Counter[tuple[str, str]]:
    """Links of every pair of devices, by their addresses."""
    return Counter((called(plan, a[0]), called(plan, b[0])) for a, b in cables)


def called(plan: Plan, device: int) -> str:
    """The address of a device; one that is replaced has the same before and after."""
    place = next(p for p in plan.inventory.ground.places if p.offset <= device < p.offset + p.size)
    return address(place.group, place.coordinates(device))
