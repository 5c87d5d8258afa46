"""The one check that joins cannot make by form: two bundles on one port."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dcgen.design.model import Design, Join
from dcgen.design.wiring import links, ports_needed


@dataclass(frozen=True, slots=True)
class Clash:
    """Two bundles on the same lanes: the first device and cage (counted from 0), both bundles, and how many cages clash."""

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


def ports_held(design: Design, ends: Iterable[tuple[Join, int]]) -> int:
    """Ports of one device that these ends of bundles may touch between them; bundles that share a range are counted once."""
    held: set[tuple[int, int, int]] = set()
    for join, side in ends:
        block, need = join.ends[side].block, ports_needed(design, join, side)
        positions = block.ports[:need] if block.ports is not None else range(need)
        held.update((block.first + n // block.split, n % block.split, block.split) for n in positions)
    return len(held)


def clashes(design: Design) -> Iterator[Clash]:
    """Every pair of bundles that meet on a socket. Inside a bundle that is impossible by form; only ranges that touch are expanded."""
    users: dict[tuple[str, str], list[tuple[Join, int]]] = {}
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            users.setdefault((end.group, end.block.name), []).append((join, side))
    for (group, block), ends in users.items():
        for i, one in enumerate(ends):
            for other in ends[i + 1 :]:
                a, b = cage_range(design, *one), cage_range(design, *other)
                if max(a.start, b.start) < min(a.stop, b.stop):
                    yield from _expanded(design, group, block, one, other)


def _expanded(design: Design, group: str, block: str, one: tuple[Join, int], other: tuple[Join, int]) -> Iterator[Clash]:
    import numpy as np

    from dcgen.design.columns import columns, lanes

    used = []
    top = max(cage_range(design, *end).stop for end in (one, other))
    for join, side in (one, other):
        c, end = columns(design, join), join.ends[side]
        first, width = lanes(end, c.b_port if side else c.a_port)
        per_device, device = top * end.block.lanes, c.b if side else c.a
        used.append(((device * per_device + first)[:, None] + np.arange(width)).ravel())
    hit = np.unique(np.intersect1d(used[0], used[1]) // one[0].ends[one[1]].block.lanes)
    if len(hit):
        yield Clash(group, block, int(hit[0]) // top, int(hit[0]) % top, (one[0].name, other[0].name), len(hit))


def occupied_cages(design: Design, join: Join, side: int) -> int:
    """Cages that hold a plug of this bundle at one end: what transceivers are counted by."""
    end = join.ends[side]
    count, need = design.groups[end.group].count, ports_needed(design, join, side)
    if links(design, join) == count * need:  # every device uses every port
        used = range(need) if end.block.ports is None else end.block.ports[:need]
        return count * len({n // end.block.split for n in used})
    import numpy as np

    from dcgen.design.columns import cages, columns

    c = columns(design, join)
    cage, _ = cages(end, c.b_port if side else c.a_port)
    return len(np.unique((c.b if side else c.a) * (int(cage.max(initial=0)) + 1) + cage))
