"""What rules and requirements say where a shape is irregular or a figure is missing."""

import pytest

from dcgen.analysis import Analysis
from dcgen.diagnostics import Diagnostic
from tests.cases.support import analysed, errors, value

H100 = """
racks: {{compute: {{part: dgx-h100, axes: {{su: {su}, node: 32}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700, per: [{per}]{leaf}}}, spine: {{part: qm9700}}{more}}}
"""


def found(analysis: Analysis, code: str) -> list[Diagnostic]:
    return [f for f in analysis.findings if f.code == code]


@pytest.mark.parametrize(("op", "holds"), [("<=", False), ("<", False), ("==", False), (">=", False), (">= 0 W", True)])
def test_a_lower_bound_promises_only_to_be_above(op: str, holds: bool) -> None:
    bound = op if " " in op else f"{op} 500 MW"
    analysis = analysed("blueprints/h100-superpod.yaml")
    site = analysis.get("power_typical", "site")
    assert site is not None
    assert site.at_least
    text = H100.format(su=4, per="su, rail", leaf="", more="") + f"require: [power_typical(site) {bound}]\n"
    broken = found(analysed(text), "requirement-broken")
    assert (not broken) == holds
    assert all("at least" in f.what and "no figure" in f.fix for f in broken), "parts without a figure may yet make it good"
    (exceeded,) = found(analysed(text.replace(f"power_typical(site) {bound}", "power_max(site) <= 1 W")), "requirement-broken")
    assert "no figure" not in exceeded.fix, "what is already too much stays too much"


def test_any_tier_may_be_oversubscribed_and_each_is_judged_by_its_own_ratio() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {pod: 2, su: 2, node: 32}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: qm9700, per: [pod, su, rail]}
    spine: {part: qm9700, per: pod, uplinks: 8%s}
    core: {part: qm9700}
"""
    (one,) = found(analysed(text % ""), "oversubscribed")
    assert one.subject == "backend/spine"
    assert "4:1, at most 1:1" in one.what
    assert not found(analysed(text % ", oversubscription: 4"), "oversubscribed")


def test_a_leaf_without_any_uplink_is_said_and_has_no_ratio() -> None:
    analysis = analysed(H100.format(su=2, per="su, rail", leaf="", more=", absent: [backend/spine]"))
    assert analysis.get("oversubscription", "backend/leaf") is None
    (one,) = found(analysis, "oversubscribed")
    assert "16 of 16 switches of backend/leaf have no uplink" in one.what
    (apart,) = found(analysis, "separate-islands")
    assert "16 islands" in apart.what


def test_a_missing_link_to_a_node_can_be_allowed_too() -> None:
    gone = ', absent: ["backend/leaf[su=0,rail=0]:1/1"]'
    plain, allowed = (analysed(H100.format(su=2, per="su, rail", leaf="", more=gone + a)) for a in ("", ", allow: [missing-uplink]"))
    assert errors(plain) == {"missing-uplink": 1}
    assert errors(allowed) == {}
    assert [f.severity for f in found(allowed, "missing-uplink")] == ["info"]


def test_a_shortage_names_an_axis_that_would_really_do() -> None:
    (short,) = found(analysed(H100.format(su=1, per="su", leaf="", more="")), "port-shortage")
    assert "write `rail` in `per:`" in short.fix
    assert not found(analysed(H100.format(su=1, per="su, rail", leaf="", more="")), "port-shortage")


def test_leaves_that_nothing_joins_are_islands_even_with_several_kinds_of_endpoints() -> None:
    analysis = analysed("""
racks:
  compute: {part: dgx-h100, axes: {su: 2, node: 8}}
  more: {part: dgx-b200, axes: {node: 4}}
fabrics:
  backend: {kind: clos, serves: [compute.fabric, more.fabric], leaf: {part: qm9700, per: rail}}
""")
    (apart,) = found(analysis, "separate-islands")
    assert "8 islands" in apart.what
    assert value(analysis, "hops", "backend") == 1
