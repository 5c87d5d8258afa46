"""Tables as one workbook: text stays text, numbers are numbers, and the same tables give the same bytes."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from dcgen.tables import Column, Table

if TYPE_CHECKING:
    import polars as pl

DATE = datetime(2000, 1, 1)  # a workbook has a date; no clock is asked for it
MOST_ROWS = 1_048_576
"""Rows that a sheet can have, the header included; a longer table goes on in the next sheet."""
MOST_SIGNS = 32_767
"""Characters that a cell can hold."""
WIDEST = 60
PIECE = 1 << 20


def workbook(tables: Iterable[Table]) -> Iterator[bytes]:
    """A workbook with a sheet for each table.

    Every text is written as text, so that no cell is ever a formula, a date or a rounded number; an unknown figure is an empty cell.
    """
    import xlsxwriter

    out = BytesIO()
    book = xlsxwriter.Workbook(out, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"created": DATE})
    bold = book.add_format({"bold": True, "bottom": 1})
    for table in tables:
        _fill(book, bold, table)
    book.close()
    content = out.getbuffer()
    for start in range(0, len(content), PIECE):
        yield bytes(content[start : start + PIECE])


def _fill(book: Any, bold: Any, table: Table) -> None:
    """The rows of a table, in as many sheets as they need."""
    here, row, number = None, MOST_ROWS, 0
    for frame in _frames(table):
        for cells in frame.iter_rows():
            if row >= MOST_ROWS:
                number += 1
                here, row = _sheet(book, bold, table, number, frame), 1
            _write(here, row, table.columns, cells)
            row += 1
    if here is None:
        _sheet(book, bold, table, 1, None)


def _frames(table: Table) -> "Iterator[pl.DataFrame]":
    return (frame.select(c.name for c in table.columns) for frame in table.chunks())


def _sheet(book: Any, bold: Any, table: Table, number: int, frame: "pl.DataFrame | None") -> Any:
    """A sheet with its header, which stays in sight, and columns as wide as the first rows ask for."""
    here = book.add_worksheet(table.name if number == 1 else f"{table.name} {number}")
    here.freeze_panes(1, 1)
    for at, column in enumerate(table.columns):
        texts = [] if frame is None else [str(v) for v in frame[column.name].head(200).drop_nulls().to_list()]
        here.set_column(at, at, min(WIDEST, max(map(len, (column.name, *texts))) + 2))
        here.write_string(0, at, column.name, bold)
    rows = min(table.rows - (number - 1) * (MOST_ROWS - 1), MOST_ROWS - 1)
    here.autofilter(0, 0, max(rows, 1), len(table.columns) - 1)
    return here


def _write(here: Any, row: int, columns: Sequence[Column], cells: tuple[Any, ...]) -> None:
    for at, (column, value) in enumerate(zip(columns, cells, strict=True)):
        if value is None:
            continue
        if column.kind == "text":
            text = str(value)
            here.write_string(row, at, text if len(text) <= MOST_SIGNS else text[: MOST_SIGNS - 1] + "…")
        else:
            here.write_number(row, at, round(value, 6))
