"""Growth that is planned for: what is reserved is there, nothing moves, and what will not fit at the final size is said today."""

from collections import Counter

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import dcgen
from dcgen.design import Design
from dcgen.design.columns import cages, columns
from dcgen.design.sockets import clashes
from dcgen.diagnostics import Diagnostic, Rejected
from dcgen.source import parse_text
from tests.cases.support import ROOT, analysed, errors
from tests.laws.designs import law

TWO_FABRICS = """
racks: {{compute: {{part: dgx-h100, axes: {{su: {su}, node: {node}}}}}}}
fabrics:
  storage: {{kind: clos, serves: compute.storage, leaf: {{part: qm9700, per: [{storage}], reserve: {kept}}}, spine: {{part: qm9700}}}}
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {{part: qm9700, per: [{per}], reserve: {kept}{leaf}}}
    spine: {{part: qm9700{spine}}}
    spread: {spread}
    oversubscription: 2
    reserve: {reserve}
  inband: {{kind: clos, serves: compute.inband, leaf: {{part: sn5610, per: [{storage}], reserve: {kept2}}}, spine: {{part: sn5610}}}}
"""


def laid_out(text: str) -> Design:
    return dcgen.lay_out(dcgen.parse(parse_text(f"dcgen: 1\nname: case\n{text}", str(ROOT / "blueprints" / "case.yaml"))))


def plugs(design: Design) -> set[tuple[object, ...]]:
    """Both ends of every link: device by its coordinates, cage, position."""
    out: set[tuple[object, ...]] = set()
    for join in design.bundles:
        c = columns(design, join)
        sides = []
        for end, device, port in ((join.a, c.a, c.a_port), (join.b, c.b, c.b_port)):
            at = [(end.group, end.block.name, *design.groups[end.group].coordinates(d).items()) for d in device.tolist()]
            sides.append(list(zip(at, *(x.tolist() for x in cages(end, port)), strict=True)))
        out |= set(zip(*sides, strict=True))
    return out


@st.composite
def written(draw: st.DrawFn) -> dict[str, object]:
    per = draw(st.sampled_from(["rail", "su, rail", "rail, half=node/2", "half=node/2", "turn=node%2, rail", "su", "by-su=su", ""]))
    return {
        "per": per,
        "storage": draw(st.sampled_from(["port", "su", "half=node/3", ""])),
        "kept": draw(st.sampled_from(["{ports: ['2/1']}", "{ports: ['1/1', '5/2']}", "{last: 2}"])),
        "kept2": "{ports: [swp2, swp4]}",
        "leaf": draw(st.sampled_from(["", ", fill: deal, count: 2"])) if per in ("su", "") else "",
        "spine": "",
        "spread": draw(st.sampled_from(["even", "near"])),
        "reserve": f"{{su: {draw(st.integers(3, 4))}, node: {draw(st.integers(3, 6))}}}",
    }


@law(60)
@given(written(), st.integers(1, 2), st.integers(1, 2), st.booleans())
def test_growing_into_a_reserve_moves_nothing_and_meets_nobody(text: dict[str, object], su: int, node: int, wider: bool) -> None:
    """Whatever the other fabrics reserve: the room is that of one fabric, and a reserve in the middle only shifts ports."""
    try:
        before = laid_out(TWO_FABRICS.format(su=su, node=node, **text))
    except Rejected as e:
        event("does not fit")
        assert all("at the final size" in d.what for d in e.diagnostics)
        return
    after = laid_out(TWO_FABRICS.format(su=su + (not wider), node=node + wider, **text))
    for design in (before, after):
        assert list(clashes(design)) == []
        used = Counter((e[0], e[1], e[2]) for link in plugs(design) for e in link)
        assert set(used.values()) <= {1}
    mine = {link for link in plugs(before) if any("backend" in str(e) for e in link)}
    assert mine <= plugs(after)


GROWING = """
racks: {{compute: {{part: gb300-nvl72, axes: {axes}}}}}
fabrics:
  f: {{kind: clos, serves: compute.fabric, leaf: {{part: q3400-ra, per: [{per}]}}, spine: {{part: q3400-ra{spine}}}{reserve}}}
"""


def said(axes: str = "{su: 1, rack: 8}", per: str = "su, rail, half=rack/4", spine: str = "", reserve: str = "") -> list[Diagnostic]:
    text = GROWING.format(axes=axes, per=per, spine=spine, reserve=reserve)
    try:
        return list(analysed(text).findings)
    except Rejected as e:
        return list(e.diagnostics)


def later(**text: str) -> list[tuple[str, str, str]]:
    found = [d for d in said(**text) if "at the final size" in d.what]
    return [(d.severity, d.code, d.what.split(":")[0]) for d in found]


@pytest.mark.parametrize(("mode", "severity"), [("now", "error"), ("follow", "warning")])
def test_a_pinned_count_is_judged_at_the_final_size(mode: str, severity: str) -> None:
    reserve = f", reserve: {{su: 4, spines: {mode}}}"
    assert later(reserve=reserve, spine=", count: 4") == [(severity, "port-shortage", "f/spine")]
    assert later(reserve=reserve, spine=", count: 18") == []
    assert later(reserve=reserve) == []


def test_growth_that_is_to_follow_is_laid_out_in_full() -> None:
    assert later(reserve=", reserve: {su: 40, spines: follow}") == [("warning", "too-many-below", "f/spine")]
    short = later(axes="{su: 1, rack: 4}", per="su, rail", reserve=", reserve: {rack: 9, spines: follow}")
    assert short == [("warning", "port-shortage", "f/leaf")]
    assert later(axes="{su: 1, rack: 4}", per="su, rail", reserve=", reserve: {rack: 4, spines: follow}") == []


def test_what_is_too_small_today_is_said_once() -> None:
    found = said(per="su, rail", reserve=", reserve: {rack: 9, spines: follow}")
    assert [(d.severity, d.what.split(":")[0]) for d in found if d.code == "port-shortage"] == [("error", "f/leaf")]


def test_counted_leaves_are_reserved_for_too() -> None:
    """Four leaves today and sixteen at the end: spines that are built now must reach all sixteen."""
    text = GROWING.format(axes="{su: 1, rack: 4}", per="", spine="", reserve=", reserve: {rack: 16}")
    groups = analysed(text).design.groups
    assert (groups["f/leaf"].count, groups["f/spine"].count) == (4, 8)


@pytest.mark.parametrize("serves", ["compute.inband", "compute.inband, store.nic", "store.nic, compute.inband", "store.nic, one.ns"])
@pytest.mark.parametrize("nodes", [2, 8, 11])
def test_rotated_ports_and_uplinks_keep_apart(serves: str, nodes: int) -> None:
    text = f"""
racks:
  compute: {{part: dgx-h100, axes: {{node: {nodes}}}}}
  store: {{part: storage-server-200g, axes: {{n: 5}}}}
  one: {{part: hgx-2-4-3-200, axes: {{k: 4}}}}
fabrics:
  f: {{kind: clos, serves: [{serves}], leaf: {{part: sn5610, count: 3, fill: rotate}}, spine: {{part: sn5610}}, oversubscription: 4}}
"""
    assert errors(analysed(text)) == {}


def test_axes_may_be_called_round_and_turn() -> None:
    text = """
racks: {{compute: {{part: dgx-h100, axes: {{{axis}: 7}}}}}}
fabrics: {{f: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700, count: 3, fill: rotate}}}}}}
"""
    plain = plugs(laid_out(text.format(axis="node")))
    for axis in ("round", "turn"):
        assert {str(link).replace(axis, "node") for link in plugs(laid_out(text.format(axis=axis)))} == {str(link) for link in plain}


def test_devices_without_an_axis_to_count_by_are_not_rotated() -> None:
    text = """
racks: {compute: {part: dgx-h100}}
fabrics: {f: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, count: 3, fill: rotate}}}
"""
    with pytest.raises(Rejected, match="compute/node has none"):
        analysed(text)
