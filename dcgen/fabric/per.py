"""`per:` — which switch a port goes to: `axis`, `axis/n`, `axis%n`, each perhaps named `name=`."""

import re
from dataclasses import dataclass, replace
from math import prod
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from dcgen.design import Axis
from dcgen.naming import COUNTED
from dcgen.parts.fields import fault

_PER = re.compile(r"(?:(?P<name>\w[\w-]*)\s*=\s*)?(?P<axis>\w[\w-]*)(?:\s*(?P<op>[/%])\s*(?P<n>[0-9]{1,6}))?")


@dataclass(frozen=True, slots=True)
class Per:
    """One entry: the axis that is read, blocks of `n` (`/`) or `n` in turn (`%`), and the switch's own axis that comes of it."""

    name: str
    axis: str
    op: str = ""
    n: int = 1

    def __str__(self) -> str:
        read = f"{self.axis}{self.op}{self.n}" if self.op else self.axis
        return read if self.name == self.axis else f"{self.name}={read}"

    def coordinates(self, size: int) -> int:
        """Coordinates of the switch's own axis when the axis that is read has `size`."""
        return size if not self.op else -(-size // self.n) if self.op == "/" else min(self.n, size)

    def rest(self, size: int) -> int:
        """Coordinates that fall on one switch."""
        return 1 if not self.op else min(self.n, size) if self.op == "/" else -(-size // self.n)


def _per(value: Any) -> Per:
    if isinstance(value, Per):
        return value
    found = _PER.fullmatch(str(value)) if isinstance(value, str) else None
    if not found or (found["op"] and not int(found["n"])):
        raise fault("bad-per", f"`{value}` is not `axis`, `axis/n`, `axis%n` or `name=axis/n`", "write for example `half=rack/4`")
    default = found["axis"] if not found["op"] else found["axis"] + ("-block" if found["op"] == "/" else "-turn")
    return Per(found["name"] or default, found["axis"], found["op"] or "", int(found["n"] or 1))


PER_SCHEMA = {"type": "string", "examples": ["rail", "half=rack/4", "leaf=rail%4"]}
PerEntry = Annotated[Per, BeforeValidator(_per), WithJsonSchema(PER_SCHEMA)]


@dataclass(frozen=True, slots=True)
class Reading:
    """How the two ends of a bundle read their axes, given what the upper switches are `per`.

    `axes` are the upper switches' own, `size` those of the lower devices and their ports; `on` the digits that agree; `view` the
    digits of split axes, `sizes` theirs and those of axes with room; `ways` digits of the lower device's ports that the upper switch
    does not have; `lower` and `upper` are the digits that the port numbers run over, major first; `fan` is how many ports of lower
    devices fall on one coordinate of the upper switches, `final_fan` with every axis grown into its room; `ports` is one more than the
    highest port number there today, which passes over the room.
    """

    axes: tuple[Axis, ...]
    on: tuple[str, ...]
    view: dict[str, tuple[str, ...]]
    sizes: dict[str, int]
    ways: dict[str, int]
    lower: tuple[str, ...]
    upper: tuple[str, ...]
    size: dict[str, int]
    fan: int
    final_fan: int
    ports: int


def faults(per: list[Per], axes: tuple[Axis, ...], ports: dict[str, int], serves: str, counted: tuple[str, ...] = ()) -> list[str]:
    """What is wrong with these entries for a device of these axes and port axes; `counted` are the axes that tiers are counted by."""
    size = {a.name: a.size for a in axes} | ports
    found = [f"`{p}`: {serves} has no axis `{p.axis}`; it has {', '.join(size) or 'none'}" for p in per if p.axis not in size]
    twice = [p for i, p in enumerate(per) if p.axis in [q.axis for q in per[:i]]]
    found += [f"`{p}` reads the axis `{p.axis}` a second time" for p in twice]
    found += [f"`{p}`: two entries make an axis `{p.name}`" for i, p in enumerate(per) if p.name in [q.name for q in per[:i]]]
    found += [
        f"`{p}`: {serves} already has another axis `{p.name}`; choose another name" for p in per if p.name != p.axis and p.name in size
    ]
    found += [
        f"`{p}`: the switches of the tier `{p.name}` are counted by an axis of that name; write for example "
        f"`by-{p.name}={p.axis}{p.op}{p.n if p.op else ''}`"
        for p in per
        if p.name in counted
    ]
    found += [f"`{p}`: dcgen counts links by the word `{p.name}`; choose another name" for p in per if p.name in COUNTED]
    found += [
        f"`{p}`: {size[p.axis]} ports along `{p.axis}` do not divide by {p.n}"
        for p in per
        if p.axis in ports and p.op and size[p.axis] % p.n
    ]
    return found


def read(per: list[Per], axes: tuple[Axis, ...], ports: dict[str, int]) -> Reading:
    """The reading for entries without faults. Ports run over the lower device's axes in order, then its port axes."""
    by_axis = {p.axis: p for p in per}
    room = {a.name: a.ruler for a in axes} | ports
    size = {a.name: a.size for a in axes} | ports
    digits: dict[str, tuple[str, ...]] = {}
    sizes: dict[str, int] = {}
    for axis, n in room.items():
        p = by_axis.get(axis)
        if p is None or not p.op:
            digits[axis] = (p.name if p else axis,)
            sizes |= {digits[axis][0]: n} if n > size[axis] else {}  # the room may be this fabric's alone
            continue
        rest = f"{axis}.{p.name}"
        digits[axis] = (p.name, rest) if p.op == "/" else (rest, p.name)
        sizes |= {p.name: p.coordinates(n), rest: p.rest(n)}
    owned = {p.name for p in per}
    today = {d: n for axis, n in size.items() for d, n in _today(by_axis.get(axis), digits[axis], n).items()}
    final = {digits[axis][0]: n for axis, n in room.items()} | sizes
    upper = tuple(d for names in digits.values() for d in names if d not in owned)
    top = 0
    for d in upper:
        top = top * final[d] + today[d] - 1
    lower = tuple(d for axis in ports for d in digits[axis])
    ways = {d: sizes.get(d, ports[axis]) for axis in ports for d in digits[axis] if d not in owned}
    return Reading(
        axes=tuple(Axis(p.name, p.coordinates(size[p.axis]), p.coordinates(room[p.axis])) for p in per),
        on=tuple(p.name for p in per if p.axis not in ports),
        view={a.name: digits[a.name] for a in axes if digits[a.name] != (a.name,)},
        sizes=sizes,
        ways=ways,
        lower=lower,
        upper=upper,
        size=size,
        fan=prod(p.rest(size[axis]) if (p := by_axis.get(axis)) else size[axis] for axis in size),
        final_fan=prod(p.rest(room[axis]) if (p := by_axis.get(axis)) else room[axis] for axis in room),
        ports=top + 1,
    )


def _today(p: Per | None, digits: tuple[str, ...], size: int) -> dict[str, int]:
    """How far each digit of an axis of this size runs."""
    if p is None or not p.op:
        return {digits[0]: size}
    return {d: p.coordinates(size) if d == p.name else p.rest(size) for d in digits}


def widened(reading: Reading, per: list[Per], switches: dict[str, int], ports: dict[str, int]) -> Reading:
    """The reading for switches of which there are more than these devices ask for: digits of the devices' own axes are as large as
    the switches' axes."""
    wide = {p.name: max(reading.sizes[p.name], switches[p.name]) for p in per if p.name in reading.sizes and p.axis not in ports}
    return replace(reading, sizes=reading.sizes | wide)
