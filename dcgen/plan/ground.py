"""One numbering for the devices of two designs: whatever has the same address and is the same part keeps its number."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import Ints, device_ids
from dcgen.design.model import Design, DeviceGroup

Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Place:
    """The devices of one group in either design: numbers from `offset`, mixed radix over `rulers`.

    `before` and `after` are the group there, or None. A group whose part or axes are others is two places: all its devices are
    replaced.
    """

    group: str
    rulers: dict[str, int]
    offset: int
    before: DeviceGroup | None
    after: DeviceGroup | None

    @property
    def size(self) -> int:
        """Numbers that the place takes."""
        return prod(self.rulers.values())

    @property
    def any(self) -> DeviceGroup:
        """The group of the design after, or before where there is none after."""
        found = self.after or self.before
        assert found is not None
        return found

    def numbers(self, flat: Ints, group: DeviceGroup) -> Ints:
        """Numbers of devices of one of the two groups, from their flat indexes there."""
        at = _read(flat, group.rulers)
        out = np.zeros_like(flat)
        for axis, ruler in self.rulers.items():
            out = out * ruler + at[axis]
        return out + self.offset

    def flat(self, numbers: Ints, group: DeviceGroup) -> Ints:
        """Flat indexes in one of the two groups, from numbers."""
        at = _read(numbers - self.offset, self.rulers)
        out = np.zeros_like(numbers)
        for axis, ruler in group.rulers.items():
            out = out * ruler + at[axis]
        return out

    def coordinates(self, number: int) -> dict[str, int]:
        """Coordinates of one device, in the order of the group's axes."""
        at = _read(np.array([number - self.offset]), self.rulers)
        return {axis: int(at[axis][0]) for axis in self.any.sizes}


def _read(flat: Ints, rulers: dict[str, int]) -> dict[str, Ints]:
    out: dict[str, Ints] = {}
    for axis in reversed(rulers):
        flat, out[axis] = flat // rulers[axis], flat % rulers[axis]
    return out


@dataclass(frozen=True)
class Ground:
    """Both designs on one numbering: whether the device of a number is there before, and after."""

    before: Design
    after: Design
    places: tuple[Place, ...]
    was: Flags
    will: Flags

    def place(self, group: str, later: bool) -> int:
        """Number of the place of a group of one of the designs."""
        return next(i for i, p in enumerate(self.places) if p.group == group and (p.after if later else p.before) is not None)

    def place_of(self, numbers: Ints) -> Ints:
        """The place of every device."""
        starts = np.array([p.offset for p in self.places])
        found: Ints = np.searchsorted(starts, numbers, side="right") - 1
        return found


def ground(before: Design, after: Design) -> Ground:
    """Number the devices of both designs."""
    places: list[Place] = []
    offset = 0
    for name in dict.fromkeys([*after.groups, *before.groups]):
        old, new = before.groups.get(name), after.groups.get(name)
        same = old and new and set(old.sizes) == set(new.sizes) and old.part == new.part
        for one, other in ((old, new),) if same else ((old, None), (None, new)):
            first = other or one
            if first is not None:
                found = [g.rulers for g in (one, other) if g is not None]
                rulers = {axis: max(r[axis] for r in found) for axis in first.rulers}
                places.append(Place(name, rulers, offset, one, other))
                offset += places[-1].size
    was, will = np.zeros(offset, bool), np.zeros(offset, bool)
    for p in places:
        for group, there in ((p.before, was), (p.after, will)):
            if group is not None:
                there[p.numbers(device_ids(group), group)] = True
    return Ground(before, after, tuple(places), was, will)
