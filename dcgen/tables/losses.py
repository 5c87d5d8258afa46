"""What a single loss costs: one row for each class of alike devices and links of every fabric."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.flow.survey import LossRow
from dcgen.analysis.flow.surveys import Surveyed
from dcgen.analysis.flow.wording import binding
from dcgen.design.model import Design
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import Column, Table, schema

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("fabric"),
    Column("scale_up"),
    Column("lost"),
    Column("place"),
    Column("count", "count"),
    Column("throughput_gbps", "number", "gbps"),
    Column("share", "number"),
    Column("others_share", "number"),
    Column("total_share", "number"),
    Column("status"),
    Column("binding"),
    Column("why"),
)

Cell = str | int | float | None


def loss_table(source: Design | Book) -> Table:
    """Throughput of all to all after every single loss: of all, of those that lost no link of their own, and what gets through in all.

    A fabric too irregular for classes has one row that says what to ask instead.
    """
    book = book_of(source)
    rows = [row for found in book.surveys for row in _rows(found)]
    return Table("losses", COLUMNS, len(rows), lambda: _frames(rows))


def _rows(found: Surveyed) -> Iterator[dict[str, Cell]]:
    if not found.rows:
        yield _made(found) | {"why": found.why or None}
    for row in found.rows:
        yield _made(found) | _lost(row)


def _made(found: Surveyed) -> dict[str, Cell]:
    empty: dict[str, Cell] = dict.fromkeys(c.name for c in COLUMNS)
    return empty | {"fabric": found.fabric, "scale_up": found.scale_up}


def _lost(row: LossRow) -> dict[str, Cell]:
    """The figures of one class; shares are of the intact fabric."""
    return {
        "lost": row.kind,
        "place": row.place if row.place != row.kind else None,
        "count": row.count,
        "throughput_gbps": row.after.value,
        "share": round(row.share, 6),
        "others_share": None if row.others_share is None else round(row.others_share, 6),
        "total_share": None if row.total_share is None else round(row.total_share, 6),
        "status": row.after.status,
        "binding": next(binding(row.after, 1), None),
        "why": row.after.why or None,
    }


def _frames(rows: list[dict[str, Cell]]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))
