"""`dcgen table` and `dcgen build --xlsx`, with the whole house behind them."""

import csv
import hashlib
from io import BytesIO, StringIO
from pathlib import Path

import openpyxl
import polars as pl
import pytest

from dcgen.cli import run

BLUEPRINT = """
dcgen: 1
name: pod
racks:
  compute: {part: gb300-nvl72, axes: {rack: 4}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [rail]}
    spine: {part: q3400-ra}
phases: {first: 'compute[rack=0]', rest: [backend, 'compute[rack=1..3]']}
"""


@pytest.fixture
def pod(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pod.yaml"
    file.write_text(BLUEPRINT.lstrip(), encoding="utf-8")
    return file


def test_rows_are_on_standard_output_and_their_number_beside_it(pod: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["table", "pod.yaml", "cables", "--columns", "a_device, a_port,length_m", "--rack", "compute-rack-rack2"]) == 0
    out, err = (text.decode() for text in capfdbinary.readouterr())
    rows = list(csv.DictReader(StringIO(out)))
    assert len(rows) == 72
    assert rows[0] == {"a_device": "compute-tray-rack2-tray0", "a_port": "nic1", "length_m": "30"}
    assert err == "dcgen: 72 rows\n"


def test_an_unknown_column_is_a_wrong_call_with_the_list(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "pod.yaml", "cables", "--columns", "a_device,a_slot"]) == 2
    err = capsys.readouterr().err
    assert "error[unknown-column]: `cables` has no column `a_slot`" in err
    assert "its columns are cable, fabric, a_rack, a_unit" in err


@pytest.mark.parametrize(
    "words",
    [
        ["cabels"],
        ["cables", "--rack", "nowhere"],
        ["cables", "--phase", "second"],
        ["bom", "--by", "moon"],
        ["bom", "--format", "xlsx"],
        ["bom", "--format", "parquet"],
        ["bom", "-o", "no/such/folder/bom.csv"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_refused_and_leaves_nothing(pod: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["table", "pod.yaml", *words]) == 2
    assert capsys.readouterr().err
    assert [p.name for p in pod.parent.iterdir()] == ["pod.yaml"]


def test_the_name_of_the_file_says_its_form(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("labels.csv", "labels.md", "labels.parquet", "labels.xlsx"):
        assert run(["table", "pod.yaml", "labels", "-o", name]) == 0
        assert capsys.readouterr().err == f"dcgen: 1,152 rows in {name}\n"
    here = pod.parent
    rows = list(csv.DictReader(StringIO((here / "labels.csv").read_text(encoding="utf-8"))))
    frame = pl.read_parquet(here / "labels.parquet")
    sheet = openpyxl.load_workbook(here / "labels.xlsx", read_only=True)["labels"]
    marked = (here / "labels.md").read_text(encoding="utf-8").splitlines()
    assert len(rows) == frame.height == len(list(sheet.iter_rows())) - 1 == len(marked) - 2 == 1152
    assert [r["label"] for r in rows] == frame["label"].to_list() == [r[0].value for r in sheet.iter_rows(min_row=2)]
    assert [p.name for p in here.iterdir() if p.name.startswith(".")] == []


def test_shares_by_phase(pod: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["table", "pod.yaml", "bom", "--by", "phase", "--columns", "phase,part,quantity"]) == 0
    rows = list(csv.DictReader(StringIO(capfdbinary.readouterr().out.decode())))
    racks = {r["phase"]: r["quantity"] for r in rows if r["part"] == "gb300-nvl72"}
    assert racks == {"first": "1", "rest": "3"}


def test_the_workbook_comes_when_it_is_asked_for_and_is_always_the_same(pod: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["build", "pod.yaml"]) == 0
    assert not (pod.parent / "output" / "pod" / "pod.xlsx").exists()
    digests = set()
    for _ in range(2):
        assert run(["build", "pod.yaml", "--xlsx"]) == 0
        digests.add(hashlib.sha256((pod.parent / "output" / "pod" / "pod.xlsx").read_bytes()).hexdigest())
    assert len(digests) == 1
    assert run(["build", "pod.yaml", "--xlsx", "--check"]) == 0
    assert run(["build", "pod.yaml", "--check"]) == 3, "the workbook is not made any more"
    capsys.readouterr()
    book = openpyxl.load_workbook(BytesIO((pod.parent / "output" / "pod" / "pod.xlsx").read_bytes()))
    assert book.sheetnames[:2] == ["bom", "cables"]
    assert {"ports", "racks"} <= set(book.sheetnames)
    assert book["cables"].max_row == 1 + 576
    assert book["cables"].freeze_panes == "B2"
