"""What the solver computes on: groups as boxes of digits, wires as joins on digits. No blueprint, no ports, no devices."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

from dcgen.analysis.flow.span import Span

Box: TypeAlias = dict[str, Span]
"""Digit -> coordinates. Every digit of the group is there."""


@dataclass(frozen=True)
class Group:
    """Devices of one kind: the product of `full`, of which those in `extents` exist (all, where there are none).

    `reading` says how a person's axes are read: axis -> (digit, stride, size) of each of its digits, major first.
    """

    name: str
    full: Box
    extents: tuple[Box, ...] = ()
    reading: dict[str, tuple[tuple[str, int, int], ...]] = field(default_factory=dict)

    def said(self, sides: Mapping[str, Span], renumbered: frozenset[str] = frozenset()) -> str:
        """The address of a box of this group: only the axes on which it is narrower. `~`: renumbered alike in every context."""
        words = []
        for axis, digits in self.reading.items():
            tilde = "~" * any(d in renumbered for d, _, _ in digits)
            if all(sides[d] == self.full[d] for d, _, _ in digits):
                continue
            if all(sides[d].size == 1 for d, _, _ in digits):
                words.append(f"{axis}{tilde}={sum(sides[d].first * stride for d, stride, _ in digits)}")
                continue
            for i, (d, stride, size) in enumerate(digits):
                if sides[d] != self.full[d]:
                    name = axis if len(digits) == 1 else f"{axis}/{stride}" if i == 0 else f"{axis}%{size * stride}"
                    name += f"/{stride}" if i and stride > 1 else ""
                    words.append(f"{name}{tilde}{sides[d].said(self.full[d])}")
        return self.name + (f"[{','.join(words)}]" if words else "")


@dataclass(frozen=True, slots=True)
class Wire:
    """Links, `times` over, between all devices of `a` and `b` that agree on the digits `shared`.

    With an `axis`, of the devices that agree only those are joined that differ on it. `at_a` and `at_b`, where given, are the boxes
    in which it ends.
    """

    name: str
    a: str
    b: str
    shared: frozenset[str]
    times: int = 1
    rate_gbps: float = 0
    axis: str = ""
    at_a: tuple[Box, ...] | None = None
    at_b: tuple[Box, ...] | None = None


@dataclass(frozen=True)
class Net:
    """Groups and wires; `hosts` are the groups that carry nothing for others."""

    groups: dict[str, Group]
    wires: tuple[Wire, ...]
    hosts: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Lost:
    """Devices of a group that are dead: all in the box."""

    group: str
    box: Box

    def marks(self, net: Net) -> list[Box]:
        """Boxes that must stay put."""
        return [self.box]

    def single(self) -> bool:
        """Whether this is one device."""
        return all(side.size == 1 for side in self.box.values())


@dataclass(frozen=True, slots=True)
class Cut:
    """Links of wire number `wire` between devices in the boxes `a` and `b`: `times` of each pair, or all."""

    wire: int
    a: Box
    b: Box
    times: int | None = 1

    def marks(self, net: Net) -> list[Box]:
        """Boxes that must stay put."""
        return [self.a, self.b]


Loss: TypeAlias = Lost | Cut


def inside(sides: Mapping[str, Span], box: Mapping[str, Span]) -> bool:
    """Whether a box lies in another."""
    return all(sides[axis] <= side for axis, side in box.items())


def volume(sides: Mapping[str, Span]) -> int:
    """Devices in a box."""
    return prod(side.size for side in sides.values())
