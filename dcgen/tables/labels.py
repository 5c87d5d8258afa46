"""What is printed on devices, racks and sockets, as polars series that columns of indexes gather from."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from math import prod

import polars as pl

from dcgen.design.columns import Ints
from dcgen.design.model import Design, DeviceGroup
from dcgen.design.phases import phase_numbers
from dcgen.design.placement import rack_label, racks
from dcgen.design.refine import flat_of_box
from dcgen.naming import label
from dcgen.parts import Part, Ports


@dataclass(frozen=True, slots=True)
class Devices:
    """Every declared device of a group in the order of its coordinates, absent ones included.

    `row` leads from a flat index to the row; `rack` numbers the racks of the group in the order they are filled. `phase` is the
    number of the phase of every flat index, 0 for none.
    """

    label: pl.Series
    rack: Ints
    rack_label: pl.Series
    row: Ints
    phase: Ints

    def labels(self, flat: Ints) -> pl.Series:
        """The label of each flat index."""
        return self.label.gather(self.row[flat])

    def racks(self, flat: Ints) -> pl.Series:
        """The rack of each flat index."""
        return self.rack_label.gather(self.rack[self.row[flat]])


def devices(design: Design, group: DeviceGroup) -> Devices:
    """Labels of a group's devices and racks."""
    axes, full = list(group.rulers), group.full
    ids = flat_of_box(design, group.name, full).tolist()
    points = [dict(zip(axes, x, strict=True)) for x in product(*full.values())]
    keys = _rack_keys(design, group, points)
    first = dict(zip(reversed(keys), reversed(ids), strict=True))  # the first device of each rack
    number = {key: n for n, key in enumerate(sorted(first))}
    rack_names = [rack_label(design, group, first[key]) for key in number]
    row = [-1] * prod(group.rulers.values())
    for n, flat in enumerate(ids):
        row[flat] = n
    return Devices(
        pl.Series([label(group.name, x) for x in points], dtype=pl.String),
        pl.Series([number[k] for k in keys], dtype=pl.Int64).to_numpy(),
        pl.Series(rack_names, dtype=pl.String),
        pl.Series(row, dtype=pl.Int64).to_numpy(),
        phase_numbers(design, group),
    )


def phase_names(design: Design, *numbers: Ints) -> pl.Series:
    """The name of the latest of these phases, row by row; nothing where there is none."""
    names = pl.Series([None, *design.phases], dtype=pl.String)
    return names.gather(pl.select(pl.max_horizontal(*(pl.Series(n) for n in numbers))).to_series())


def _rack_keys(design: Design, group: DeviceGroup, points: list[dict[str, int]]) -> list[tuple[int, ...]]:
    """Per declared device a key that is equal exactly for those of one rack, and grows in the order racks are filled."""
    if group.inside:
        return [tuple(x[axis] for axis in group.rack_axes) for x in points]
    per_rack = racks(design, group).per_rack
    return [(n // per_rack,) for n in range(len(points))]


@dataclass(frozen=True, slots=True)
class Sockets:
    """The ports of a port group run as `split` per cage, by position (cage x split + place in the cage)."""

    label: pl.Series
    os: pl.Series


def sockets(part: Part, name: str, split: int, count: int = 0) -> Sockets:
    """Names of at least `count` ports, also past the last cage of a switch that is too small."""
    ports = part.port_groups()[name]
    names = _names(ports, split, max(count, ports.cages * split))
    if any(set(names) & set(_names(p, p.modes[0][0], p.count(p.modes[0][0]))) for p in _before(part, name)):
        names = [f"{name}/{n}" for n in names]  # two groups of sockets printed alike would be one socket on paper
    systems: list[str | None] = [None] * len(names)
    for entry in ports.map:
        systems[_position(ports, entry.at)] = entry.os
    return Sockets(pl.Series(names, dtype=pl.String), pl.Series(systems, dtype=pl.String))


def _before(part: Part, name: str) -> Iterable[Ports]:
    groups = part.port_groups()
    return [p for other, p in groups.items() if list(groups).index(other) < list(groups).index(name)]


def _names(ports: Ports, split: int, count: int) -> list[str]:
    names = [ports.port_label(ports.first + n // split, n % split, split, ports.first + n) for n in range(count)]
    if len(set(names)) < len(names):
        names = [f"{text}/{n % split + 1}" for n, text in enumerate(names)]  # the pattern does not tell the ports of a cage apart
    for entry in ports.map:
        names[_position(ports, entry.at)] = entry.port
    return names


def _position(ports: Ports, at: dict[str, int]) -> int:
    n = 0
    for axis, size in ports.axes.items():
        n = n * size + at[axis]
    return n
