import csv
from dataclasses import replace
from io import StringIO

import pytest

from dcgen.analysis.model import Analysis
from dcgen.design.model import Design
from dcgen.parts import Switch
from dcgen.render.csv import Rows, write_tables
from dcgen.render.model import Story
from dcgen.tables import Column, Table
from tests.tables.example import rail_design

HOSTILE = ['=HYPERLINK("http://x","leaf1")', "+1-leaf", "@host", "-3", "\tx", 'a,"b"', "two\nlines", "Zürich-東京", "007", "1E5", "3-4"]


def _read(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode(), newline="")))


def _files(design: Design) -> dict[str, bytes]:
    return {a.path: a.bytes for a in write_tables(Story(Analysis(design, (), ())))}


def test_every_table_has_a_header_even_when_empty() -> None:
    files = _files(Design("empty", {}))
    assert {"bom.csv", "cables.csv", "failures.csv", "ports.csv", "racks.csv"} <= set(files)
    assert all(data.count(b"\n") == 1 for data in files.values())
    assert files["cables.csv"].startswith(b"cable,fabric,a_rack,a_unit,a_device,")


def test_hostile_text_is_harmless_and_comes_back() -> None:
    import polars as pl

    rows = _read(b"".join(Rows(Table("t", (Column("x"),), len(HOSTILE), lambda: iter([pl.DataFrame({"x": HOSTILE})])))))
    for typed, row in zip(HOSTILE, rows, strict=True):
        assert row["x"] == ("'" + typed if typed[0] in "=+-@\t" else typed)


def test_numbers_have_a_point_and_no_noise() -> None:
    import polars as pl

    table = Table(
        "t",
        (Column("n", "number"), Column("c", "count")),
        4,
        lambda: iter([pl.DataFrame({"n": [0.1 + 0.2, 3.0, None, 1e9], "c": [1, 2, None, 4]})]),
    )
    assert b"".join(Rows(table)) == b"n,c\n0.3,1\n3,2\n,\n1000000000,4\n"


def test_titles_of_parts_are_text_in_every_file() -> None:
    design = rail_design()
    part = {**design.parts["x144"].model_dump(by_alias=True), "title": '=1+1 <b>"x"</b>', "part_number": "00123456789012345678"}
    files = _files(replace(design, parts={**design.parts, "x144": Switch.model_validate(part)}))
    line = next(r for r in _read(files["bom.csv"]) if r["part"] == "x144")
    assert (line["description"], line["part_number"]) == ('\'=1+1 <b>"x"</b>', "00123456789012345678")


@pytest.mark.parametrize("name", ["bom.csv", "cables.csv", "ports.csv", "racks.csv"])
def test_same_design_same_bytes_and_readable_twice(name: str) -> None:
    artifact = next(a for a in write_tables(Story(Analysis(rail_design(), (), ()))) if a.path == name)
    assert artifact.bytes == artifact.bytes == _files(rail_design())[name]
    assert b"\r" not in artifact.bytes
