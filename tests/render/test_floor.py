"""The floor plan: every rack once, nothing over anything else, and the ways of a rail in words."""

import re

import pytest

from dcgen.design import Design
from dcgen.render.dot import drawings
from dcgen.render.floor import SINGLE, floor_views
from tests.design.test_hall import FULL, POD, ROOMS, design


@pytest.mark.parametrize("text", [f"{POD}hall: {{positions: 12}}", POD + ROOMS.replace("LENGTH", "80 m"), FULL.replace("WIDTH", "600 mm")])
def test_nothing_overlaps_and_every_rack_is_there(text: str) -> None:
    found = design(text)
    sheets = list(floor_views(found))
    assert found.hall
    assert len(sheets) == len({r.room for r in found.hall.rows})
    assert [d.overlapping() for d in sheets] == [[]] * len(sheets)
    racks = [b for d in sheets for b in d.boxes if b.lines and re.fullmatch(r"rack\d+", b.lines[-1])]
    assert len(racks) == sum(run.count for run in found.hall.runs)


def test_of_many_racks_neighbours_share_a_box() -> None:
    text = POD.replace("axes: {rack: 8}", f"axes: {{rack: {SINGLE + 20}}}") + "hall: {positions: 40}"
    (sheet,) = floor_views(
        design(text.replace("per: [rail, half=rack/4]", "per: [rail, block=rack/4]").replace(", spine: {part: q3400-ra}", ""))
    )
    assert any("racks" in line for b in sheet.boxes for line in b.lines)
    assert not sheet.overlapping()


def words(found: Design, name: str) -> str:
    return "\n".join(line for d in drawings(found) if d.name == name for b in d.boxes for line in b.lines)


def test_a_rail_says_how_long_its_cables_are() -> None:
    said = words(design(f"{POD}hall: {{positions: 12}}"), "rail-backend")
    assert "r0[0] to r0[4], way 7.666 m, ordered 10 m" in said
    assert "m, ordered" not in words(design(POD), "rail-backend")


def test_a_design_without_a_hall_has_no_floor_plan() -> None:
    assert list(floor_views(design(POD))) == []
