"""The cut list: cables by type, colour and length, as they are bought."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.extras import owners
from dcgen.analysis.inventory import inventory
from dcgen.naming import natural
from dcgen.parts import Cable
from dcgen.tables.bom import part_number
from dcgen.tables.book import Book
from dcgen.tables.model import Column, Table, schema

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("part"),
    Column("part_number"),
    Column("medium"),
    Column("description"),
    Column("colour"),
    Column("length_m", "number", "m"),
    Column("quantity", "count"),
    Column("total_m", "number", "m"),
    Column("where"),
)


def cut_table(book: Book) -> Table:
    """One row for each part, colour and length, in that order; the colour is the one chosen for the fabric. Spares are not in it."""
    design = book.design
    found: dict[tuple[str, str | None, float | None], list[tuple[int, str]]] = {}
    for item in (i for i in inventory(design) if i.role == "cable"):
        colour = design.labels.colours.get(owners(design, item)[0])
        found.setdefault((item.part, colour, item.length_m), []).append((item.quantity, item.where))
    rows: list[dict[str, object]] = []
    for (name, colour, length_m), items in sorted(found.items(), key=lambda x: (natural(x[0][0]), x[0][1] or "", x[0][2] or 0)):
        part, number = design.parts[name], sum(n for n, _ in items)
        assert isinstance(part, Cable)
        rows.append(
            {
                "part": name,
                "part_number": part_number(part, length_m),
                "medium": part.medium,
                "description": part.title,
                "colour": colour,
                "length_m": length_m,
                "quantity": number,
                "total_m": number * length_m if length_m else None,
                "where": "; ".join(where for _, where in items),
            }
        )
    return Table("cuts", COLUMNS, len(rows), lambda: _frames(rows))


def _frames(rows: list[dict[str, object]]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))
