"""Expansion and odd counts: partial units, displaced nodes, near spread, zero of something, limits per switch."""

import re
from collections import Counter
from itertools import product

import pytest

from dcgen.diagnostics import Rejected
from tests.cases.support import ROOT, analysed, cables, ends, errors, value

H100 = """
params: {{su: 1}}
racks: {{compute: {{part: dgx-h100, axes: {{su: $su, node: 32}}, absent: [{absent}]}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700, per: [su, rail]}}, spine: {{part: qm9700{spine}}}{more}}}
"""


def h100(absent: str = "", spine: str = "", more: str = "") -> str:
    return H100.format(absent=absent, spine=spine, more=more)


def test_a_position_given_up_moves_nothing_else() -> None:
    whole = ends(cables(h100(), su=4))
    broken = ends(cables(h100("'compute/node[su=2,node=7]'"), su=4))
    gone = whole - broken
    assert broken < whole
    assert len(gone) == 8
    assert {a for a, *_ in gone} == {"compute-node-su2-node7"}
    analysis = analysed(h100("'compute/node[su=2,node=7]'"), su=4)
    assert (value(analysis, "nodes"), value(analysis, "gpus")) == (127, 1016)


def test_a_partly_filled_unit_keeps_switches_and_uplinks() -> None:
    analysis = analysed(h100("'compute/node[node=20..31]'"))
    assert value(analysis, "links", "backend/compute-fabric-leaf") == 160
    assert value(analysis, "links", "backend/leaf-spine") == 256
    assert (value(analysis, "devices", "backend/leaf"), value(analysis, "devices", "backend/spine")) == (8, 4)
    from dcgen.tables import port_table

    states = Counter(port_table(analysis.design).frame().filter(__import__("polars").col("device").str.contains("leaf"))["state"].to_list())
    assert states["kept"] == 96
    full, partly = ends(cables(h100())), ends(cables(h100("'compute/node[node=20..31]'")))
    assert partly < full, "filling up later only adds"


@pytest.mark.parametrize(("su", "spines"), [(1, 4), (2, 8), (3, 16), (4, 16)])
def test_the_smallest_spine_count_is_not_always_usable(su: int, spines: int) -> None:
    """24 leaves × 32 uplinks fill 12 spines of 64 ports, but 32 does not divide by 12: the published table has 16."""
    analysis = analysed(h100(), su=su)
    assert value(analysis, "devices", "backend/spine") == spines
    if su == 3:
        why = next(d.why for d in analysis.design.decisions if d.subject == "backend/spine")
        assert "12 have the ports" in why
        assert "16 is the smallest number from there that divides the 32 uplinks" in why


def test_near_spread_places_every_link_and_pairs_differ_by_one() -> None:
    text = h100(more=", spread: near")
    analysis = analysed(text, su=3)
    assert value(analysis, "devices", "backend/spine") == 12
    rows = [r for r in cables(text, su=3) if r["layer"] == "leaf-spine"]
    pairs = Counter((r["a_device"], r["z_device"]) for r in rows)
    spines = Counter(r["z_device"] for r in rows)
    assert len(rows) == 768
    assert set(pairs.values()) == {2, 3}
    assert set(spines.values()) == {64}
    assert len({(r["z_device"], r["z_port"]) for r in rows}) == len({(r["a_device"], r["a_port"]) for r in rows}) == 768
    assert errors(analysis) == {}


def test_a_pinned_count_that_does_not_divide_is_refused_or_dealt() -> None:
    with pytest.raises(Rejected) as refused:
        analysed(h100(spine=", count: 12"), su=3)
    assert [d.code for d in refused.value.diagnostics] == ["uneven-spread"]
    assert value(analysed(h100(spine=", count: 12", more=", spread: near"), su=3), "links", "backend/leaf-spine") == 768


def test_limits_hold_per_switch_and_no_switch_is_idle() -> None:
    """8 GPUs in 4 hosts of 2, two planes, two segments, 2 GPUs a switch and plane: 8 switches of exactly 2 links."""
    text = """
racks: {hosts: {part: two-gpu-node, axes: {segment: 2, host: 2}}}
fabrics:
  backend: {kind: clos, serves: hosts.fabric, leaf: {part: sn5600, per: [segment, plane, gpu]}}
"""
    at = str(ROOT / "tests" / "cases" / "errors" / "case.yaml")
    analysis = analysed(text, at)
    rows = cables(text, at)
    assert value(analysis, "gpus") == 8
    assert value(analysis, "devices", "backend/leaf") == 8
    assert set(Counter(r["z_device"] for r in rows).values()) == {2}
    reach = {(r["a_device"], r["z_device"].split("segment")[1][0]) for r in rows}
    assert all(f"segment{s}" in a for a, s in reach), "each GPU stays in its own segment"
    assert not [f for f in analysis.findings if f.code == "idle-switch"]


def test_zero_of_something() -> None:
    analysis = analysed("racks: {compute: {part: dgx-h100, axes: {node: 1}}}")
    assert (value(analysis, "nodes"), value(analysis, "switches"), value(analysis, "links")) == (1, 0, 0)
    assert errors(analysis) == {}
    assert cables("racks: {compute: {part: dgx-h100, axes: {node: 1}}}") == []
    nothing = analysed("notes: nothing yet")
    assert value(nothing, "gpus") == 0


@pytest.mark.parametrize(("a", "b"), [(2, 4), (3, 2), (4, 3)])
def test_groups_with_different_uplink_counts_do_not_collide(a: int, b: int) -> None:
    text = f"""
racks:
  one: {{part: dgx-h100, axes: {{su: 3, node: 4}}}}
  two: {{part: dgx-h100, axes: {{su: 2, node: 8}}}}
fabrics:
  first:
    {{kind: clos, serves: one.fabric, leaf: {{part: qm9700, per: [su, rail], uplinks: {a}}}, spine: {{part: qm9700}}, oversubscription: 8}}
  second:
    {{kind: clos, serves: two.fabric, leaf: {{part: qm9700, per: [su, rail], uplinks: {b}}}, spine: {{part: qm9700}}, oversubscription: 8}}
"""
    rows = cables(text)
    assert len({r["cable"] for r in rows}) == len(rows) == sum(value(analysed(text), "links", f) for f in ("first", "second"))
    sockets = [(r[f"{e}_device"], r[f"{e}_port"]) for r in rows for e in "az"]
    assert len(set(sockets)) == len(sockets)


def test_removing_any_one_link_is_one_missing_uplink() -> None:
    whole = cables(h100(), su=2)
    up = [r for r in whole if r["layer"] == "leaf-spine"]
    for row in up[::37]:
        su, rail = (row["a_device"].split(f"-{axis}")[1].split("-")[0] for axis in ("su", "rail"))
        text = h100(more=f", absent: ['backend/leaf[su={su},rail={rail}]:{row['a_port']}']")
        analysis = analysed(text, su=2)
        assert errors(analysis) == {"missing-uplink": 1}
        assert ends(whole) - ends(cables(text, su=2)) == {(row["a_device"], row["a_port"], row["z_device"], row["z_port"])}


TWELVE = """
racks: {{compute: {{part: dgx-h100, axes: {{node: 12}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700{leaf}}}, spine: {{part: qm9700{spine}}}, oversubscription: 4{more}}}
"""


@pytest.mark.parametrize(
    ("leaf", "spine", "more"),
    [
        (", per: [rail]", "", ""),
        ("", "", ""),
        (", fill: deal, count: 3", "", ""),
        (", per: [rail], uplinks: 8", ", count: 3", ", spread: near"),
    ],
    ids=["per", "pack", "deal", "near"],
)
def test_one_absent_port_is_one_link_fewer(leaf: str, spine: str, more: str) -> None:
    whole = cables(TWELVE.format(leaf=leaf, spine=spine, more=more))
    sockets = [(r, end) for r in whole for end in "az" if "backend" in r[f"{end}_device"]]
    for row, end in sockets[:: len(sockets) // 9]:
        group, *coordinates = re.findall(r"backend-(?:leaf|spine)|[a-z]+\d+", row[f"{end}_device"])
        inside = ",".join(re.sub(r"(\d+)", r"=\1", c) for c in coordinates)
        absent = f", absent: ['{group.replace('-', '/')}[{inside}]:{row[f'{end}_port']}']"
        rest = cables(TWELVE.format(leaf=leaf, spine=spine, more=more + absent))
        assert ends(whole) - ends(rest) == {(row["a_device"], row["a_port"], row["z_device"], row["z_port"])}, absent
        assert len(rest) == len(whole) - 1


@pytest.mark.parametrize(
    ("serves", "leaf"), [("bmc", "part: sn2201, count: 3, fill: rotate"), ("storage", "part: qm9700, count: 4, home: ring")]
)
def test_a_single_link_of_a_rotated_or_ring_spread_is_not_taken_out(serves: str, leaf: str) -> None:
    text = f"""
racks: {{compute: {{part: dgx-h100, axes: {{node: 6}}}}}}
fabrics: {{f: {{kind: clos, serves: compute.{serves}, leaf: {{{leaf}}}, absent: ['f/leaf[leaf=0]:PORT']}}}}
"""
    port = next(r["z_port"] for r in cables(text.replace(", absent: ['f/leaf[leaf=0]:PORT']", "")) if r["z_device"] == "f-leaf-leaf0")
    with pytest.raises(Rejected) as refused:
        analysed(text.replace("PORT", port))
    (said,) = refused.value.diagnostics
    assert (said.code, said.fix) == ("bad-selector", "take the device out")
    assert "rotated or ring spread" in said.what


def test_a_port_where_nothing_is_plugged_in_has_no_link_to_take_out() -> None:
    with pytest.raises(Rejected, match="no link of this fabric ends on that port"):
        analysed(TWELVE.format(leaf=", per: [rail]", spine="", more=", absent: ['backend/leaf[rail=0]:32/2']"))


def test_ports_of_a_group_have_a_long_name_and_a_short_one_where_it_is_plain() -> None:
    def counted(serves: str) -> float:
        text = "racks: {c: {part: gb300-nvl72, axes: {rack: 2}}}\nfabrics: {oob: {kind: clos, serves: %s, leaf: {part: sn2201}}}"
        return value(analysed(text % serves), "links", "oob")

    assert counted("c.bmc") == counted("c.tray.bmc") == counted("[c.bmc, c.tray.bmc]") > 0


def test_reserved_ports_are_never_used_and_the_shortfall_is_named() -> None:
    def leaf(reserve: str, node: int = 28) -> str:
        return f"""
racks: {{compute: {{part: dgx-h100, axes: {{su: 1, node: {node}}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700, per: [su, rail], reserve: {reserve}}}, spine: {{part: qm9700}}}}
"""

    for reserve, kept in (
        ("{last: 4}", {"31/1", "31/2", "32/1", "32/2"}),
        ("{ports: [3/1, 4/1]}", {"3/1", "3/2", "4/1", "4/2"}),
        ("{share: 10%}", {"29/1", "32/2"}),
    ):
        used = {r["z_port"] for r in cables(leaf(reserve)) if r["layer"] == "node-leaf"} | {
            r["a_port"] for r in cables(leaf(reserve)) if r["layer"] == "leaf-spine"
        }
        assert not used & kept
        assert len(used) == 56
        assert errors(analysed(leaf(reserve))) == {}
    short = [f for f in analysed(leaf("{last: 10}")).findings if f.code == "port-shortage"]
    assert [f.what for f in short] == ["backend/leaf: 66 ports needed, qm9700 has 64, short by 2"]


def test_every_leaf_reaches_every_spine_and_tiers_only_meet_their_neighbours() -> None:
    rows = cables(h100(), su=2)
    leaf_spine = [r for r in rows if r["layer"] == "leaf-spine"]
    leaves, spines = ({r[k] for r in leaf_spine} for k in ("a_device", "z_device"))
    assert {(r["a_device"], r["z_device"]) for r in leaf_spine} == set(product(leaves, spines))
    assert all(("node" in r["a_device"]) == (r["layer"] == "node-leaf") for r in rows)


def test_same_rail_ends_on_leaves_of_that_rail() -> None:
    from dcgen.catalog import Shelf

    node = Shelf().get("dgx-h100")
    socket = {entry.port: entry.at["rail"] for entry in node.port_groups()["fabric"].map}
    for row in cables(h100(), su=2):
        if row["layer"] == "node-leaf":
            assert f"rail{socket[row['a_port']]}" in row["z_device"]


def test_counts_in_every_artefact_agree() -> None:
    analysis = analysed("blueprints/gb300-superpod.yaml")
    rows = cables("blueprints/gb300-superpod.yaml")
    from dcgen.design.graph import device_graph
    from dcgen.tables import bom_table, rack_table

    field = [b for b in analysis.design.bundles if b.field_cabled]
    assert len(rows) == value(analysis, "cables") == device_graph(analysis.design, field).number_of_edges() == 1152
    bom = bom_table(analysis.design).frame().to_dicts()
    assert sum(r["quantity"] for r in bom if r["kind"] == "cable") == len(rows)
    power = sum(r["quantity"] * (r["unit_power_max_w"] or 0) for r in bom)
    assert power == pytest.approx(value(analysis, "power_max"))
    assert len(rack_table(analysis.design).frame()) == value(analysis, "devices")


def test_more_than_one_endpoint_kind_shares_leaves_without_meeting() -> None:
    text = """
racks:
  compute: {part: dgx-h100, axes: {node: 16}}
  extra: {part: dgx-h100, axes: {node: 8}}
fabrics:
  backend: {kind: clos, serves: [compute.fabric, extra.fabric], leaf: {part: qm9700, per: rail}, spine: {part: qm9700}}
"""
    analysis = analysed(text)
    assert errors(analysis) == {}
    assert value(analysis, "devices", "backend/leaf") == 8
    assert value(analysis, "links", "backend") == 8 * 24 * 2
    rows = cables(text)
    assert len({(r["z_device"], r["z_port"]) for r in rows}) == len(rows)


@pytest.mark.parametrize(("fill", "per_leaf"), [("pack", [32, 32, 16]), ("deal", [27, 27, 26])])
def test_counted_leaves_are_packed_or_dealt(fill: str, per_leaf: list[int]) -> None:
    text = f"""
racks: {{compute: {{part: dgx-h100, axes: {{node: 10}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: qm9700, fill: {fill}}}, spine: {{part: qm9700}}}}
"""
    analysis = analysed(text)
    assert value(analysis, "devices", "backend/leaf") == 3
    assert sorted(Counter(r["z_device"] for r in cables(text) if r["layer"] == "node-leaf").values(), reverse=True) == per_leaf
    assert errors(analysis) == {}


def test_ports_used_and_free_add_up() -> None:
    analysis = analysed(h100(), su=3)
    assert (value(analysis, "ports_used", "backend/leaf"), value(analysis, "ports", "backend/leaf")) == (24 * 64, 24 * 64)
    assert (value(analysis, "ports_used", "backend/spine"), value(analysis, "ports", "backend/spine")) == (768, 16 * 64)


@pytest.mark.parametrize(("ratio", "uplinks", "gbps"), [(1, 32, 102_400), (2, 16, 51_200), (4, 8, 25_600)])
def test_bisection_follows_the_uplinks(ratio: int, uplinks: int, gbps: int) -> None:
    """L leaves of u uplinks at b: L/2 × u × b, one direction; hosts never carry transit. Here 2 su × 8 leaves of 400G."""
    analysis = analysed(h100(more=f", oversubscription: {ratio}"), su=2)
    assert value(analysis, "links", "backend/leaf-spine") == 16 * uplinks
    assert value(analysis, "bisection", "backend") == gbps
    assert value(analysis, "oversubscription", "backend/leaf") == ratio


def test_bisection_over_a_near_spread_is_counted_on_the_links() -> None:
    analysis = analysed(h100(more=", spread: near"), su=3)
    found = analysis.get("bisection", "backend")
    assert found
    assert "equitable partition" in found.method
    assert found.value == 24 * 32 * 400 / 2


def test_a_port_claimed_twice_is_found() -> None:
    """Inside a bundle it cannot happen; here two bundles are made to begin at one cage."""
    from dataclasses import replace

    from dcgen.analysis import analyse

    design = analysed(h100(), su=1).design
    down, up = design.bundles
    clash = replace(up, a=replace(up.a, block=replace(up.a.block, first=10)))
    found = [f for f in analyse(replace(design, bundles=(down, clash))).findings if f.code == "port-conflict"]
    assert len(found) == 1
    assert found[0].what == (
        "backend/leaf[su=0,rail=0]: cage 11 of `main` is used by backend/compute-fabric-leaf and by backend/leaf-spine (and 47 more cages)"
    )
