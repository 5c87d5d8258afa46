"""Cables that are pulled together: of one kind, between the same two racks, up to so many."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.design.model import Join
from dcgen.tables.book import Book
from dcgen.tables.model import Column, Table

if TYPE_CHECKING:
    import polars as pl

TOGETHER = 24
"""Cables in one bundle at most: about what a hand can dress and a cable manager holds."""

COLUMNS = (
    Column("bundle"),
    Column("fabric"),
    Column("a_rack"),
    Column("z_rack"),
    Column("cables", "count"),
    Column("parts"),
    Column("length_m", "number", "m"),
    Column("phase"),
)


def bundle_table(book: Book) -> Table:
    """One row per bundle of cables; `length_m` is its longest cable.

    A bundle's number counts the cables of the complete design: taking one out, or putting it back, renames no other bundle.
    """
    import polars as pl

    from dcgen.tables.plan import wide_frames

    kept = ["cable", "bundle", "fabric", "a_rack", "z_rack", "part", "length_m", "phase"]
    found = [f.select(kept) for f in wide_frames(book, ["bundle"])]
    rows = pl.concat(found) if found else pl.DataFrame(schema=dict.fromkeys(kept, pl.String) | {"length_m": pl.Float64})
    made = rows.group_by("bundle", "fabric", "a_rack", "z_rack", maintain_order=True).agg(
        pl.col("cable").n_unique().cast(pl.Int64).alias("cables"),
        pl.col("part").drop_nulls().unique(maintain_order=True).str.join("; ").alias("parts"),
        pl.col("length_m").max(),
        pl.col("phase").last(),
    )
    pairs, kinds = rows.select("a_rack", "z_rack").unique().height, rows.select("part", "length_m").unique().height
    cables = int(made["cables"].sum())
    note = f"{cables:,} cables in {made.height:,} bundles between {pairs:,} pairs of racks; {kinds:,} kinds of cable by part and length"
    return Table("bundles", COLUMNS, made.height, lambda: _frames(made), note)


def _frames(made: "pl.DataFrame") -> "Iterator[pl.DataFrame]":
    yield made.select(c.name for c in COLUMNS)


def bundle_names(book: Book, join: Join) -> "pl.Series":
    """The bundle of every link, in the order of the bundle's columns."""
    import polars as pl

    whole = book.complete
    every = whole.columns(next(b for b in whole.design.bundles if b.name == join.name))
    a, b = (whole.devices(e.group) for e in join.ends)
    # sockets of the upper end are counted within each pair of racks
    seen = pl.DataFrame({"at": every.b, "port": every.b_port, "from": a.rack[a.row[every.a]], "to": b.rack[b.row[every.b]]})
    seen = seen.sort("at", "port").with_columns((pl.int_range(pl.len()).over("from", "to") // TOGETHER + 1).alias("n"))
    mine = book.columns(join)
    here = pl.DataFrame({"at": mine.b, "port": mine.b_port}).join(seen, on=["at", "port"], how="left", maintain_order="left")
    texts = [a.rack_label.gather(here["from"]), b.rack_label.gather(here["to"])]
    return pl.select(pl.concat_str(*texts, pl.lit(join.name.replace("/", "-")), here["n"].cast(pl.String), separator="/")).to_series()
