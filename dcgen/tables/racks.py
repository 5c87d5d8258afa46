"""What stands in which rack: one row per device."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.design.model import Design, DeviceGroup
from dcgen.design.placement import racks
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import Column, Table

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("rack"),
    Column("group"),
    Column("device"),
    Column("part"),
    Column("height_u", "number", "u"),
    Column("rule"),
    Column("phase"),
)

OF_A_HALL = (
    Column("tile"),
    Column("unit", "number"),
)
"""Columns that only a design with a hall has."""


def rack_table(source: Design | Book) -> Table:
    """Every device with its rack and the rule that put it there; rack by rack, in the order racks are filled.

    A rack that is bought is no row of its own; what comes inside it is.
    """
    book = book_of(source)
    design = book.design
    standing = [g for g in design.groups.values() if g.role != "rack"]
    return Table("racks", _columns(design), sum(g.count for g in standing), lambda: _frames(book, standing))


def _columns(design: Design) -> tuple[Column, ...]:
    return (*COLUMNS, *OF_A_HALL) if design.hall else COLUMNS


def _frames(book: Book, standing: list[DeviceGroup]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    by_owner: dict[str, list[DeviceGroup]] = {}
    for group in standing:
        by_owner.setdefault(group.inside or group.name, []).append(group)
    for groups in by_owner.values():
        frames = [_group(book, g) for g in groups]
        yield pl.concat(frames).sort("order", maintain_order=True).select(c.name for c in _columns(book.design))


def _group(book: Book, group: DeviceGroup) -> "pl.DataFrame":
    import polars as pl

    from dcgen.design.columns import device_ids
    from dcgen.tables.labels import phase_names

    design, named, ids = book.design, book.devices(group.name), device_ids(group)
    height = design.part(group.name).height_u
    phase = phase_names(design, named.phase[ids])
    here = {}
    if floor := design.floor:
        here = {"tile": book.tiles.gather(floor.racks(group.name)[ids]), "unit": pl.Series(floor.units(group.name)[ids]).fill_nan(None)}
    return pl.DataFrame(
        {"rack": named.racks(ids), "device": named.labels(ids), "order": named.rack[named.row[ids]], "phase": phase, **here}
    ).with_columns(
        pl.lit(group.name).alias("group"),
        pl.lit(group.part).alias("part"),
        pl.lit(height.value if height else None, pl.Float64).alias("height_u"),
        pl.lit(racks(design, group).rule).alias("rule"),
    )
