"""The one check that joins cannot make by form: two bundles on one port."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join, Table
from dcgen.design.wiring import links, ports_needed

if TYPE_CHECKING:
    from dcgen.design.columns import Ints


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
    block = join.ends[side].block
    if block.ports is not None and len(block.ports) == 1:
        return range(cage := block.first + block.ports[0] // block.split, cage + 1)
    need = ports_needed(design, join, side)
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
    ends: dict[tuple[str, str], list[tuple[Join, int]]] = {}
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            ends.setdefault((end.group, end.block.name), []).append((join, side))
    for (group, block), mine in ends.items():
        ranges = [cage_range(design, *e) for e in mine]
        if touching := _touching(ranges):
            yield from _met(design, group, block, [mine[i] for i in touching], max(ranges[i].stop for i in touching))


def _touching(ranges: Sequence[range]) -> list[int]:
    """Which ends of one socket group may reach a cage of another one, by their ranges of cages alone."""
    found: set[int] = set()
    reach, last = 0, -1
    for i in sorted((i for i, r in enumerate(ranges) if len(r)), key=lambda i: ranges[i].start):
        if ranges[i].start < reach:
            found |= {i, last}
        if ranges[i].stop > reach:
            reach, last = ranges[i].stop, i
    return sorted(found)


def _met(design: Design, group: str, block: str, ends: list[tuple[Join, int]], top: int) -> Iterator[Clash]:
    """The pairs among these ends that take the same lane of the same device; none reaches the cage `top`."""
    import numpy as np

    from dcgen.design.columns import lanes

    width, taken = ends[0][0].ends[ends[0][1]].block.lanes, []
    for join, side in ends:
        device, port = _plugs(design, join, side)
        first, each = lanes(join.ends[side], port)
        taken.append(((device * top * width + first)[:, None] + np.arange(each)).ravel())
    lane, owner = np.concatenate(taken), np.repeat(np.arange(len(ends)), [len(t) for t in taken])
    order = np.argsort(lane, kind="stable")
    lane, owner = lane[order], owner[order]
    met, step = [np.zeros((0, 3), np.int64)], 1
    while (same := np.flatnonzero(lane[step:] == lane[:-step])).size:
        met.append(np.stack([owner[same], owner[same + step], lane[same] // width], 1))
        step += 1
    found = np.unique(np.concatenate(met), axis=0)
    _, first_of, number = np.unique(found[:, :2], axis=0, return_index=True, return_counts=True)
    for at, n in zip(first_of.tolist(), number.tolist(), strict=True):
        i, j, cage = found[at].tolist()
        yield Clash(group, block, cage // top, cage % top, (ends[i][0].name, ends[j][0].name), n)


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


def occupied_cages(design: Design, ends: Sequence[tuple[Join, int]], picked: "Sequence[Ints | None]" = ()) -> list[int]:
    """Cages of one socket group that each of these ends adds to those of the ends before it: one cage takes one plug, whoever's
    ports it carries. Of an end only the `picked` links count, where there are such."""
    ranges = [cage_range(design, *e) for e in ends]
    touching, top = set(_touching(ranges)), max((r.stop for r in ranges), default=0)
    out, shared = [0] * len(ends), list[tuple[int, "Ints"]]()
    for i, (join, side) in enumerate(ends):
        rows = picked[i] if picked else None
        if rows is None and i not in touching:
            end, need = join.ends[side], ports_needed(design, join, side)
            count = design.groups[end.group].count
            if links(design, join) == count * need:  # every device uses every port
                used = range(need) if end.block.ports is None else end.block.ports[:need]
                out[i] = count * len({n // end.block.split for n in used})
                continue
        held = _held(design, join, side, top, rows)
        shared += [(i, held)] if i in touching else []
        out[i] = len(held)
    for i, n in zip((i for i, _ in shared), _new(shared), strict=True):
        out[i] = n
    return out


def _held(design: Design, join: Join, side: int, top: int, rows: "Ints | None" = None) -> "Ints":
    """Device times `top` plus cage, of every cage that holds a plug of one end, or of these of its links."""
    import numpy as np

    from dcgen.design.columns import cages

    device, port = _plugs(design, join, side)
    device, port = (device, port) if rows is None else (device[rows], port[rows])
    cage, _ = cages(join.ends[side], port)
    return np.unique(device * top + cage)


def _new(held: "list[tuple[int, Ints]]") -> list[int]:
    """How many of the cages of each end none before it holds: all at once, for one by one is quadratic in the ends."""
    if not held:
        return []
    import numpy as np

    owner = np.repeat(np.arange(len(held)), [len(cages) for _, cages in held])
    _, first = np.unique(np.concatenate([cages for _, cages in held]), return_index=True)
    return [int(n) for n in np.bincount(owner[first], minlength=len(held))]


def _plugs(design: Design, join: Join, side: int) -> "tuple[Ints, Ints]":
    """Flat index of the device and number of the port, of every link at one end."""
    import numpy as np

    from dcgen.design.columns import columns

    if (device := _written(design, join, side)) is not None:
        return np.array([device]), np.zeros(1, np.int64)
    c = columns(design, join)
    return (c.b, c.b_port) if side else (c.a, c.a_port)


def _written(design: Design, join: Join, side: int) -> int | None:
    """The device at one end of a cable that was written by itself; None for any other bundle. Thousands of them are looked up."""
    pairs = join.pairs
    if not isinstance(pairs, Table) or len(pairs.rows) != 1 or pairs.ports or join.ways or join.gone:
        return None
    at_a, at_b, times = pairs.rows[0]
    for end, names in zip(join.ends, (pairs.a, pairs.b), strict=True):
        group = design.groups[end.group]
        read = [end.view.get(axis, (axis,)) for axis in group.sizes]
        if times != 1 or end.spread or end.where or end.shift or group.absent or read != [(d,) for d in names]:
            return None
    group = design.groups[join.ends[side].group]
    return group.flat(dict(zip(group.sizes, at_b if side else at_a, strict=True)))
