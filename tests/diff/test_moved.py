"""Renames: declared ones, done ones, unknown ones, and those that nobody declared."""

from dataclasses import replace

import pytest

from dcgen.design import Moved
from dcgen.design.save import dump, load
from dcgen.diagnostics import Rejected, phrase_all
from dcgen.diff import Diff, compare, sections
from tests.diff.pods import POD, analysed, cables, change, changes, devices, diff, edited, moved

NEW_NAME = (("  backend:", "  fabric:"), ("(backend)", "(fabric)"))


def nothing_is_touched(found: Diff) -> bool:
    """No device comes or goes and no cable is touched but for its label."""
    return not any(d.added or d.removed or d.replaced for d in found.devices) and all(
        c.stay == c.before == c.after and c.stay == c.kept + c.relabelled for c in found.cables
    )


def test_a_renamed_fabric_is_one_line_and_labels_to_reprint() -> None:
    found = diff(*NEW_NAME, moved("backend", "fabric"))
    assert changes(found) == [(">", "fabric", 24)]
    assert change(found, "fabric").was == "backend"
    assert nothing_is_touched(found)
    assert [d.relabelled for d in found.devices if d.group.startswith("fabric/")] == [16, 8]
    assert found.total("relabelled") == 2304
    assert [v.word for v in found.verdicts] == ["same"]
    assert all(e.direction == "same" for e in found.effects)
    (labels,) = [rows for title, _, rows in sections(found) if title == "Labels to reprint"]
    leaf = ["fabric/leaf", "16", "backend-leaf-su{su}-rail{rail}-half{half}", "fabric-leaf-su{su}-rail{rail}-half{half}"]
    assert leaf in labels


def test_a_renamed_entry_takes_its_bundles_and_its_scale_up_along() -> None:
    found = diff(("compute", "gpu"), moved("compute", "gpu"))
    assert changes(found) == [(">", "gpu", 16)]
    assert nothing_is_touched(found)
    assert cables(found, "backend/gpu-fabric-leaf").was == "backend/compute-fabric-leaf"
    assert cables(found, "gpu-scale-up/links").relabelled == 20736


def test_a_renamed_axis_changes_labels_and_nothing_else() -> None:
    lines = "name: pod\nmoved: [{from: 'compute[su]', to: 'compute[unit]'}, {from: 'backend[su]', to: 'backend[unit]'}]\n"
    found = diff(("su: $su", "unit: $su"), ("[su, rail", "[unit, rail"), ("name: pod\n", lines))
    assert {c.kind for c in found.changes} == {"label"}
    assert nothing_is_touched(found)


def test_a_unit_inserted_in_front_moves_the_others() -> None:
    lines = "name: pod\nmoved: [{from: 'compute[su=1]', to: 'compute[su=2]'}, {from: 'backend[su=1]', to: 'backend[su=2]'}]\n"
    found = diff(("default: 2", "default: 3"), ("name: pod\n", lines))
    assert ("+", "compute/rack[su=1]", 8) in changes(found)
    assert (">", "compute/rack[su=2]", 8) in changes(found)
    leaf = devices(found, "backend/leaf")
    assert (leaf.kept, leaf.added, leaf.removed, leaf.relabelled) == (16, 8, 0, 8)
    below = cables(found, "backend/compute-fabric-leaf")
    assert (below.kept, below.relabelled, below.pulled, below.removed) == (576, 576, 576, 0)


def test_two_names_may_be_exchanged() -> None:
    two = edited(("  compute: {", "  other: {part: gb300-nvl72, axes: {rack: 2}}\n  compute: {"))
    lines = "name: pod\nmoved: [{from: compute, to: other}, {from: other, to: compute}]\n"
    turned = edited(
        ("other:", "x:"), ("compute:", "other:"), ("x:", "compute:"), ("compute.fabric", "other.fabric"), ("name: pod\n", lines), text=two
    )
    found = compare(analysed(two), analysed(turned))
    assert nothing_is_touched(found)
    assert {c.sign for c in found.changes if not c.within} == {">"}


def test_a_line_that_is_done_is_no_fault() -> None:
    renamed = edited(*NEW_NAME, moved("backend", "fabric"))
    for before in (renamed, edited(*NEW_NAME)):
        found = compare(analysed(before), analysed(renamed))
        assert found.empty
        assert [(n.code, n.severity) for n in found.notes] == [("unknown-moved", "info")]


def test_coordinates_that_were_moved_already_are_not_moved_again() -> None:
    text = edited(("default: 2", "default: 3"), moved("compute[su=1]", "compute[su=2]"))
    found = compare(analysed(text), analysed(text))
    assert found.empty
    assert found.notes


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(Rejected) as refused:
        diff(*NEW_NAME, moved("backendd", "fabric"))
    assert phrase_all(refused.value.diagnostics) == (
        "error[unknown-moved]: there was no `backendd` in the version before\n"
        "    because: `from` is what a thing was called in the version before\n"
        "    fix: did you mean `backend`?"
    )
    assert refused.value.diagnostics[0].origin == ("moved", 0, "from")


def test_devices_are_not_moved_onto_others() -> None:
    with pytest.raises(Rejected) as refused:
        diff(moved("compute[su=0]", "compute[su=1]"))
    assert {d.code for d in refused.value.diagnostics} == {"bad-moved"}


def test_what_looks_like_a_rename_is_said() -> None:
    found = diff(*NEW_NAME)
    assert [(c.sign, c.subject) for c in found.changes if c.kind == "fabric"] == [("-", "backend"), ("+", "fabric")]
    said = "similarity 100 %; `moved: [{from: backend, to: fabric}]` would say so"
    assert change(found, "backend").hint == f"looks like a rename to `fabric`, {said}"
    assert change(found, "fabric").hint == f"looks like a rename of `backend`, {said}"


def test_what_is_only_alike_is_less_similar() -> None:
    found = diff(*NEW_NAME, ("rack: 8}}", "rack: 8}, absent: ['compute[su=1]']}"))
    assert "similarity 75 %" in change(found, "backend").hint
    other = diff(*NEW_NAME, ("q3400-ra", "q3450-ld"))
    assert change(other, "backend").hint == ""


def test_an_axis_of_another_name_is_said() -> None:
    found = diff(("su: $su", "unit: $su"), ("[su, rail", "[unit, rail"))
    head = change(found, "compute", "~")
    assert head.hint.startswith("looks like a rename of an axis, similarity 100 %; `moved: [{from: 'compute[su]', to: 'compute[unit]'}]`")


def test_moved_is_kept_with_a_design_and_changes_nothing_in_it() -> None:
    plain, said = (analysed(edited(*NEW_NAME, *more)).design for more in ((), (moved("backend", "fabric"),)))
    assert load(dump(said)) == said
    assert said.moved == (Moved("backend", "fabric", ("moved", 0)),)
    assert replace(said, moved=(), written=plain.written) == plain


def test_the_law_of_renames_there_and_back() -> None:
    there, back = edited(*NEW_NAME, moved("backend", "fabric")), edited(moved("fabric", "backend"))
    for one, other in ((POD, there), (there, back)):
        assert nothing_is_touched(compare(analysed(one), analysed(other)))
