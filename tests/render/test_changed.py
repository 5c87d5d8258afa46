"""Pictures of change: what is new, gone and changed is told by borders and words, on a sheet where nothing covers anything."""

from pathlib import Path

import pytest

import dcgen
from dcgen.analysis import Analysis
from dcgen.diff import compare
from dcgen.render.changed import changed_fabrics
from dcgen.render.drawing import Box, Drawing
from dcgen.render.review import Review
from dcgen.render.review_files import pictures
from dcgen.source import parse_text

CASES = Path(__file__).parents[1] / "cases" / "review"
STORAGE = """  storage:
    kind: collapsed
    switch: {part: qm9700}
    attach: {hosts: {serves: compute.storage}}
"""


def analysed(text: str) -> Analysis:
    return dcgen.analyse(dcgen.lay_out(dcgen.parse(parse_text(text, "pod.yaml"))), quick=True)


def sides(case: str) -> tuple[Analysis, Analysis]:
    before, after = (analysed((CASES / case / f"{side}.yaml").read_text(encoding="utf-8")) for side in ("before", "after"))
    return before, after


def drawn(before: Analysis, after: Analysis) -> dict[str, Drawing]:
    return {d.name: d for d in changed_fabrics(before.design, after.design, compare(before, after))}


def box(drawing: Drawing, words: str) -> Box:
    [found] = [b for b in drawing.boxes if any(words in line for line in b.lines) and dict(b.style).get("peripheries") != "0"]
    return found


def style(drawing: Drawing, words: str) -> tuple[str, str]:
    found = dict(box(drawing, words).style)
    return found["style"], found["penwidth"]


@pytest.mark.parametrize("case", sorted(p.name for p in CASES.iterdir() if p.is_dir()))
def test_nothing_covers_anything(case: str) -> None:
    for drawing in drawn(*sides(case)).values():
        assert drawing.overlapping() == []


def test_a_change_is_rounded_and_says_from_how_many_to_how_many() -> None:
    drawing = drawn(*sides("change-oversubscription"))["change-backend"]
    assert style(drawing, "SPINE") == ("filled,rounded", "1.3")
    assert box(drawing, "SPINE").lines[0] == "~ CHANGED: 16 → 8 (-8)"
    assert style(drawing, "LEAF") == ("filled", "1.3"), "what stays as it is has a thin border"
    assert any("~ 1,024 → 512 × 400G (-512)" in b.lines and "remove 512, re-patch 256" in b.lines for b in drawing.boxes)


def test_another_part_is_named_with_both() -> None:
    drawing = drawn(*sides("spines-to-cpo"))["change-backend"]
    assert box(drawing, "SPINE").lines[:2] == ("~ CHANGED", "replace 8: q3400-ra → q3450-ld")


def test_what_is_new_is_thick_and_what_is_gone_is_dashed() -> None:
    text = (CASES / "change-oversubscription" / "before.yaml").read_text(encoding="utf-8")
    less, more = analysed(text), analysed(text.replace("fabrics:\n", f"fabrics:\n{STORAGE}"))
    new, gone = drawn(less, more)["change-storage"], drawn(more, less)["change-storage"]
    name = "storage/switch"
    assert (style(new, name), box(new, name).lines[0]) == (("filled", "4"), "+ NEW: 2")
    assert (style(gone, name), box(gone, name).lines[0]) == (("filled,dashed", "1.3"), "− GONE: 2")
    assert {dict(look).get("style", "") for _, _, look in gone.lines} == {"dashed"}
    assert {dict(look)["penwidth"] for _, _, look in new.lines} == {"4"}
    assert any(line.startswith("+ NEW: 256 ×") for b in new.boxes for line in b.lines)


def test_a_fabric_in_which_nothing_changes_is_not_drawn() -> None:
    assert drawn(*sides("reorder-the-file")) == {}
    assert set(drawn(*sides("take-a-tray-out"))) == {"change-backend", "change-compute-scale-up"}
    assert set(drawn(*sides("spines-to-cpo"))) == {"change-backend"}


def test_a_picture_has_the_same_bytes_every_time() -> None:
    before, after = sides("add-an-su")
    review = Review("pod", compare(before, after), before, after)
    one, other = ([(name, b"".join(chunks)) for name, chunks in pictures(review, [])] for _ in range(2))
    assert one == other
    assert [name for name, _ in one] == ["pod-compute-scale-up", "pod-backend"]
    assert all(content.startswith(b"<?xml") for _, content in one)
