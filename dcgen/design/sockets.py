"""The one check that joins cannot make by form: two bundles on one port."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.design.model import Design, End, Join
from dcgen.design.wiring import ports_needed


@dataclass(frozen=True, slots=True)
class Clash:
    """Two link ends on overlapping lanes: the device, the cage counted from 0, both bundles, and how many cages clash."""

    group: str
    block: str
    device: int
    cage: int
    bundles: tuple[str, str]
    count: int


def cage_range(design: Design, join: Join, side: int) -> range:
    """Cages counted from 0 that one end of a bundle may touch on a device."""
    block, need = join.ends[side].block, ports_needed(design, join, side)
    if block.ports is not None:
        used = [block.first + n // block.split for n in block.ports[:need]]
        return range(min(used, default=0), max(used, default=-1) + 1)
    return range(block.first, block.first + -(-need // block.split))


def clashes(design: Design) -> Iterator[Clash]:
    """Every pair of bundles that meet on a socket. Inside a bundle that is impossible by form; only ranges that touch are sorted."""
    users: dict[tuple[str, str], list[tuple[Join, int]]] = {}
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            users.setdefault((end.group, end.block.name), []).append((join, side))
    for (group, block), ends in users.items():
        for i, one in enumerate(ends):
            for other in ends[i + 1 :]:
                a, b = cage_range(design, *one), cage_range(design, *other)
                if max(a.start, b.start) < min(a.stop, b.stop):
                    yield from _sorted(design, group, block, one, other)


def _sorted(design: Design, group: str, block: str, one: tuple[Join, int], other: tuple[Join, int]) -> Iterator[Clash]:
    import numpy as np

    from dcgen.design.columns import columns, lanes

    device, low, high, lanes_per_cage = [], [], [], 1
    for join, side in (one, other):
        c, end = columns(design, join), _end(join, side)
        first, width = lanes(end, c.b_port if side else c.a_port)
        device.append(c.b if side else c.a)
        low.append(first)
        high.append(first + width)
        lanes_per_cage = end.block.lanes
    d, lo, hi = np.concatenate(device), np.concatenate(low), np.concatenate(high)
    order = np.lexsort((lo, d))
    d, lo, hi = d[order], lo[order], hi[order]
    hit = np.flatnonzero((d[1:] == d[:-1]) & (lo[1:] < hi[:-1])) + 1
    if len(hit):
        yield Clash(group, block, int(d[hit[0]]), int(lo[hit[0]] // lanes_per_cage), (one[0].name, other[0].name), len(hit))


def _end(join: Join, side: int) -> End:
    return join.ends[side]


def occupied_cages(design: Design, join: Join, side: int) -> int:
    """Cages that hold a plug of this bundle at one end: what transceivers are counted by."""
    end = join.ends[side]
    group, other = design.groups[end.group], design.groups[join.ends[1 - side].group]
    if not (group.absent or other.absent or join.gone or join.a.spread or join.b.spread or end.where or join.ends[1 - side].where):
        return group.count * -(-ports_needed(design, join, side) // end.block.split)
    import numpy as np

    from dcgen.design.columns import cages, columns

    c = columns(design, join)
    cage, _ = cages(end, c.b_port if side else c.a_port)
    return len(np.unique((c.b if side else c.a) * (int(cage.max(initial=0)) + 1) + cage))
