"""What holds of every comparison: nothing against itself, growth that touches nothing, order that says nothing, patches that fit."""

from copy import deepcopy
from typing import Any

import pytest
import yaml
from hypothesis import given, reject
from hypothesis import strategies as st

import dcgen
from dcgen.analysis import Analysis
from dcgen.diagnostics import Rejected
from dcgen.diff import apply, compare, headline, record
from dcgen.source import parse_text
from dcgen.tables import cable_table
from tests.diff.pods import ROOT
from tests.laws.designs import law


@st.composite
def pods(draw: st.DrawFn) -> dict[str, Any]:
    """A blueprint of a pod as data: units, racks, holes, a second fabric, requirements; spines are pinned so that growth is free."""
    su, rack = draw(st.integers(1, 3)), draw(st.sampled_from([2, 4, 8]))
    absent = [f"compute/tray[su={draw(st.integers(0, su - 1))},rack={draw(st.integers(0, rack - 1))},tray={draw(st.integers(0, 17))}]"]
    spine = {"part": "q3400-ra", "count": draw(st.sampled_from([18, 36]))}
    per = ["su", "rail", f"half=rack/{rack // 2}"] if draw(st.booleans()) else ["su", "rail"] if rack < 8 else ["su", "rail", "half=rack/4"]
    fabrics: dict[str, Any] = {
        "backend": {
            "kind": "clos",
            "serves": "compute.fabric",
            "leaf": {"part": "q3400-ra", "per": per, "uplinks": 36},
            "spine": spine,
            "oversubscription": 4,
        }
    }
    if draw(st.booleans()):
        fabrics["oob"] = {"kind": "clos", "serves": "compute.tray.bmc", "leaf": {"part": "sn2201", "per": ["su", "rack"]}}
    body: dict[str, Any] = {
        "dcgen": 1,
        "name": "pod",
        "racks": {"compute": {"part": "gb300-nvl72", "axes": {"su": su, "rack": rack}}},
        "fabrics": fabrics,
        "require": ["oversubscription(backend) <= 4"],
    }
    if draw(st.booleans()):
        body["racks"]["compute"]["absent"] = absent
    if draw(st.booleans()):
        body["expect"] = {"nodes": su * rack * 18}
    return body


def analysed(body: dict[str, Any]) -> Analysis:
    source = parse_text(yaml.safe_dump(body, sort_keys=False), str(ROOT / "blueprints" / "pod.yaml"))
    return dcgen.analyse(dcgen.lay_out(dcgen.parse(source)), quick=True)


def turned(value: Any, random: Any) -> Any:
    """The same mapping filled in another order; the order of coordinates has a meaning and stays."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {k: value[k] if k == "axes" else turned(value[k], random) for k in keys}
    return value


@law(15)
@given(pods(), st.randoms(use_true_random=False))
def test_the_order_of_keys_says_nothing(body: dict[str, Any], random: Any) -> None:
    found = compare(analysed(body), analysed(turned(body, random)))
    assert found.empty, headline(found)


@law(12)
@given(pods())
def test_nothing_differs_from_itself(body: dict[str, Any]) -> None:
    one = analysed(body)
    found = compare(one, one)
    assert found.empty
    assert not found.patch
    assert all(c.kept == c.before == c.after for c in found.cables)


@law(20)
@given(pods(), pods())
def test_a_patch_gives_the_other_design_and_counts_add_up(one: dict[str, Any], other: dict[str, Any]) -> None:
    before, after = analysed(one), analysed(other)
    found = compare(before, after)
    assert apply(found.patch, before.design) == after.design
    assert bool(found.patch) or found.empty
    assert record(found) == record(compare(before, after))
    for c in found.cables:
        assert min(c.kept, c.repatched, c.replaced, c.lengthened, c.relabelled, c.pulled, c.removed) >= 0
    for d in found.devices:
        assert (d.before - d.removed, d.after - d.added) == (d.kept, d.kept)
        assert max(d.replaced, d.relabelled, d.moved) <= d.kept


def rows(design: Any) -> dict[str, tuple[Any, ...]]:
    """Cable -> everything that the cabling plan says of it, without the rack, which the placement rule fills."""
    frame = cable_table(design).frame().drop("a_rack", "z_rack")
    return {row[0]: row for row in frame.iter_rows()}


@law(12)
@given(pods(), st.sampled_from(["su", "spare", "fabric"]))
def test_growth_touches_no_cable_that_is_there(body: dict[str, Any], what: str) -> None:
    """Another unit, more spare ports above, another fabric: the cables, ports and labels that there are stay, byte for byte."""
    more = deepcopy(body)
    more.pop("expect", None)
    for text in (body, more):
        text["fabrics"]["backend"]["spine"]["count"] = 36  # one link to each: more ways are numbered before units
    if what == "su":
        more["racks"]["compute"]["axes"]["su"] += 1
    elif what == "spare":
        more["racks"]["spare"] = {"part": "gb300-nvl72", "axes": {"rack": 2}}
    else:
        more["fabrics"]["extra"] = {"kind": "clos", "serves": "compute.switch-tray.bmc", "leaf": {"part": "sn2201", "per": ["su", "rack"]}}
    try:
        before, after = analysed(body), analysed(more)
    except Rejected:
        reject()
    found = compare(before, after)
    old, new = rows(before.design), rows(after.design)
    assert {name: new[name] for name in old} == old
    assert all(c.kept == c.before for c in found.cables)
    assert not any(d.removed or d.relabelled or d.replaced for d in found.devices)
    assert {c.sign for c in found.changes if c.kind in ("devices", "racks", "fabric", "bundle")} == {"+"}


@pytest.mark.parametrize("what", ["rack", "rail"])
def test_an_axis_that_grows_at_its_end_keeps_what_is_there(what: str) -> None:
    body: dict[str, Any] = {
        "dcgen": 1,
        "name": "pod",
        "racks": {"compute": {"part": "gb300-nvl72", "axes": {"rack": 4}}},
        "fabrics": {
            "backend": {
                "kind": "clos",
                "serves": "compute.fabric",
                "leaf": {"part": "q3400-ra", "per": ["rail"]},
                "spine": {"part": "q3400-ra", "count": 2},
            }
        },
        "require": [],
    }
    more = deepcopy(body)
    if what == "rack":
        body["racks"]["compute"]["axes"] = {"rack": 3}
    else:
        more["racks"]["compute"]["axes"]["rack"] = 4
        body["fabrics"]["backend"]["absent"] = ["backend/leaf[rail=3]"]
    before, after = analysed(body), analysed(more)
    old, new = rows(before.design), rows(after.design)
    below = {n: r for n, r in old.items() if "node-leaf" in r}
    assert below
    assert {n: new.get(n) for n in below} == below
    leaf = next(c for c in compare(before, after).cables if c.bundle == "backend/compute-fabric-leaf")
    assert (leaf.kept, leaf.removed, leaf.repatched) == (leaf.before, 0, 0)
