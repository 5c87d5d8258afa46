"""What is printed on devices, racks and sockets, as polars series that columns of indexes gather from."""

from dataclasses import dataclass
from math import prod

import polars as pl

from dcgen.design.columns import Ints
from dcgen.design.model import Design, DeviceGroup
from dcgen.design.phases import phase_numbers
from dcgen.design.placement import rack_label, racks
from dcgen.design.refine import flat_of_box
from dcgen.naming import label
from dcgen.parts import Part


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
    ids = pl.Series(flat_of_box(design, group.name, group.full))
    rack = _rack_numbers(design, group, len(ids))
    first = pl.DataFrame({"rack": rack, "flat": ids}).unique("rack", keep="first").sort("rack")["flat"]
    row = pl.repeat(-1, prod(group.rulers.values()), dtype=pl.Int64, eager=True).scatter(ids, pl.int_range(len(ids), eager=True))
    return Devices(
        _printed(group),
        rack.to_numpy(),
        pl.Series([rack_label(design, group, flat) for flat in first], dtype=pl.String),
        row.to_numpy(),
        phase_numbers(design, group),
    )


def coordinate(sizes: dict[str, int], axis: str) -> pl.Expr:
    """A coordinate of every declared device, in the order of coordinates."""
    below = prod(list(sizes.values())[list(sizes).index(axis) + 1 :])
    return pl.int_range(prod(sizes.values())) // below % sizes[axis]


def _printed(group: DeviceGroup) -> pl.Series:
    """`label` of every declared device at once."""
    sizes = group.sizes
    if not sizes:
        return pl.Series([label(group.name, {})], dtype=pl.String)
    pieces = [piece for axis in sizes for piece in (pl.lit(f"-{axis}"), coordinate(sizes, axis).cast(pl.String))]
    return pl.select(pl.concat_str(pl.lit(label(group.name, {})), *pieces)).to_series()


def phase_names(design: Design, *numbers: Ints) -> pl.Series:
    """The name of the latest of these phases, row by row; nothing where there is none."""
    names = pl.Series([None, *design.phases], dtype=pl.String)
    return names.gather(pl.select(pl.max_horizontal(*(pl.Series(n) for n in numbers))).to_series())


def _rack_numbers(design: Design, group: DeviceGroup, declared: int) -> pl.Series:
    """Per declared device a number that is equal exactly for those of one rack, and grows in the order racks are filled."""
    if not group.inside:
        return pl.select(pl.int_range(declared) // racks(design, group).per_rack).to_series()
    number = pl.repeat(0, declared, dtype=pl.Int64)
    for axis in group.rack_axes:
        number = number * group.sizes[axis] + coordinate(group.sizes, axis)
    return pl.select(number).to_series()


@dataclass(frozen=True, slots=True)
class Sockets:
    """The ports of a port group run as `split` per cage, by position (cage x split + place in the cage)."""

    label: pl.Series
    os: pl.Series


def sockets(part: Part, name: str, split: int, least: int = 0) -> Sockets:
    """Names of at least `least` ports, also past the last cage of a switch that is too small."""
    ports, names = part.port_groups()[name], part.printed(name, split, least)
    systems = {entry.port: entry.os for entry in ports.map} if split == ports.modes[0][0] else {}
    return Sockets(pl.Series(names, dtype=pl.String), pl.Series([systems.get(n) for n in ports.labels(split, least)], dtype=pl.String))
