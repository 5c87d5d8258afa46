"""Cables of a design as columns on a common ground: what they are, and which sockets they hold."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, cages, columns
from dcgen.design.model import Join
from dcgen.plan.ground import Ground


class Kind(NamedTuple):
    """What cables must share to stand for each other: places and sockets at both ends, rate, cable and optics.

    Cable and optics are empty where a bundle has several, by length: in the same two sockets a cable is as long as it was.
    """

    fabric: str
    layer: str
    places: tuple[int, int]
    blocks: tuple[str, str]
    splits: tuple[int, int]
    lanes: tuple[int, int]
    rate_gbps: float
    medium: str
    part: str
    optics: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Cables:
    """One row per cable: its kind, and at both ends the number of the device and the position (cage x split + place in it)."""

    kind: Ints
    a: Ints
    a_at: Ints
    b: Ints
    b_at: Ints

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, keep: NDArray[np.bool_] | Ints) -> "Cables":
        return Cables(self.kind[keep], self.a[keep], self.a_at[keep], self.b[keep], self.b_at[keep])

    def ends(self, side: int) -> tuple[Ints, Ints]:
        """(devices, positions) at one end."""
        return (self.b, self.b_at) if side else (self.a, self.a_at)


def none() -> Cables:
    """No cables."""
    empty = np.zeros(0, np.int64)
    return Cables(empty, empty, empty, empty, empty)


def joined(parts: Iterable[Cables]) -> Cables:
    """All of them in one."""
    found = [none(), *parts]
    return Cables(*(np.concatenate([getattr(p, f) for p in found]) for f in ("kind", "a", "a_at", "b", "b_at")))


@dataclass
class Inventory:
    """The kinds that were met so far, the length of each in either design [m], and the bundles that each kind comes from."""

    ground: Ground
    kinds: list[Kind] = field(default_factory=list)
    lengths: dict[tuple[int, bool], float] = field(default_factory=dict)
    bundles: dict[tuple[int, bool], list[Join]] = field(default_factory=dict)

    def read(self, later: bool) -> Cables:
        """Every cable that is pulled in one of the designs."""
        design = self.ground.after if later else self.ground.before
        return joined(self.cables(join, later) for join in design.bundles if join.field_cabled)

    def cables(self, join: Join, later: bool, known: int | None = None) -> Cables:
        """Every cable of one bundle, of a kind that is known or its own; of a mesh the lower number comes first."""
        design = self.ground.after if later else self.ground.before
        c, at = columns(design, join), self._kind(join, later) if known is None else known
        ends = []
        for end, device, port in ((join.a, c.a, c.a_port), (join.b, c.b, c.b_port)):
            cage, place = cages(end, port)
            where = self.ground.places[self.ground.place(end.group, later)]
            ends += [where.numbers(device, design.groups[end.group]), cage * end.block.split + place]
        found = Cables(np.full(len(c), at, np.int64), *ends)
        kind = self.kinds[at]
        if kind.places[0] == kind.places[1] and kind.blocks[0] == kind.blocks[1]:
            turned = (found.a > found.b) | ((found.a == found.b) & (found.a_at > found.b_at))
            ends = [np.where(turned, y, x) for x, y in ((ends[0], ends[2]), (ends[1], ends[3]), (ends[2], ends[0]), (ends[3], ends[1]))]
            found = Cables(found.kind, *ends)
        return found

    def _kind(self, join: Join, later: bool) -> int:
        """Number of the kind of a bundle's cables."""
        a, b = join.ends
        made = {(m.medium, m.cable, m.optics) for m in join.media}
        places = self.ground.place(a.group, later), self.ground.place(b.group, later)
        kind = Kind(
            join.fabric,
            join.layer,
            places,
            (a.block.name, b.block.name),
            (a.block.split, b.block.split),
            (a.block.lanes, b.block.lanes),
            join.rate_gbps,
            *(made.pop() if len(made) == 1 else ("", "", ("", ""))),
        )
        if kind not in self.kinds:
            self.kinds.append(kind)
        at = self.kinds.index(kind)
        self.lengths[at, later] = max(self.lengths.get((at, later), 0), join.longest.length_m if join.longest else 0)
        mine = self.bundles.setdefault((at, later), [])
        if join not in mine:
            mine.append(join)
        return at


class Sockets:
    """Lanes of all devices on one numbering, in the widest unit that every port is a whole number of."""

    def __init__(self, inventory: Inventory, some: Iterable[Cables]) -> None:
        self._kinds = inventory.kinds
        blocks: dict[tuple[int, str], list[int]] = {}
        parts = list(some)
        for number, kind in enumerate(self._kinds):
            for side in (0, 1):
                top = max((int(c.ends(side)[1][c.kind == number].max(initial=-1)) + 1 for c in parts), default=0)
                width = kind.lanes[side] // kind.splits[side]
                cages_ = -(-top // kind.splits[side]) * kind.lanes[side]
                unit, lanes = blocks.get((kind.places[side], kind.blocks[side]), [0, 0])
                blocks[kind.places[side], kind.blocks[side]] = [gcd(unit, width, kind.lanes[side]), max(lanes, cages_)]
        self._base: dict[tuple[int, str], tuple[int, int, int]] = {}
        self.count = 0
        for (place, block), (unit, lanes) in blocks.items():
            here = inventory.ground.places[place]
            self._base[place, block] = (self.count - here.offset * (lanes // unit), lanes // unit, unit)
            self.count += here.size * (lanes // unit)

    def held(self, cables: Cables, side: int) -> tuple[Ints, Ints]:
        """(numbers of the lanes that cables hold at one end, the row of the cable of each)."""
        lanes: list[Ints] = [np.zeros(0, np.int64)]
        owners: list[Ints] = [np.zeros(0, np.int64)]
        for number in np.unique(cables.kind).tolist():
            kind, rows = self._kinds[number], np.flatnonzero(cables.kind == number)
            base, per, unit = self._base[kind.places[side], kind.blocks[side]]
            device, at = (x[rows] for x in cables.ends(side))
            split, wide = kind.splits[side], kind.lanes[side]
            first = (at // split * wide + at % split * (wide // split)) // unit
            width = wide // split // unit
            lanes.append(((base + device * per + first)[:, None] + np.arange(width)).ravel())
            owners.append(np.repeat(rows, width))
        return np.concatenate(lanes), np.concatenate(owners)
