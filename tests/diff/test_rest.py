"""Parts, sections, effects, findings, thresholds, the patch, and the form for programs."""

import json
import re
from dataclasses import replace

import pytest

import dcgen
from dcgen.analysis import METRICS, Measure
from dcgen.analysis.better import HIGHER, LOWER, better
from dcgen.design import Design
from dcgen.design.save import dump
from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.diff import apply, compare, headline, reached, record, sections
from dcgen.diff.patch import DoesNotFit
from tests.diff.pods import POD, ROOT, analysed, changes, diff, edited, effect


def test_a_corrected_data_sheet_is_a_change_that_was_written() -> None:
    one = analysed(POD)
    part = one.design.parts["q3400-ra"]
    typical = part.power.typical_w
    assert typical is not None
    power = part.power.model_copy(update={"typical_w": typical.model_copy(update={"value": 3000.0})})
    parts = one.design.parts | {"q3400-ra": part.model_copy(update={"power": power})}
    other = dcgen.analyse(replace(one.design, parts=parts), quick=True)
    found = compare(one, other)
    (told,) = found.changes
    assert (told.sign, told.kind, told.subject, told.count, told.written) == ("~", "part", "q3400-ra", 24, True)
    assert [(f.name, f.after) for f in told.fields] == [("power.typical.value", "3000")]
    assert effect(found, "power_typical").delta == 24 * (3000.0 - typical.value)


def test_every_section_of_a_design_is_compared() -> None:
    found = diff(("require:", "have: {q3400-ra: 8}\nphases: {first: ['compute[su=0]']}\nrequire:"))
    assert changes(found, "have") == [("+", "q3400-ra", 0)]
    assert changes(found, "phases") == [("+", "first", 0)]
    assert [(b.part, b.order_before, b.order_after) for b in found.bom] == [("q3400-ra", 24, 16)]


def test_the_order_of_what_is_owned_is_no_change() -> None:
    one, other = (
        analysed(edited(("require:", f"have: {{{stock}}}\nrequire:"))) for stock in ("q3400-ra: 8, sn2201: 1", "sn2201: 1, q3400-ra: 8")
    )
    assert compare(one, other).empty


def test_noise_below_the_printed_precision_is_no_change() -> None:
    one = analysed(POD)
    noisy = tuple(replace(m, value=m.value * (1 + 1e-12) if isinstance(m.value, float) else m.value) for m in one.measures)
    small = tuple(replace(m, value=-0.0) if m.measure == "power_max" else m for m in one.measures)
    assert compare(one, replace(one, measures=noisy)).empty
    found = effect(compare(one, replace(one, measures=small)), "power_max")
    assert (str(found.after), found.direction) == ("0", "better")


@pytest.mark.parametrize(
    ("before", "after", "direction"),
    [
        ((100.0, 0), (90.0, 0), "better"),
        ((100.0, 0), (110.0, 2), "worse"),
        ((100.0, 2), (110.0, 2), "worse"),
        ((100.0, 2), (110.0, 0), "different"),
        ((100.0, 0), (90.0, 2), "different"),
        ((100.0, 0), (100.0, 2), "different"),
        ((100.0, 2), (100.0, 3), "same"),
    ],
)
def test_what_is_unknown_is_not_called_better(before: tuple[float, int], after: tuple[float, int], direction: str) -> None:
    one = analysed(POD)
    sides = [replace(one, measures=(Measure("power_max", "site", watts, "w", "", unknown),)) for watts, unknown in (before, after)]
    assert effect(compare(*sides), "power_max").direction == direction


def test_a_new_measure_appears_by_itself() -> None:
    one = analysed(POD)
    more = replace(one, measures=(*one.measures, Measure("brand_new", "site", 3, "1", "counted")))
    found = effect(compare(one, more), "brand_new")
    assert (found.before, found.after, found.direction) == (None, 3, "different")
    assert not compare(one, more).empty


def test_the_directions_are_of_measures_that_there_are() -> None:
    known = {m.measure for text in (POD,) for m in analysed(text, quick=False).measures} | {
        "cost",
        "collective_time",
        "bus_bandwidth",
        "throughput",
    }
    assert METRICS
    assert [w for w in (*HIGHER, *LOWER) if not any(f"{m}_".startswith(f"{w}_") for m in known)] == []
    assert (better("power_max_optics"), better("bisection"), better("gpus"), better("powers")) == ("lower", "higher", "", "")


def test_findings_are_told_apart_by_what_they_are_about() -> None:
    one = analysed(POD)
    said = Diagnostic("idle-switch", "a switch has nothing", subject="backend/leaf")
    more = replace(one, findings=(*one.findings, said))
    assert compare(one, more).new == (said,)
    assert compare(more, one).gone == (said,)
    reworded = replace(one, findings=(*one.findings, replace(said, what="a switch still has nothing")))
    assert compare(more, reworded).empty


def test_the_patch_leads_from_one_to_the_other() -> None:
    one, other = analysed(POD), analysed(edited(("default: 2", "default: 3"), ("half=rack/4", "half=rack/8")))
    found = compare(one, other)
    assert apply(found.patch, one.design) == other.design
    assert dump(apply(found.patch, one.design)) == dump(other.design)
    with pytest.raises(DoesNotFit):
        apply(found.patch, other.design)


def test_the_form_for_programs() -> None:
    found = diff(("default: 2", "default: 3"))
    text = json.dumps(record(found))
    data = json.loads(text)
    assert (data["format"], data["empty"], data["before"], data["after"]) == (1, False, "pod", "pod")
    assert data["headline"] == headline(found)
    assert {"changes", "devices", "cables", "effects", "requirements", "findings_new", "findings_gone", "bom", "notes"} <= set(data)
    assert not re.search(r"-0(\.0+)?[,}\]\s]", text)
    (leaf,) = [c for c in data["cables"] if c["bundle"] == "backend/compute-fabric-leaf"]
    assert (leaf["pulled"], leaf["removed"], leaf["kept"]) == (576, 0, 1152)
    assert all(set(c) == set(data["changes"][0]) for c in data["changes"])


@pytest.mark.parametrize(
    ("condition", "met"),
    [
        ("pulled >= 1152", True),
        ("pulled > 1152", False),
        ("repatched >= 10", True),
        ("removed >= 1", False),
        ("devices_added > 300", True),
        ("power_max > 1 MW", True),
        ("power_max > 2 MW", False),
        ("links(backend) >= 1152", True),
        ("gpus >= 576", True),
        ("broken >= 1", False),
        ("worse < 1000", True),
    ],
)
def test_thresholds(condition: str, met: bool) -> None:
    two, three = analysed(POD), analysed(POD, su=3)
    assert reached(compare(two, three), condition) is met
    if not condition.startswith(("pulled", "removed", "devices", "worse")):
        assert reached(compare(three, two), condition) is met, "which way it moves makes no difference"


@pytest.mark.parametrize("condition", ["pulled", "pulled => 3", "puled >= 3", "power_max > 3", "pulled > 3 W", "pulled > x"])
def test_thresholds_that_say_nothing(condition: str) -> None:
    with pytest.raises(Rejected) as refused:
        reached(diff(("default: 2", "default: 3")), condition)
    assert [d.code for d in refused.value.diagnostics] == ["bad-threshold"]


def test_removals_come_before_additions() -> None:
    found = diff(("half=rack/4", "half=rack/8"), ("axes: {su: $su", "axes: {su: 3"))
    signs = [c.sign for c in found.changes]
    assert signs == sorted(signs, key="-+~>".index)
    assert {"-", "+", "~"} <= set(signs)
    assert sections(found)[0][2][0][0] == "-"


def test_a_saved_design_says_what_its_blueprint_says() -> None:
    one = analysed(POD)
    again = dcgen.analyse(_again(one.design), quick=True)
    assert compare(one, again).empty
    assert not compare(one, again).patch


def _again(design: Design) -> Design:
    from dcgen.design.save import load

    return load(dump(design))


def test_every_shipped_blueprint_is_the_same_as_itself_and_another_than_the_others() -> None:
    made = [dcgen.analyse(dcgen.lay_out(dcgen.parse(dcgen.read(f))), quick=True) for f in sorted((ROOT / "blueprints").glob("*.yaml"))]
    for one, other in zip(made, made[1:], strict=False):
        assert compare(one, one).empty
        found = compare(one, other)
        assert not found.empty
        assert apply(found.patch, one.design) == other.design
        for c in found.cables:
            assert min(c.kept, c.pulled, c.removed, c.stay) >= 0
        for d in found.devices:
            assert min(d.added, d.removed, d.kept) >= 0
        assert headline(found).count(";") >= 2


HALL = ("racks:", "hall: {rows: 6, positions: 12}\nracks:")


def test_in_a_hall_racks_and_lengths_of_cables_move() -> None:
    hall = edited(HALL)
    found = diff(("positions: 12", "positions: 14"), text=hall)
    placed = {c.subject: c.count for c in found.changes if c.kind == "placement"}
    assert placed["compute/rack"] > 0
    below = next(c for c in found.cables if c.bundle == "backend/compute-fabric-leaf")
    assert (below.pulled, below.removed) == (0, 0)
    assert below.kept + below.lengthened == 1152
    assert below.lengthened > 0
    assert sum(b.after - b.before for b in found.bom) == 0


def test_a_hall_that_fills_with_what_is_added_follows() -> None:
    found = diff(("default: 2", "default: 3"), text=edited(HALL))
    (hall,) = [c for c in found.changes if c.kind == "hall"]
    assert (hall.written, hall.why) == (False, "follows from racks.compute.axes.su: 2 → 3")
