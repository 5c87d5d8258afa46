"""What a label printer is fed with: one row for each end of a cable, and one for each device."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.tables.book import Book
from dcgen.tables.cables import cable_table
from dcgen.tables.model import Column, Table

if TYPE_CHECKING:
    import polars as pl

ENDS = ("rack", "unit", "device", "label", "port")
CABLES = (
    Column("label"),
    Column("cable"),
    Column("end"),
    *(Column(f"{side}_{what}") for side in ("near", "far") for what in ENDS),
    Column("fabric"),
    Column("colour"),
    Column("colour_hex"),
    Column("rail", "count"),
    Column("rail_colour"),
    Column("phase"),
)
DEVICES = (Column("label"), Column("device"), Column("rack"), Column("group"), Column("part"), Column("phase"))


def label_table(book: Book) -> Table:
    """Two rows for each cable: what is printed at its end `a`, then at its end `z`."""
    return Table("labels", CABLES, 2 * cable_table(book).rows, lambda: _ends(book))


def _ends(book: Book) -> "Iterator[pl.DataFrame]":
    import polars as pl

    from dcgen.tables.plan import both_ways, wide_frames
    from dcgen.tables.printed import shown

    wanted = ["a_label", "z_label", "colour", "rail", "rail_colour", "a_print", "z_print"]
    hexes = {name: shown(name) for name in book.design.labels.colours.values()}
    for frame in wide_frames(book, wanted):
        twice = both_ways(frame).rename({f"{s}_{w}": f"{side}_{w}" for s, side in (("a", "near"), ("z", "far")) for w in ENDS})
        yield twice.with_columns(
            pl.col("a_print").alias("label"),
            pl.when(pl.int_range(pl.len()) % 2 == 0).then(pl.lit("a")).otherwise(pl.lit("z")).alias("end"),
            pl.col("colour").replace_strict(hexes, default=None, return_dtype=pl.String).alias("colour_hex"),
        ).select(c.name for c in CABLES)


def device_label_table(book: Book) -> Table:
    """What is printed on every device, racks that are bought included."""
    groups = [g for g in book.design.groups.values() if g.count]
    return Table("device-labels", DEVICES, sum(g.count for g in groups), lambda: (_group(book, g.name) for g in groups))


def _group(book: Book, name: str) -> "pl.DataFrame":
    import polars as pl

    from dcgen.design.columns import device_ids
    from dcgen.tables.labels import phase_names
    from dcgen.tables.printed import device_texts

    group, named = book.design.groups[name], book.devices(name)
    ids = device_ids(group)
    return (
        pl.DataFrame(
            {
                "label": device_texts(book, group).gather(named.row[ids]),
                "device": named.labels(ids),
                "rack": named.racks(ids),
                "phase": phase_names(book.design, named.phase[ids]),
            }
        )
        .with_columns(pl.lit(name).alias("group"), pl.lit(group.part).alias("part"))
        .select(c.name for c in DEVICES)
    )
