"""Reads what a `moved:` line says: a thing of another name, an axis of another name, or devices at other coordinates."""

import re
from dataclasses import dataclass

from dcgen.design.model import Moved
from dcgen.naming import Selector, SelectorError, parse_selector

_AXIS = re.compile(r"(?P<name>[^\[\]\s]+)\s*\[\s*(?P<axis>[\w-]+)\s*\]")
_EXAMPLE = (
    "write for example `{from: backend, to: fabric}`, `{from: 'compute[su=2]', to: 'compute[su=3]'}` or `{from: 'a[su]', to: 'a[unit]'}`"
)


@dataclass(frozen=True, slots=True)
class Move:
    """One of three: another name (`was.group`, `now.group`), another name of an axis (`axes`), or other coordinates (ranges)."""

    was: Selector
    now: Selector
    axes: tuple[str, str] | None = None

    @property
    def by(self) -> dict[str, int]:
        """Axis -> how far its coordinates have moved."""
        return {axis: now[1] - low for (axis, low, _), now in zip(self.was.ranges, self.now.ranges, strict=True) if now[1] != low}


def covers(prefix: str, name: str) -> bool:
    """Whether a name is that of an entry, fabric or group, or lies in it."""
    return name == prefix or name.startswith(f"{prefix}/")


def read_move(moved: Moved) -> Move:
    """What a line says.

    Raises:
        SelectorError: it does not parse, or its two sides are of different kinds.
    """
    both = [_AXIS.fullmatch(text.strip()) for text in (moved.was, moved.now)]
    if all(both):
        (name, was), (other, now) = ((str(m["name"]).replace(".", "/"), m["axis"]) for m in both if m)
        if name != other:
            raise SelectorError(f"`{moved.was}` and `{moved.now}` name an axis of two things", f"rename `{name}` in a line of its own")
        return Move(Selector(name), Selector(name), (was, now))
    if any(both):
        raise SelectorError(f"of `{moved.was}` and `{moved.now}` one names an axis, the other does not", _EXAMPLE)
    one, other_ = parse_selector(moved.was), parse_selector(moved.now)
    if one.port or other_.port:
        raise SelectorError(f"`{moved.was}` and `{moved.now}`: a port does not move by itself", _EXAMPLE)
    if bool(one.ranges) != bool(other_.ranges) or (one.ranges and one.group != other_.group):
        fix = "give both sides the same name and coordinates of the same axes"
        raise SelectorError(f"`{moved.was}` and `{moved.now}` are of different kinds", fix)
    ranges = {axis: (low, high) for axis, low, high in other_.ranges}
    if {axis: high - low for axis, low, high in one.ranges} != {axis: high - low for axis, (low, high) in ranges.items()}:
        raise SelectorError(f"`{moved.was}` and `{moved.now}` are not the same number of devices along the same axes", _EXAMPLE)
    ordered = tuple((axis, *ranges[axis]) for axis, _, _ in one.ranges)
    return Move(one, Selector(other_.group, ordered))
