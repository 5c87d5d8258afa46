from dataclasses import replace
from typing import Any

import pytest

from dcgen.analysis.inventory import inventory
from dcgen.design.model import Design, Media
from dcgen.parts import Optic, Rack
from dcgen.tables import bom, bom_table, cable_table
from dcgen.tables.bom import COLUMNS, KEY
from tests.tables.example import dual_plane, rail_design


def _lines(design: Design) -> dict[tuple[Any, ...], dict[str, Any]]:
    rows = list(bom_table(design).frame().iter_rows(named=True))
    return {(r["part"], r["length_m"]): r for r in rows}


def test_columns_come_in_the_order_that_buyers_know() -> None:
    first = "part part_number kind maker description quantity unit unit_power_max_w unit_price_usd estimate where"
    assert " ".join(c.name for c in COLUMNS).startswith(first)


def test_cables_of_the_bill_are_the_rows_of_the_plan() -> None:
    design = rail_design(4, ("compute/tray[su=0,rack=5,tray=17]",))
    planned = cable_table(design).frame().group_by("part", "length_m").len().rows()
    bought = [(r["part"], r["length_m"], r["quantity"]) for r in _lines(design).values() if r["kind"] == "cable"]
    assert sorted(planned) == sorted(bought)


def test_quantity_times_power_is_the_power_of_the_design() -> None:
    design = rail_design()
    total = sum(i.quantity * (i.body_max_w or 0) for i in inventory(design))
    lines = _lines(design).values()
    assert sum(r["quantity"] * (r["unit_power_max_w"] or 0) for r in lines) == total
    assert _lines(design)["rack-72", None]["unit_power_max_w"] == 142_000 - 18 * 6600 - 9 * 400


def test_what_comes_in_a_priced_rack_has_no_price_of_its_own() -> None:
    lines = _lines(rail_design())
    assert (lines["rack-72", None]["bought"], lines["rack-72", None]["unit_price_usd"]) == ("whole", 4_000_000)
    assert (lines["tray-4", None]["bought"], lines["tray-4", None]["unit_price_usd"]) == ("in rack-72", None)
    assert lines["x144", None]["bought"] == "separate"


def test_a_part_number_of_a_cable_is_that_of_its_length() -> None:
    lines = _lines(rail_design())
    assert (lines["fibre", 10.0]["part_number"], lines["copper", 2.0]["part_number"]) == ("C-10", "C-2")
    design = rail_design()
    odd = replace(design.bundles[1], media=(replace(design.bundles[1].longest or Media("fibre"), length_m=7.0),))
    assert _lines(replace(design, bundles=(design.bundles[0], odd)))["fibre", 7.0]["part_number"] is None


def test_equal_text_is_no_reason_to_merge() -> None:
    design = rail_design()
    twin = {**design.parts["optic-2x800"].model_dump(by_alias=True), "part": "optic-b", "part_number": "B-10"}
    media = Media("fibre", "fibre", ("optic-2x800", "optic-b"), 10.0)
    bundles = (design.bundles[0], replace(design.bundles[1], media=(media,)))
    lines = _lines(replace(design, bundles=bundles, parts={**design.parts, "optic-b": Optic.model_validate(twin)}))
    assert (lines["optic-2x800", None]["quantity"], lines["optic-b", None]["quantity"]) == (288, 288)
    assert "part_number" in KEY


def test_one_line_says_every_place_it_goes_to() -> None:
    line = _lines(rail_design())["x144", None]
    assert (line["quantity"], line["where"]) == (12, "backend/leaf; backend/spine")


def test_unknown_is_empty_and_an_estimate_is_marked() -> None:
    lines = _lines(dual_plane())
    assert (lines["server-8", None]["unit_power_max_w"], lines["server-8", None]["estimate"]) == (None, None)
    assert lines["x144", None]["estimate"] == "yes"


def test_lines_stand_in_order_of_kind_then_part_then_length() -> None:
    frame = bom_table(rail_design()).frame()
    assert frame["part"].to_list() == ["rack-72", "tray-4", "nv-tray", "shelf-33", "x144", "optic-2x800", "copper", "fibre"]


def test_a_figure_that_a_rack_does_not_publish_leaves_its_cell_empty() -> None:
    design = rail_design()
    line = _lines(design)["rack-72", None]
    (shell,) = (i for i in inventory(design) if i.role == "rack")
    assert line["unit_power_typical_w"] == shell.body_typical_w
    assert "less those of its contents" in str(line["description"])
    power = {"max": {"value": 142_000.0}, "typical": {"value": 120_000.0}}
    raw = design.parts["rack-72"].model_dump(by_alias=True)
    both = replace(design, parts={**design.parts, "rack-72": Rack.model_validate({**raw, "power": power})})
    assert _lines(both)["rack-72", None]["unit_power_typical_w"] == 120_000


def test_an_unknown_remainder_is_an_empty_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    unknown = [replace(i, body_typical_w=None) for i in inventory(rail_design())]
    monkeypatch.setattr(bom, "inventory", lambda design: iter(unknown))
    assert _lines(rail_design())["rack-72", None]["unit_power_typical_w"] is None
