"""What is expected to fail: one line per class and part, with the spares that a lead time asks for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.analysis.failures import HOURS_A_YEAR, Exposure, exposures
from dcgen.design.model import Design, Upkeep
from dcgen.tables.book import Book, book_of
from dcgen.tables.model import Column, Table, schema

if TYPE_CHECKING:
    import polars as pl

COLUMNS = (
    Column("class"),
    Column("part"),
    Column("count", "count"),
    Column("failure_rate_fit", "number", "fit"),
    Column("estimate"),
    Column("failures_per_year", "number"),
    Column("down", "number"),
    Column("spares", "count"),
    Column("stop_a_job", "count"),
    Column("source"),
    Column("where"),
)

Cell = str | int | float | None


def failure_table(source: Design | Book) -> Table:
    """Expected failures of every class and part; what nobody knows the rate of has empty cells, and is no zero.

    `down` are those that wait for repair at a moment, `spares` the stock that lasts a lead time, `stop_a_job` those whose failure
    interrupts a job on everything.
    """
    design = book_of(source).design
    rows = [_row(e, design.upkeep) for e in exposures(design)]
    return Table("failures", COLUMNS, len(rows), lambda: _frames(rows))


def _row(e: Exposure, keep: Upkeep) -> dict[str, Cell]:
    waiting = e.unavailability(keep.repair_ns)
    known = e.rate_fit is not None
    return {
        "class": e.kind,
        "part": e.part,
        "count": e.count,
        "failure_rate_fit": e.rate_fit,
        "estimate": ("yes" if e.estimate else "no") if known else None,
        "failures_per_year": round(e.per_hour * HOURS_A_YEAR, 6) if known else None,
        "down": None if waiting is None else round(e.count * waiting, 6),
        "spares": e.spares(keep.lead_ns, keep.level),
        "stop_a_job": e.vital,
        "source": e.source or None,
        "where": e.where,
    }


def _frames(rows: list[dict[str, Cell]]) -> "Iterator[pl.DataFrame]":
    import polars as pl

    yield pl.DataFrame(rows, schema=schema(COLUMNS))
