"""Links as NumPy columns: the only place where rows come into being."""

from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.design.model import Design, DeviceGroup, End, Join, Line, Mesh, Pack, Table
from dcgen.design.pairs import digits, rows
from dcgen.design.wiring import agreed, digit_boxes, peers, port_orders, shared

Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Columns:
    """One row per link: flat device index (over the rulers) and port number n within the end's block, for both ends."""

    a: Ints
    a_port: Ints
    b: Ints
    b_port: Ints

    def __len__(self) -> int:
        return len(self.a)

    def __getitem__(self, keep: NDArray[np.bool_] | Ints) -> "Columns":
        return Columns(self.a[keep], self.a_port[keep], self.b[keep], self.b_port[keep])


def alive(group: DeviceGroup) -> NDArray[np.bool_]:
    """For every flat index: does the device exist?"""
    shape = tuple(group.rulers.values())
    out = np.zeros(shape, bool)
    out[tuple(slice(0, n) for n in group.sizes.values())] = True
    for selector in group.absent:
        out[tuple(slice(selector.box[a].start, selector.box[a].stop) if a in selector.box else slice(None) for a in group.rulers)] = False
    return out.ravel()


def device_ids(group: DeviceGroup) -> Ints:
    """Flat index of every device that exists, in order."""
    return np.flatnonzero(alive(group))


def columns(design: Design, join: Join) -> Columns:
    """Every link of a bundle. What is absent is left out last, so that it never moves anything else."""
    a, b, size = agreed(design, join)
    orders = port_orders(join, a, b)
    groups = [design.groups[e.group] for e in join.ends]
    regions = [digit_boxes(g, e, size, [g.full]) for g, e in zip(groups, join.ends, strict=True)]
    sizes = peers(join, size)
    paired = _Paired(join.pairs, size) if join.pairs else None
    parts = []
    for p, q in product(*regions):
        box = shared(p, q)
        if box is None:
            continue
        box |= {w: range(n) for w, n in join.ways.items()}
        xs = _grid(box if paired is None else paired.box(box, p, q))
        both = (xs, xs) if paired is None else paired.values(xs)
        ends = [_place(g, e, x, s, o) for g, e, x, s, o in zip(groups, join.ends, both, sizes, orders, strict=True)]
        xs = both[0] | both[1]
        part = Columns(*ends[0], *ends[1])
        parts.append(part[_kept(join, xs)] if join.gone else part)
    out = _concatenated(parts)
    keep = (out.a >= 0) & (out.b >= 0)
    for group, devices in ((groups[0], out.a), (groups[1], out.b)):
        if group.absent:
            keep &= alive(group)[devices]
    return out if keep.all() else out[keep]


class _Paired:
    """The rows of a Mesh, Line or Table as columns; the digits it pairs become one digit `row` of the link box."""

    def __init__(self, pairs: Mesh | Line | Table, size: dict[str, int]) -> None:
        self._digits = digits(pairs)
        found = list(rows(pairs, size))
        self._a, self._b = (np.array([r[i] for r in found], np.int64).reshape(len(found), len(self._digits[i])) for i in (0, 1))
        self._ranks = tuple(np.array([r[i] for r in found], np.int64) for i in (2, 3))
        self._kept = np.arange(len(found))

    def box(self, box: dict[str, range], p: dict[str, range], q: dict[str, range]) -> dict[str, range]:
        """The link box with the rows that lie in both regions."""
        keep = np.ones(len(self._a), bool)
        for names, values, region in zip(self._digits, (self._a, self._b), (p, q), strict=True):
            for i, d in enumerate(names):
                keep &= (values[:, i] >= region[d].start) & (values[:, i] < region[d].stop)
        self._kept = np.flatnonzero(keep)
        return {d: r for d, r in box.items() if d not in (*self._digits[0], *self._digits[1])} | {"row.": range(len(self._kept))}

    def values(self, xs: dict[str, Ints]) -> tuple[dict[str, Ints], dict[str, Ints]]:
        """The digits at either end, `peer` being the rank of the row there."""
        row = self._kept[xs["row."]]
        a, b = (xs | {d: v[row, i] for i, d in enumerate(names)} for names, v in zip(self._digits, (self._a, self._b), strict=True))
        return a | {"peer": self._ranks[0][row]}, b | {"peer": self._ranks[1][row]}


def _grid(box: dict[str, range]) -> dict[str, Ints]:
    if not box:
        return {"": np.zeros(1, np.int64)}
    grid = np.meshgrid(*(np.arange(r.start, r.stop, dtype=np.int64) for r in box.values()), indexing="ij")
    return {d: g.ravel() for d, g in zip(box, grid, strict=True)}


def _kept(join: Join, xs: dict[str, Ints]) -> NDArray[np.bool_]:
    keep = np.ones(len(next(iter(xs.values()))), bool)
    for link in join.gone:
        keep &= ~np.logical_and.reduce([xs[d] == x for d, x in link.items()])
    return keep


def _mixed(names: tuple[str, ...], xs: dict[str, Ints], size: dict[str, int]) -> Ints:
    n = np.zeros_like(next(iter(xs.values())))
    for d in names:
        n = n * size[d] + xs[d]
    return n


def _place(group: DeviceGroup, end: End, xs: dict[str, Ints], size: dict[str, int], order: tuple[str, ...]) -> tuple[Ints, Ints]:
    """Device index and port number of every link at one end; -1 for a member that a Pack has not got."""
    n = _mixed(order, xs, size)
    member = n
    if end.spread is not None:
        n = n + end.spread.start
        m = group.sizes[end.spread.axis]
        if isinstance(end.spread, Pack):
            member, n = n // end.spread.capacity, n % end.spread.capacity
        elif end.spread.lane:
            member, n = _ring(n, xs[end.spread.lane], size[end.spread.lane], m, end.spread.start)
        else:
            member, n = n % m, n // m
    device = np.zeros_like(n)
    for axis, ruler in group.rulers.items():
        if end.spread is not None and axis == end.spread.axis:
            x = member
        else:
            x = _mixed(end.view.get(axis, (axis,)), xs, size) - end.shift.get(axis, 0)
        device = device * ruler + x
    return (np.where(member < group.sizes[end.spread.axis], device, -1) if end.spread is not None else device), n


def _ring(n: Ints, lane: Ints, lanes: int, m: int, start: int) -> tuple[Ints, Ints]:
    """Member and port of port `lane` of number n, walked round m members, each port the next that is free.

    The closed form of the loop "for n in order, for j in order: take the next port of member (n + j) % m": number o = n + j
    arrives in round o // m, in which the lanes of one member arrive from the last to the first.
    """
    o = n + lane
    member, round_ = o % m, o // m
    at, j = np.arange(m)[:, None], np.arange(lanes)[None, :]
    first = ((start + (at - j - start) % m + j) // m * lanes + lanes - 1 - j).min(1)
    return member, round_ * lanes + lanes - 1 - lane - first[member]


def _concatenated(parts: list[Columns]) -> Columns:
    """All parts at once: adding them one by one is quadratic in the number of boxes."""
    if not parts:
        none = np.zeros(0, np.int64)
        return Columns(none, none, none, none)
    if len(parts) == 1:
        return parts[0]
    return Columns(*(np.concatenate([getattr(p, f) for p in parts]) for f in ("a", "a_port", "b", "b_port")))


def lanes(end: End, port: Ints) -> tuple[Ints, int]:
    """First lane of each port on its device, and how many lanes a port takes: the unit in which ports collide."""
    block = end.block
    n = np.asarray(block.ports, np.int64)[port] if block.ports is not None else port
    width = block.lanes // block.split
    return (block.first + n // block.split) * block.lanes + (n % block.split) * width, width


def cages(end: End, port: Ints) -> tuple[Ints, Ints]:
    """(cage counted from 0, position in the cage) of each port."""
    block = end.block
    n = np.asarray(block.ports, np.int64)[port] if block.ports is not None else port
    return block.first + n // block.split, n % block.split
