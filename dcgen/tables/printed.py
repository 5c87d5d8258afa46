"""What is printed on devices and on the ends of cables, and in which colours: patterns filled in for whole columns at once."""

from typing import TYPE_CHECKING

import polars as pl

from dcgen.design.colours import COLOURS, counted
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.patterns import fields, pattern_of, said
from dcgen.tables.book import Book
from dcgen.tables.labels import coordinate

if TYPE_CHECKING:
    from dcgen.design.columns import Ints

RAIL = "rail"
"""The axis that colours follow."""


def device_texts(book: Book, group: DeviceGroup) -> pl.Series:
    """What is printed on every declared device of a group, in the order of its coordinates."""
    pattern, names = pattern_of(book.design.labels, group), book.devices(group.name).label
    if not pattern:
        return names
    pieces: list[pl.Expr] = []
    for before, name, width in fields(pattern):
        pieces.append(pl.lit(before))
        if name in group.sizes:
            pieces.append(coordinate(group.sizes, name).cast(pl.String).str.zfill(int(width or 0)))
        elif name:
            pieces.append(pl.lit(names) if name == "name" else pl.lit(str(said(group)[name])))
    texts = pl.select(pl.concat_str(*pieces)).to_series()
    return texts if len(texts) == len(names) else pl.Series([texts[0]] * len(names), dtype=pl.String)


def cable_text(pattern: str, near: str, far: str) -> pl.Expr:
    """What is printed on one end of every cable of a frame; `near` and `far` are the beginnings of its columns, `a_` or `z_`."""
    pieces: list[pl.Expr] = []
    for before, name, _ in fields(pattern):
        pieces += [pl.lit(before), *([_cell(name, near, far)] if name else [])]
    return pl.concat_str(*pieces)


def _cell(name: str, near: str, far: str) -> pl.Expr:
    """One field as text; an end is its rack, unit and port where the unit is known, else its device and port."""
    side, _, what = name.partition("_")
    if side in ("near", "far"):
        end = near if side == "near" else far
        if what:
            return pl.col(f"{end}{what}").fill_null("")
        port = pl.concat_str(pl.lit(":"), pl.col(f"{end}port"))
        placed = pl.concat_str(pl.col(f"{end}rack"), pl.lit("-RU"), pl.col(f"{end}unit"))
        return pl.concat_str(pl.coalesce(placed, pl.col(f"{end}device")), port)
    if name == "length":
        return pl.col("length_m").round(3).cast(pl.String).str.strip_suffix(".0").fill_null("")
    return pl.col(name).fill_null("")


def colour(design: Design, join: Join) -> str | None:
    """The colour of a bundle's cables, where somebody chose one for its fabric."""
    return design.labels.colours.get(join.fabric)


def shown(name: str | None) -> str | None:
    """A colour as a screen shows it; one with a stripe as the colour under it."""
    return COLOURS[name.split(",")[0]] if name else None


def rails(book: Book, join: Join) -> "Ints | None":
    """The rail of every link: that of its upper device, else of the lower one, else of the lower one's port; None without any."""
    from dcgen.design.columns import cages

    design, c = book.design, book.columns(join)
    for end, flat in ((join.b, c.b), (join.a, c.a)):
        if RAIL in design.groups[end.group].sizes:
            return _digit(design.groups[end.group].rulers, RAIL, flat)
    ports = design.part(join.a.group).port_groups()[join.a.block.name]
    if RAIL not in ports.axes or join.a.block.split * ports.cages != ports.size:
        return None
    cage, place = cages(join.a, c.a_port)
    return _digit(ports.axes, RAIL, cage * join.a.block.split + place)


def _digit(sizes: dict[str, int], axis: str, flat: "Ints") -> "Ints":
    below = 1
    for name in reversed(sizes):
        if name == axis:
            break
        below *= sizes[name]
    return flat // below % sizes[axis]


def rail_colours(number: pl.Series) -> pl.Series:
    """The colour of every rail."""
    most = max((n + 1 for n in number.unique().to_list() if n is not None), default=0)
    return pl.Series([counted(n) for n in range(most)], dtype=pl.String).gather(number)
