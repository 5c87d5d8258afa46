"""What must be ordered first: the lines to order by lead time."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from dcgen.analysis.inventory import inventory
from dcgen.analysis.shares import phases, shares
from dcgen.design.model import Design
from dcgen.tables.bom import bom_lines, lines
from dcgen.tables.book import Book
from dcgen.tables.model import Column, Table, schema
from dcgen.tables.orders import Line

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("part"),
    Column("part_number"),
    Column("kind"),
    Column("description"),
    Column("length_m", "number", "m"),
    Column("to_order", "number"),
    Column("lead_time_weeks", "number"),
    Column("lead_time_basis"),
    Column("first_phase"),
    Column("where"),
)


def lead_time_table(book: Book) -> Table:
    """The lines of the bill that are ordered, the longest lead time first; those of which it is not known stand behind them."""
    design = book.design
    first = _first_phases(design) if design.phases else {}
    found = [line for line in bom_lines(design) if line["to_order"]]
    found.sort(key=lambda x: (x["lead_time_weeks"] is None, -(x["lead_time_weeks"] or 0)))
    rows = [{c.name: line.get(c.name) for c in COLUMNS} | {"first_phase": first.get(line["part"])} for line in found]
    bare = sum(r["lead_time_weeks"] is None for r in rows)
    return Table("lead-times", COLUMNS, len(rows), lambda: _frames(rows), f"{bare} of {len(rows)} lines have no known lead time")


def _first_phases(design: Design) -> dict[str, str]:
    """Part -> the first phase that needs it."""
    out: dict[str, str] = {}
    for name, counted in shares(design, phases(design), _parts):
        for part in counted:
            out.setdefault(part, name or "before the first")
    return out


def _parts(design: Design) -> dict[str, Fraction]:
    return {line["part"]: line["quantity"] for line in lines(design, list(inventory(design))).values()}


def _frames(rows: list[Line]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))
