"""Edits that people make, and what the comparison says of each."""

import pytest

from dcgen.diff import compare, headline
from tests.diff.pods import POD, analysed, cables, change, changes, devices, diff, edited, effect

LEAF, SPINE = "backend/compute-fabric-leaf", "backend/leaf-spine"


def test_one_more_unit_is_one_region_of_each_group() -> None:
    found = diff(("default: 2", "default: 3"))
    assert changes(found, "devices") == [
        ("+", "backend/leaf[su=2]", 8),
        ("+", "backend/spine[spine=8..11]", 4),
        ("+", "compute/rack[su=2]", 8),
    ]
    assert [c.subject for c in found.changes if c.within == "compute/rack[su=2]"] == [
        f"compute/{what}[su=2]" for what in ("mgmt", "shelf", "switch-tray", "tray")
    ]
    nodes = cables(found, LEAF)
    assert (nodes.before, nodes.after, nodes.kept, nodes.pulled, nodes.removed) == (1152, 1728, 1152, 576, 0)
    up = cables(found, SPINE)
    assert (up.before, up.after, up.kept, up.repatched, up.pulled, up.removed) == (1152, 1728, 384, 768, 576, 0)


def test_what_was_written_and_what_follows() -> None:
    found = diff(("default: 2", "default: 3"))
    assert change(found, "compute/rack[su=2]").written
    leaf = change(found, "backend/leaf[su=2]")
    assert (leaf.written, leaf.why) == (False, "follows from racks.compute.axes.su: 2 → 3")
    assert change(found, "su").written


def test_adding_and_taking_away_mirror_each_other() -> None:
    two, three = analysed(POD), analysed(POD, su=3)
    there, back = compare(two, three), compare(three, two)
    turned = [({"+": "-", "-": "+"}.get(s, s), subject, n) for s, subject, n in changes(there, "devices", whole=True)]
    assert sorted(turned) == sorted(changes(back, "devices", whole=True))
    for one, other in zip(there.cables, back.cables, strict=True):
        assert (one.pulled, one.removed, one.kept, one.repatched) == (other.removed, other.pulled, other.kept, other.repatched)
    assert effect(there, "power_max").direction == "worse"
    assert effect(back, "power_max").direction == "better"


def test_another_switch_replaces_devices_and_optics_and_moves_nothing() -> None:
    found = diff(("spine: {part: q3400-ra}", "spine: {part: q3450-ld}"))
    assert changes(found, "devices") == [("~", "backend/spine", 8)]
    assert [(f.before, f.after) for f in change(found, "backend/spine").fields] == [("q3400-ra", "q3450-ld")]
    assert (devices(found, "backend/spine").kept, devices(found, "backend/spine").replaced) == (8, 8)
    assert (cables(found, SPINE).replaced, cables(found, SPINE).pulled, cables(found, LEAF).kept) == (1152, 0, 1152)
    assert {b.part: b.after - b.before for b in found.bom}["mms4a00-xm"] == -576


def test_a_tray_taken_out_is_one_device() -> None:
    found = diff(("rack: 8}}", "rack: 8}, absent: ['compute/tray[su=0,rack=3,tray=5]']}"))
    assert changes(found) == [("-", "compute/tray[su=0,rack=3,tray=5]", 1)]
    assert (cables(found, LEAF).removed, cables(found, LEAF).kept, cables(found, SPINE).kept) == (4, 1148, 1152)


def test_a_rack_taken_out_takes_its_contents_along() -> None:
    found = diff(("rack: 8}}", "rack: 8}, absent: ['compute[su=1,rack=3]']}"))
    assert changes(found) == [("-", "compute/rack[su=1,rack=3]", 1)]
    assert len(changes(found, whole=True)) == 5
    assert cables(found, LEAF).removed == 72


def test_oversubscription_takes_half_the_spines() -> None:
    found = diff(("    spine:", "    oversubscription: 2\n    spine:"), ("<= 1", "<= 2"))
    assert changes(found, "devices") == [("-", "backend/spine[spine=4..7]", 4)]
    assert change(found, "backend/spine[spine=4..7]").why == "follows from fabrics.backend.oversubscription: 2, which is new"
    assert [(v.word, v.was) for v in found.verdicts] == [("changed", "oversubscription(backend) <= 1")]
    assert effect(found, "oversubscription", "backend/leaf").direction == "worse"


def test_a_raised_requirement_breaks() -> None:
    found = diff(("<= 1]", "<= 1, bisection(backend) >= 1000 Tb/s]"))
    assert [(v.word, v.text) for v in found.verdicts if v.word != "same"] == [("broken", "bisection(backend) >= 1000 Tb/s")]
    assert "1 requirement broken: `bisection(backend) >= 1000 Tb/s`" in headline(found)
    (broken,) = [v for v in found.verdicts if v.word == "broken"]
    assert broken.what.endswith("460.8 Tb/s")


def test_a_broken_requirement_that_is_mended() -> None:
    narrow = edited(("<= 1]", "<= 0.5]"))
    found = compare(analysed(narrow), analysed(POD))
    assert [(v.word, v.before, v.after) for v in found.verdicts] == [("mended", "broken", "holds")]


def test_another_length_is_no_other_cable() -> None:
    found = diff(("spine: {part", "spine: {length: 20 m, part"))
    assert (cables(found, SPINE).lengthened, cables(found, SPINE).pulled) == (1152, 0)
    assert [(f.name, f.before, f.after) for f in change(found, SPINE).fields] == [("length", "50 m", "20 m")]
    assert {(b.part, b.length_m): b.after - b.before for b in found.bom} == {("mfp7e30", 50.0): -1152, ("mfp7e30", 20.0): 1152}


def test_half_the_leaves_repatch_what_they_served() -> None:
    found = diff(("half=rack/4", "half=rack/8"))
    assert ("-", "backend/leaf[half=1]", 8) in changes(found)
    assert (cables(found, LEAF).kept, cables(found, LEAF).repatched, cables(found, LEAF).pulled) == (576, 576, 0)
    assert [f.code for f in found.new if f.severity == "error"] == ["port-shortage"]


def test_another_family_replaces_the_fabric_in_one_line() -> None:
    old = "    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}\n    spine: {part: q3400-ra}\n"
    new = "    switch: {part: q3400-ra, count: 4}\n    attach: {nodes: {serves: compute.fabric}}\n"
    found = diff(("kind: clos", "kind: collapsed"), ("    serves: compute.fabric\n", ""), (old, new), ("<= 1", "<= 9"))
    (head,) = [c for c in found.changes if c.kind == "fabric"]
    assert (head.sign, head.subject, head.fields[0]) == ("~", "backend", ("kind", "clos", "collapsed"))
    assert {c.within for c in found.changes if c.kind in ("devices", "bundle")} == {"backend"}


def test_a_fabric_less_is_one_line() -> None:
    oob = "  oob: {kind: clos, serves: compute.tray.bmc, leaf: {part: sn2201, count: 8}}\n"
    both = edited(("require:", f"{oob}require:"))
    found = compare(analysed(both), analysed(POD))
    assert changes(found) == [("-", "oob", 8)]
    assert found.total("removed") == cables(found, "oob/compute-bmc-leaf").before > 0


@pytest.mark.parametrize("su", [1, 2, 5])
def test_nothing_changes_against_itself(su: int) -> None:
    one = analysed(POD, su=su)
    found = compare(one, one)
    assert found.empty
    assert not found.changes
    assert not found.patch
    assert not any(c.touched for c in found.cables)
    assert headline(found) == "pod: no change"


def test_order_and_layout_of_the_text_are_no_change() -> None:
    turned = """\
name: pod
require: ["oversubscription(backend)  <=  1"]   # as before
fabrics:
  backend:
    spine: {part: "q3400-ra"}
    leaf:
      per: ['su', rail, half=rack/4]
      part: q3400-ra
    serves: [compute.fabric]
    kind: clos
racks:
  compute:
    axes: {su: $su, rack: 8}
    part: gb300-nvl72
params: {su: 2}
dcgen: 1
"""
    assert compare(analysed(POD), analysed(turned)).empty


def linked(text: str, pairs: list[tuple[int, int]]) -> str:
    end = "'backend/spine[spine={0}]:72/2'"
    lines = (f"  - {{a: {end.format(x)}, b: {end.format(y)}, allow: [same-tier-link]}}\n" for x, y in pairs)
    return f"{text}links:\n{''.join(lines)}"


def test_written_cables_are_told_apart_by_their_ports() -> None:
    text = edited(("spine: {part: q3400-ra}", "spine: {part: q3400-ra, count: 18}"))
    pairs = [(0, 1), (2, 3), (4, 5)]
    whole = analysed(linked(text, pairs))
    assert compare(whole, analysed(linked(text, pairs[::-1]))).empty
    found = compare(whole, analysed(linked(text, pairs[1:])))
    assert changes(found) == [("-", "backend/spine[spine=0]:72/2 - backend/spine[spine=1]:72/2", 1)]
    assert (cables(found, "links").before, cables(found, "links").after, cables(found, "links").kept) == (3, 2, 2)
    found = compare(whole, analysed(linked(text, [(0, 6), *pairs[1:]])))
    assert (cables(found, "links").repatched, cables(found, "links").kept, cables(found, "links").pulled) == (1, 2, 0)
