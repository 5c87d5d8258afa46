"""What must keep its share: the links of every device that lead up, down or across in one fabric, and how many may be out."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dcgen.design.columns import Ints
from dcgen.plan.cables import Cables, Inventory
from dcgen.plan.ground import Flags, Ground

ANY = np.iinfo(np.int64).max // 4
"""Quota of a side that need not keep anything."""
UP, DOWN, ACROSS = range(3)


@dataclass(frozen=True)
class Sides:
    """Links of a device that lead up, down or across in one fabric are a side.

    `keys` are the sides that cables have before or after, as three times (fabric times devices plus device) plus the direction.
    `had` and `will` count the links of each before and after; `weight` says which cables before carry something that stays in
    service, and only these are counted. `goes` says which sides are of devices that are taken away.
    """

    keys: Ints
    fabric: Ints
    across: Flags
    devices: int
    had: Ints
    will: Ints
    weight: Flags
    goes: Flags

    def of(self, cables: Cables) -> tuple[Ints, Ints]:
        """The side of either end of every cable."""
        a, b = _keys(cables, self.fabric, self.across, self.devices)
        return np.searchsorted(self.keys, a), np.searchsorted(self.keys, b)

    def device(self, side: Ints) -> Ints:
        """The devices of sides."""
        return side_device(self.keys[side], self.devices)

    def count(self, cables: Cables, weights: Ints | None = None) -> Ints:
        """How many of these cables, or how much weight, every side has."""
        out = np.zeros(len(self.keys), np.int64)
        for end in self.of(cables):
            out += np.bincount(end, weights=weights, minlength=len(out)).astype(np.int64)
        return out

    @property
    def single(self) -> Flags:
        """Sides of one link, which cannot be moved without an interruption."""
        found: Flags = (self.had == 1) & ~self.goes
        return found

    @property
    def least(self) -> Ints:
        """The links that a share is of: those before, or those after where these are fewer."""
        return np.where(self.goes, self.had, np.minimum(self.had, self.will))

    def asked(self, moved: Ints) -> Flags:
        """Sides of devices that stay, have several links and must move some: those that a plan keeps a share of."""
        return (moved > 0) & (self.had > 1) & ~self.goes & (self.least > 0)

    def quota(self, keep: Fraction) -> Ints:
        """Most links of every side that may be out at once: floor((1 - keep) x links), and more where fewer are needed later."""
        kept = -(-self.least * keep.numerator // keep.denominator)
        return np.where((self.had > 1) & (self.least > 0), self.had - kept, ANY)


def side_device(keys: Ints, devices: int) -> Ints:
    """The device that a side's key holds."""
    return keys // 3 % devices


def _keys(cables: Cables, fabric: Ints, across: Flags, devices: int) -> tuple[Ints, Ints]:
    base, flat = fabric[cables.kind] * devices, across[cables.kind]
    return (base + cables.a) * 3 + np.where(flat, ACROSS, UP), (base + cables.b) * 3 + np.where(flat, ACROSS, DOWN)


def sides(inventory: Inventory, before: Cables, after: Cables) -> Sides:
    """The sides of all cables."""
    ground, names = inventory.ground, list(dict.fromkeys(k.fabric for k in inventory.kinds))
    fabric = np.array([names.index(k.fabric) for k in inventory.kinds], np.int64)
    across = np.array([k.places[0] == k.places[1] for k in inventory.kinds], bool)
    devices = max(len(ground.was), 1)
    weight = _weight(ground, before)
    keys = np.unique(np.concatenate([k for c in (before, after) for k in _keys(c, fabric, across, devices)]))
    counts = []
    for cables in (before[weight], after):
        found = np.zeros(len(keys), np.int64)
        for end in _keys(cables, fabric, across, devices):
            found += np.bincount(np.searchsorted(keys, end), minlength=len(keys)).astype(np.int64)
        counts.append(found)
    goes = ~ground.will[side_device(keys, devices)] if len(keys) else np.zeros(0, bool)
    return Sides(keys, fabric, across, devices, counts[0], counts[1], weight, goes)


def _weight(ground: Ground, before: Cables) -> Flags:
    """Cables that carry traffic of something that stays: not those of nodes that go, nor of switches that serve only such nodes."""
    nodes = np.zeros(len(ground.was), bool)
    for p in ground.places:
        nodes[p.offset : p.offset + p.size] = p.any.tier == 0
    goes = ~ground.will
    idle, serves = goes & nodes, np.zeros(len(goes), bool)
    serves[before.b] = True
    while True:
        busy = np.zeros(len(goes), bool)
        busy[before.b[~idle[before.a]]] = True
        now = idle | (goes & serves & ~busy)
        if (now == idle).all():
            return ~(idle[before.a] | (idle[before.b] & nodes[before.b]))
        idle = now


def largest(found: Sides, moved: Ints) -> Fraction:
    """The largest share that any plan can keep: of the smallest side that has to move a link, all but one."""
    asked = found.asked(moved) & (found.least > 1)
    return 1 - Fraction(1, int(found.least[asked].min())) if asked.any() else Fraction(1)
