"""The cabling plan: one row per cable that is pulled, the lower tier first."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join
from dcgen.design.wiring import links
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import AT_ONCE, Column, Table

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("cable"),
    Column("fabric"),
    Column("a_rack"),
    Column("a_unit"),
    Column("a_device"),
    Column("a_port"),
    Column("z_rack"),
    Column("z_unit"),
    Column("z_device"),
    Column("z_port"),
    Column("medium"),
    Column("part"),
    Column("length_m", "number", "m"),
    Column("length_basis"),
    Column("rate_gbps", "number", "gbps"),
    Column("layer"),
    Column("a_optic"),
    Column("z_optic"),
    Column("a_os"),
    Column("phase"),
)


def cable_table(source: Design | Book) -> Table:
    """One row per cable, bundle by bundle, within a bundle by the upper device and its port.

    A cable is called by the socket at its upper end: a socket holds one cable, and growth elsewhere does not rename it.
    The U positions are empty because no source gives them. A cable belongs to the later phase of its two ends.
    """
    book = book_of(source)
    design = book.design
    pulled = [b for b in design.bundles if b.field_cabled]
    return Table("cables", COLUMNS, sum(links(design, b) for b in pulled), lambda: _frames(book, pulled))


def _frames(book: Book, pulled: list[Join]) -> "Iterator[pl.DataFrame]":
    for join in pulled:
        yield from _bundle(book, join)


def _bundle(book: Book, join: Join) -> "Iterator[pl.DataFrame]":
    import polars as pl

    from dcgen.design.columns import cages
    from dcgen.tables.labels import phase_names, sockets

    design, lower, upper = book.design, book.devices(join.a.group), book.devices(join.b.group)
    c = book.columns(join)
    places = []
    for end, port in zip(join.ends, (c.a_port, c.b_port), strict=True):
        cage, place = cages(end, port)
        places.append(cage * end.block.split + place)
    a, z = (
        sockets(design.part(e.group), e.block.name, e.block.split, int(p.max(initial=-1)) + 1)
        for e, p in zip(join.ends, places, strict=True)
    )
    order = pl.DataFrame({"device": c.b, "place": places[1]}).select(pl.arg_sort_by("device", "place")).to_series().to_numpy()
    for start in range(0, len(order), AT_ONCE):
        rows = order[start : start + AT_ONCE]
        frame = pl.DataFrame(
            {
                "a_rack": lower.racks(c.a[rows]),
                "a_device": lower.labels(c.a[rows]),
                "a_port": a.label.gather(places[0][rows]),
                "z_rack": upper.racks(c.b[rows]),
                "z_device": upper.labels(c.b[rows]),
                "z_port": z.label.gather(places[1][rows]),
                "a_os": a.os.gather(places[0][rows]),
                "phase": phase_names(design, lower.phase[c.a[rows]], upper.phase[c.b[rows]]),
            }
        )
        yield frame.with_columns(_alike(join)).select(column.name for column in COLUMNS)


def _alike(join: Join) -> "list[pl.Expr]":
    """The cells that all cables of a bundle share."""
    import polars as pl

    media = join.media
    texts = {
        "fabric": join.fabric,
        "a_unit": "",
        "z_unit": "",
        "medium": media.medium if media else "",
        "part": media.cable if media else "",
        "length_basis": media.basis if media else "",
        "layer": join.layer,
        "a_optic": media.optics[0] if media else "",
        "z_optic": media.optics[1] if media else "",
    }
    numbers = {"length_m": (media.length_m if media else 0) or None, "rate_gbps": join.rate_gbps or None}
    return [
        pl.concat_str("z_device", pl.lit(":"), "z_port").alias("cable"),
        *(pl.lit(value or None, pl.String).alias(name) for name, value in texts.items()),
        *(pl.lit(value, pl.Float64).alias(name) for name, value in numbers.items()),
    ]
