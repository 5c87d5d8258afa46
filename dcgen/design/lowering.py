"""Axes cut at the common refinement of the digits that bundles read, and which of those digits are one and the same coordinate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from math import prod

from dcgen.design.model import Design, DeviceGroup, End, Join, Line, Mesh
from dcgen.design.region import Box, interval_digits
from dcgen.design.wiring import device_at

SubAxis = tuple[str, str, int]
"""(group, axis, stride): the digit of an axis that counts in steps of `stride`."""


class NotSymbolic(Exception):
    """These bundles have no cells that are boxes; the text says why."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Alike devices of one group: a range for every digit of every axis."""

    group: str
    box: dict[SubAxis, range]

    @property
    def count(self) -> int:
        """Devices in the cell."""
        return prod(len(r) for r in self.box.values())


@dataclass
class Lowering:
    """Every axis cut at the strides that some bundle needs, and which of the resulting digits are one and the same."""

    groups: dict[str, DeviceGroup]
    bundles: tuple[Join, ...]
    cuts: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    parent: dict[SubAxis, SubAxis] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for join in self.bundles:
            for end in join.ends:
                if end.spread is not None:
                    raise NotSymbolic(f"{join.name}: a spread that does not divide")
                self._read(join, end)
            if isinstance(join.pairs, Mesh | Line) and self._read_in_blocks(join):
                raise NotSymbolic(f"{join.name}: neighbours along an axis that is read in blocks")
        while any([self._carry(join) for join in self.bundles]):
            pass
        for (group, axis), cuts in self.cuts.items():
            levels = sorted(cuts)
            if any(high % low for low, high in zip(levels, levels[1:], strict=False)):
                raise NotSymbolic(f"{group}.{axis} is read in blocks of {levels}, which do not nest")
        for join in self.bundles:
            for digit in join.on:
                self._unite(join, digit)

    def span(self, join: Join, side: int, digit: str) -> tuple[str, str, int, int]:
        """(group, axis, stride, next stride) that a digit of an end covers; next stride 0 is open."""
        end = join.ends[side]
        group = self.groups[end.group]
        for axis in group.sizes:
            names = end.view.get(axis, (axis,))
            if digit in names:
                below = names[names.index(digit) + 1 :]
                stride = prod(join.sizes[d] for d in below)
                return group.name, axis, stride, stride * join.sizes[digit] if names[0] != digit else 0
        raise NotSymbolic(f"{join.name}: {digit} is no digit of {end.group}")

    def _read(self, join: Join, end: End) -> None:
        group = self.groups[end.group]
        for axis in group.sizes:
            names = end.view.get(axis, (axis,))
            if end.shift.get(axis) and (len(names) > 1 or set(names) & set(join.on)):
                raise NotSymbolic(f"{join.name}: a shifted ruler on a shared or split axis")
            cuts = self.cuts.setdefault((group.name, axis), set())
            cuts |= {s for i in range(1, len(names)) if (s := prod(join.sizes[d] for d in names[i:])) > 1}

    def _read_in_blocks(self, join: Join) -> bool:
        """Whether the axis of a Mesh or Line is split, or held by another name at the other end."""
        assert isinstance(join.pairs, Mesh | Line)
        (g, axis, low, high), other = (self.span(join, side, d) for side, d in enumerate((join.pairs.a, join.pairs.b)))
        return bool(low != 1 or high or (g, axis, low, high) != other or self.cuts[g, axis])

    def _carry(self, join: Join) -> bool:
        """Cuts inside a digit that both ends share hold at both ends."""
        new = False
        for digit in join.on:
            spans = [self.span(join, side, digit) for side in (0, 1)]
            inner = {
                c // low for g, axis, low, high in spans for c in self.cuts[g, axis] if low < c and c % low == 0 and (not high or c < high)
            }
            for g, axis, low, high in spans:
                more = {low * c for c in inner if not high or low * c < high} - self.cuts[g, axis]
                self.cuts[g, axis] |= more
                new |= bool(more)
        return new

    def levels(self, group: str, axis: str) -> list[int]:
        """Strides of the digits of an axis, major first."""
        return sorted({1, *self.cuts.get((group, axis), set())}, reverse=True)

    def sizes(self, group: str, axis: str) -> list[int]:
        """Digit sizes, major first."""
        levels = self.levels(group, axis)
        top = -(-self.groups[group].rulers[axis] // levels[0])
        return [top, *(high // low for high, low in zip(levels, levels[1:], strict=False))]

    def pairs(self, join: Join, digit: str) -> list[tuple[SubAxis, SubAxis]]:
        """The lowered digits of a and of b that an agreed digit makes equal."""
        spans = [self.span(join, side, digit) for side in (0, 1)]
        inside = [[s for s in self.levels(g, axis) if s >= low and (not high or s < high)] for g, axis, low, high in spans]
        a, b = (dict.fromkeys(s // low for s in found) for found, (_, _, low, _) in zip(inside, spans, strict=True))
        return [((spans[0][0], spans[0][1], r * spans[0][2]), (spans[1][0], spans[1][1], r * spans[1][2])) for r in a if r in b]

    def _unite(self, join: Join, digit: str) -> None:
        for x, y in self.pairs(join, digit):
            self.parent[self.root(x)] = self.root(y)

    def root(self, sub: SubAxis) -> SubAxis:
        """The representative of all digits that are the same coordinate."""
        while self.parent.get(sub, sub) != sub:
            sub = self.parent[sub]
        return sub

    def boxes(self, group: str, box: Box) -> list[dict[SubAxis, range]]:
        """A box of axes as disjoint boxes of digits."""
        per_axis = []
        for axis, r in box.items():
            subs = [(group, axis, s) for s in self.levels(group, axis)]
            per_axis.append([dict(zip(subs, p, strict=True)) for p in interval_digits(r.start, r.stop, self.sizes(group, axis))])
        return [{k: v for piece in c for k, v in piece.items()} for c in product(*per_axis)]

    def places(self, join: Join, side: int, digit: str, x: int) -> dict[SubAxis, int]:
        """One value of a digit of an end, in lowered digits; none of them where the digit has one value only."""
        group, axis, low, high = self.span(join, side, digit)
        levels = [s for s in reversed(self.levels(group, axis)) if s >= low and (not high or s < high)]
        above = [*levels[1:], high][: len(levels)]
        return {(group, axis, s): x * low // s % (t // s) if t else x * low // s for s, t in zip(levels, above, strict=True)}

    def digit(self, join: Join, side: int, digit: str, cell: Cell) -> range:
        """The range of a digit that a cell covers."""
        group, axis, low, high = self.span(join, side, digit)
        found = [(s, cell.box[group, axis, s]) for s in self.levels(group, axis) if s >= low and (not high or s < high)]
        start = sum(r.start * (s // low) for s, r in found)
        return range(start, start + prod(len(r) for _, r in found))

    def point(self, join: Join, side: int, link: Mapping[str, int]) -> dict[SubAxis, int]:
        """The digits at one end of a single link."""
        group, out = self.groups[join.ends[side].group], {}
        for axis, x in device_at(Design("", self.groups), join, side, link).items():
            for stride, size in zip(self.levels(group.name, axis), self.sizes(group.name, axis), strict=True):
                out[group.name, axis, stride] = x // stride % size
        return out
