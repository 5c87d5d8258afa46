"""The one check that joins cannot make by form: two bundles on one port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join
from dcgen.design.wiring import links, ports_needed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


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
        ranges = [cage_range(design, *end) for end in ends]
        used: dict[int, NDArray[np.int64]] = {}
        top = max(r.stop for r in ranges)
        lanes_each = ends[0][0].ends[ends[0][1]].block.lanes
        for (i, a), (j, b) in combinations(enumerate(ranges), 2):
            if max(a.start, b.start) >= min(a.stop, b.stop):
                continue
            used |= {k: _lanes(design, *ends[k], top) for k in (i, j) if k not in used}
            hit = _shared(used[i], used[j], lanes_each)
            if hit:
                yield Clash(group, block, hit[0] // top, hit[0] % top, (ends[i][0].name, ends[j][0].name), len(hit))


def _shared(one: "NDArray[np.int64]", other: "NDArray[np.int64]", lanes: int) -> list[int]:
    """Numbers of the cages on which two bundles take the same lane."""
    import numpy as np

    return [int(cage) for cage in np.unique(np.intersect1d(one, other) // lanes)]


def _lanes(design: Design, join: Join, side: int, cages: int) -> "NDArray[np.int64]":
    """Every lane that a bundle takes at one end, numbered over all devices of so many cages each."""
    import numpy as np

    from dcgen.design.columns import columns, lanes

    c, end = columns(design, join), join.ends[side]
    first, width = lanes(end, c.b_port if side else c.a_port)
    return (((c.b if side else c.a) * cages * end.block.lanes + first)[:, None] + np.arange(width)).ravel()


def users(design: Design, group: str, sockets: str) -> list[tuple[Join, int]]:
    """(bundle, side) of every end that plugs into a socket group."""
    return [(j, s) for j in design.bundles for s, e in enumerate(j.ends) if (e.group, e.block.name) == (group, sockets)]


def splits(design: Design, group: str, sockets: str) -> list[int]:
    """Ports per cage, cage by cage: as the bundles on it run it, else as the rest of the socket group is run, else the first mode."""
    ports = design.part(group).port_groups()[sockets]
    ends = users(design, group, sockets)
    usual = max((j.ends[s].block.split for j, s in ends), default=ports.modes[0][0])
    out = [0] * ports.cages
    for join, side in ends:
        for cage in cage_range(design, join, side):
            if cage < len(out):
                out[cage] = max(out[cage], join.ends[side].block.split)
    return [split or usual for split in out]


def occupied_cages(design: Design, ends: Sequence[tuple[Join, int]]) -> int:
    """Cages of one socket group that hold a plug of these ends: what transceivers are counted by. Shared ones count once."""
    if len(ends) == 1:
        join, side = ends[0]
        end = join.ends[side]
        count, need = design.groups[end.group].count, ports_needed(design, join, side)
        if links(design, join) == count * need:  # every device uses every port
            used = range(need) if end.block.ports is None else end.block.ports[:need]
            return count * len({n // end.block.split for n in used})
    import numpy as np

    from dcgen.design.columns import cages, columns

    found, top = [], max((cage_range(design, *end).stop for end in ends), default=0)
    for join, side in ends:
        c = columns(design, join)
        cage, _ = cages(join.ends[side], c.b_port if side else c.a_port)
        found.append(np.unique((c.b if side else c.a) * top + cage))
    return len(np.unique(np.concatenate(found))) if found else 0
