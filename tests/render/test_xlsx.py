"""A workbook keeps text as text and numbers as numbers; the plain CSV needs no tricks for ordinary values."""

import csv
import zipfile
from io import BytesIO, StringIO
from typing import Any

import openpyxl
import polars as pl
import pytest

from dcgen.render import xlsx
from dcgen.render.csv import Rows
from dcgen.render.sheet import FORMS, written
from dcgen.render.xlsx import workbook
from dcgen.tables import Column, Table, bom_table
from tests.tables.example import rail_design

COLUMNS = (Column("text"), Column("count", "count"), Column("length_m", "number", "m"))
TEXTS = [
    "007", "1E5", "3-4", "00123456789012345678", "22.5", "2024-01-02", "May 22", "TRUE", "1/2", "#N/A", "Zürich-東京", " x ", 'a"b', "a,b;c",
    "http://example.org", "=1+1", "=HYPERLINK(\"http://x\",\"leaf1\")", "+1-leaf", "-1", "@host", "@SUM(A1)", "=cmd|'/c calc'!A1", "\ttab",
]  # fmt: skip


def table(texts: list[Any] = TEXTS) -> Table:
    frame = pl.DataFrame(
        {"text": texts, "count": list(range(len(texts))), "length_m": [n / 10 for n in range(len(texts))]},
        schema={"text": pl.String, "count": pl.Int64, "length_m": pl.Float64},
    )
    return Table("things", COLUMNS, len(texts), lambda: iter([frame]))


def read(content: bytes) -> Any:
    return openpyxl.load_workbook(BytesIO(content))


def test_every_text_reads_back_as_it_was_and_is_no_formula() -> None:
    sheet = read(b"".join(workbook([table()])))["things"]
    cells = [row[0] for row in sheet.iter_rows(min_row=2)]
    assert [c.value for c in cells] == TEXTS
    assert {c.data_type for c in cells} == {"s"}
    raw = zipfile.ZipFile(BytesIO(b"".join(workbook([table()])))).read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in raw


def test_numbers_are_numbers_and_the_unknown_is_empty() -> None:
    rows = [[c.value for c in row] for row in read(b"".join(workbook([table([None, "a"])])))["things"].iter_rows(min_row=2)]
    assert rows == [[None, 0, 0], ["a", 1, 0.1]]
    assert [type(v) for v in rows[1]] == [str, int, float]


def test_the_header_stays_in_sight_and_columns_fit() -> None:
    sheet = read(b"".join(workbook([table()])))["things"]
    assert [c.value for c in sheet[1]] == ["text", "count", "length_m"]
    assert sheet.freeze_panes == "B2"
    assert sheet.auto_filter.ref == f"A1:C{len(TEXTS) + 1}"
    assert sheet.column_dimensions["A"].width > 30 > sheet.column_dimensions["B"].width


def test_the_same_tables_give_the_same_bytes_and_no_clock() -> None:
    content = b"".join(workbook([table(), bom_table(rail_design())]))
    assert content == b"".join(workbook([table(), bom_table(rail_design())]))
    packed = zipfile.ZipFile(BytesIO(content))
    assert {info.date_time[0] for info in packed.infolist()} == {1980}
    assert b"2000-01-01T00:00:00Z" in packed.read("docProps/core.xml")


def test_a_table_longer_than_a_sheet_goes_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 11)
    book = read(b"".join(workbook([table()])))
    assert book.sheetnames == ["things", "things 2", "things 3"]
    cells = [row[0].value for name in book.sheetnames for row in book[name].iter_rows(min_row=2)]
    assert cells == TEXTS
    assert {book[n]["A1"].value for n in book.sheetnames} == {"text"}


def test_a_table_without_rows_is_its_header() -> None:
    sheet = read(b"".join(workbook([table([])])))["things"]
    assert [c.value for c in sheet[1]] == ["text", "count", "length_m"]
    assert sheet.max_row == 1


def test_a_text_too_long_for_a_cell_ends_in_dots() -> None:
    value = read(b"".join(workbook([table(["x" * 40_000])])))["things"]["A2"].value
    assert (len(value), value[-1]) == (32_767, "…")


def test_csv_reads_back_and_only_formulas_are_marked() -> None:
    rows = list(csv.reader(StringIO(b"".join(Rows(table())).decode(), newline="")))
    assert [r[0] for r in rows[1:]] == [f"'{t}" if t[0] in "=+-@\t\r" else t for t in TEXTS]
    assert [r[2] for r in rows[1:4]] == ["0", "0.1", "0.2"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_always_the_same(form: str) -> None:
    made = bom_table(rail_design())
    assert b"".join(written(made, form)) == b"".join(written(made, form)) != b""
