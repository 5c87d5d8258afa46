"""Links as NumPy columns: the only place where rows come into being."""

from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dcgen.design.model import Deal, Design, DeviceGroup, End, Join
from dcgen.design.wiring import agreed, digit_boxes, port_orders, shared

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
    parts = []
    for p, q in product(*regions):
        box = shared(p, q)
        if box is None:
            continue
        box |= {w: range(n) for w, n in join.ways.items()}
        xs = _grid(box)
        ends = [_place(g, e, xs, size, o) for g, e, o in zip(groups, join.ends, orders, strict=True)]
        part = Columns(*ends[0], *ends[1])
        parts.append(part[_kept(join, xs)] if join.gone else part)
    out = _concatenated(parts)
    keep = (out.a >= 0) & (out.b >= 0)
    for group, devices in ((groups[0], out.a), (groups[1], out.b)):
        if group.absent:
            keep &= alive(group)[devices]
    return out if keep.all() else out[keep]


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
        member, n = (n % m, n // m) if isinstance(end.spread, Deal) else (n // end.spread.capacity, n % end.spread.capacity)
    device = np.zeros_like(n)
    for axis, ruler in group.rulers.items():
        if end.spread is not None and axis == end.spread.axis:
            x = member
        else:
            x = _mixed(end.view.get(axis, (axis,)), xs, size) - end.shift.get(axis, 0)
        device = device * ruler + x
    return (np.where(member < group.sizes[end.spread.axis], device, -1) if end.spread is not None else device), n


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
