"""A slice holds exactly the links that the whole has there."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

import dcgen
from dcgen.analysis import analyse
from dcgen.design.columns import columns
from dcgen.design.model import Design
from dcgen.design.save import dump, load
from dcgen.design.select import links_at
from dcgen.design.slice import sliced, suffix
from dcgen.design.wiring import links
from dcgen.diagnostics import Rejected
from dcgen.naming import parse_selector
from dcgen.source import parse_text
from tests.cases.support import ROOT

TWO_FABRICS = """dcgen: 1
name: two
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 8}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra, per: rail}
    absent: ['backend/leaf[su=1,rail=3,half=0]:37/1']
    allow: [missing-uplink]
  frontend: {kind: clos, serves: compute.dpu, leaf: {part: sn5610}, spine: {part: sn5610}}
require: [oversubscription(backend) <= 1]
expect: {gpus: 1152}
have: {q3400-ra: 3}
phases: {one: 'compute[su=0]', two: ['compute[su=1]', backend]}
"""


@pytest.fixture(scope="module")
def whole() -> Design:
    return dcgen.lay_out(dcgen.parse(parse_text(TWO_FABRICS, str(ROOT / "blueprints" / "two.yaml"))))


def total(design: Design, layer: str) -> int:
    return sum(links(design, b) for b in design.bundles if b.name == layer)


@pytest.mark.parametrize("selector", ["su=0", "[su=0]", "compute[su=0]", " [ su = 0 ] "])
def test_ranges_cut_every_group_that_has_the_axis(whole: Design, selector: str) -> None:
    part = sliced(whole, selector)
    assert part.groups["compute/tray"].count == part.groups["compute/tray"].declared // 2
    assert part.groups["backend/spine"].count == whole.groups["backend/spine"].count
    assert part.groups["frontend/leaf"].count == whole.groups["frontend/leaf"].count
    box = {"su": range(1)}
    assert sum(links(part, b) for b in part.bundles if b.a.block.name == "fabric") == links_at(whole, "compute/tray", "fabric", box)
    assert total(part, "backend/leaf-spine") == links_at(whole, "backend/leaf", "", box) - links_at(whole, "compute/tray", "fabric", box)
    assert all(links(part, b) == len(columns(part, b)) for b in part.bundles)


@pytest.mark.parametrize(
    ("selector", "group", "box"),
    [
        ("[su=0,rail=2]", "backend/leaf", {"su": range(1), "rail": range(2, 3)}),
        ("backend[rail=1..2]", "backend/leaf", {"rail": range(1, 3)}),
        ("backend/leaf[su=1,rail=0,half=1]", "backend/leaf", {"su": range(1, 2), "rail": range(1), "half": range(1, 2)}),
        ("backend/spine[rail=3]", "backend/spine", {"rail": range(3, 4)}),
    ],
)
def test_counts_are_those_of_the_selection(whole: Design, selector: str, group: str, box: dict[str, range]) -> None:
    part = sliced(whole, selector)
    mine = [b for b in part.bundles if group in (b.a.group, b.b.group)]
    assert sum(links(part, b) for b in mine) == links_at(whole, group, "", box)
    assert all(links(part, b) == len(columns(part, b)) for b in part.bundles)


def test_a_fabric_keeps_its_bundles_and_what_they_touch(whole: Design) -> None:
    part = sliced(whole, "backend")
    assert set(part.groups) == {"compute/rack", "compute/tray", "backend/leaf", "backend/spine"}
    assert part.bundles == tuple(b for b in whole.bundles if b.fabric == "backend")
    assert list(part.fabrics) == ["backend"]


def test_a_group_keeps_its_neighbours(whole: Design) -> None:
    part = sliced(whole, "backend/spine")
    assert set(part.groups) == {"backend/leaf", "backend/spine"}
    assert [b.layer for b in part.bundles] == ["leaf-spine"]
    assert part.fabrics["backend"].tiers == ("backend/leaf", "backend/spine")


def test_what_has_nothing_left_is_dropped(whole: Design) -> None:
    part = sliced(whole, "backend[rack=0..3,half=1]")
    assert not any(b.layer == "node-leaf" for b in part.bundles), "racks 0-3 are on half 0"
    assert "compute/tray" not in part.groups


def test_what_is_of_the_whole_is_left_out_and_said(whole: Design) -> None:
    part = sliced(whole, "su=0")
    assert (part.requirements, part.have) == ((), ())
    assert part.remarks[0].code == "slice"
    assert part.name == "two.only-su0"
    assert not [f for f in analyse(part, quick=True).findings if f.severity == "error"]
    assert load(dump(part)) == part


def test_a_link_taken_out_elsewhere_is_not_missed_here(whole: Design) -> None:
    assert any(f.code == "missing-uplink" for f in analyse(sliced(whole, "su=1"), quick=True).findings)
    assert not any(f.code == "missing-uplink" for f in analyse(sliced(whole, "su=0"), quick=True).findings)


@pytest.mark.parametrize(
    ("selector", "said"),
    [
        ("su=2", "`su` runs from 0 to 1, not to 2"),
        ("su=1..0", "runs backward"),
        ("compute[rail=0]", "nothing there has an axis `rail`"),
        ("bakend", "did you mean `backend`?"),
        ("backend/leaf[su=0]:3", "names a port"),
        ("[su]", "`su` in `[su]` is not `axis=n`"),
        ("", "is not an address or selector"),
    ],
)
def test_a_selector_that_names_nothing_says_why(whole: Design, selector: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        sliced(whole, selector)
    (one,) = caught.value.diagnostics
    assert one.code == "bad-selector"
    assert said in f"{one.what} {one.fix}"


def test_everything_absent_leaves_nothing() -> None:
    with pytest.raises(Rejected):
        sliced(Design("d", {}), "su=0")


def test_names_of_slices_are_safe_and_short() -> None:
    assert suffix("backend/leaf[su=0..3,rail=5]") == "only-backend-leaf-su0..3-rail5"
    long = "[" + ",".join(f"axis{n}={n}" for n in range(40)) + "]"
    assert len(suffix(long)) <= 80
    assert suffix(long) != suffix(long.replace("axis39=39", "axis39=38"))


def test_slices_of_a_holed_design_stay_exact(whole: Design) -> None:
    tray = whole.groups["compute/tray"]
    holed = replace(whole, groups=whole.groups | {tray.name: replace(tray, absent=(parse_selector("compute/tray[su=0,rack=5,tray=17]"),))})
    part = sliced(holed, "su=0,rail=1")
    assert all(links(part, b) == len(columns(part, b)) for b in part.bundles)


def test_what_is_said_does_not_depend_on_the_hash_seed() -> None:
    """A set of groups has another order in every run."""
    blueprint = ROOT / "blueprints" / "gb200-superpod.yaml"
    said = set()
    for seed in range(4):
        run = [sys.executable, "-m", "dcgen", "check", str(blueprint), "--only", "backend[nothing=0]"]
        done = subprocess.run(run, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONHASHSEED": str(seed)}, cwd=ROOT)
        assert "nothing there has an axis `nothing`" in done.stderr
        said.add(done.stderr)
    assert len(said) == 1
