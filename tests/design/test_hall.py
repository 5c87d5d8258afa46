"""Where racks stand and how far cables run: exact figures of small halls, worked out by hand."""

from typing import Any

import pytest

import dcgen
from dcgen.design import Design
from dcgen.design.hall import UNIT_M, Hall, Row, Run, Tray, in_runs
from dcgen.design.save import dump, load
from dcgen.design.trays import Network
from dcgen.source import parse_text
from dcgen.tables import bom_table, cable_table
from tests.cases.support import ROOT

POD = """
racks: {compute: {part: gb300-nvl72, axes: {rack: 8}}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [rail, half=rack/4]}, spine: {part: q3400-ra}}}
"""
PAIR = """
racks: {a: {part: dgx-h100, axes: {node: 2}, per_rack: 1}}
fabrics: {oob: {kind: clos, serves: a.bmc, leaf: {part: sn2201}}}
"""


def design(text: str) -> Design:
    return dcgen.lay_out(dcgen.parse(parse_text(f"dcgen: 1\nname: case\n{text}", str(ROOT / "blueprints" / "case.yaml"))))


def rows(text: str) -> list[dict[str, Any]]:
    return list(cable_table(design(text)).frame().to_dicts())


def test_a_way_goes_up_along_and_down() -> None:
    """Two racks four tiles apart: v_a + v_b + 4 × 0.6 m + twice the lead and twice the slack."""
    text = f"""{PAIR}
hall:
  positions: 6
  rows: 1
  place: {{"a/node[node=0]": "r0[0]", "a/node[node=1]": "r0[5]", oob/leaf: "r0[4]"}}
  units: {{a/node: 40 U, oob/leaf: 42 U}}
  tray_height: 2.7 m
  slack: 1 m
  lead: 0.25 m
"""
    up = (2.7 - 40 * UNIT_M) + (2.7 - 42 * UNIT_M)
    found = {r["a_device"]: r for r in rows(text)}
    assert found["a-node-node0"]["route_m"] == pytest.approx(up + 4 * 0.6 + 2 * (1 + 0.25), abs=6e-4)
    assert found["a-node-node1"]["route_m"] == pytest.approx(up + 1 * 0.6 + 2 * (1 + 0.25), abs=6e-4)
    assert (found["a-node-node0"]["a_unit"], found["a-node-node0"]["z_unit"], found["a-node-node0"]["z_tile"]) == ("40", "42", "r0[4]")
    assert {r["length_basis"] for r in found.values()} == {"routed"}
    assert [found[f"a-node-node{i}"]["length_m"] for i in (0, 1)] == [7, 5]


def test_in_one_rack_a_cable_does_not_go_to_the_tray() -> None:
    text = """
racks: {a: {part: dgx-h100, axes: {node: 2}, per_rack: 2}}
fabrics: {pair: {kind: direct, serves: a.storage, neighbours: {node: line}}}
hall: {units: {a/node: [3 U, 13 U]}}
"""
    found = rows(text)
    assert [r["route_m"] for r in found] == [pytest.approx(10 * UNIT_M + 2, abs=6e-4)] * len(found)
    assumed = rows(text.replace("units: {a/node: [3 U, 13 U]}", ""))
    assert {r["route_m"] for r in assumed} == {round(24 * UNIT_M + 2, 3)}  # half of the rack, while nobody says where


def test_rows_are_joined_by_the_nearer_cross_tray() -> None:
    hall = Hall(
        rows=(Row("r0", "hall", 0.0, 10), Row("r1", "hall", 2.4, 10)),
        trays=(
            Tray("over-r0", "hall", "r0", 0.0, 0.0, 6.0, 2.7), Tray("over-r1", "hall", "r1", 2.4, 0.0, 6.0, 2.7),
            Tray("start", "hall", "", 0.0, 0.0, 2.4, 2.7), Tray("end", "hall", "", 6.0, 0.0, 2.4, 2.7),
        ),
    )  # fmt: skip
    network = Network(hall)
    assert len(network) == 4
    far, _, known = network.from_point(network.attachments("r0", 0)[0].left)
    assert sorted(round(x, 6) for x in far) == [0, 2.4, 6, 8.4]
    assert all(known)
    assert network.islands() == [{0, 1, 2, 3}]


def test_trays_of_two_heights_meet_by_a_drop() -> None:
    trays = (Tray("over", "hall", "r0", 0.0, 0.0, 6.0, 2.7), Tray("under", "hall", "", 3.0, 0.0, 2.4, -0.3))
    network = Network(Hall(rows=(Row("r0", "hall", 0.0, 10),), trays=trays))
    assert [(e.name, round(e.length_m, 6)) for e in network.edges] == [("", 3.0)]


def test_runs_are_stretches_of_neighbours() -> None:
    places = {("g", 0): ("r0", 0), ("g", 1): ("r0", 1), ("g", 2): ("r1", 0), ("h", 0): ("r1", 1)}
    assert in_runs(places) == (Run("g", 0, 2, "r0", 0), Run("g", 2, 1, "r1", 0), Run("h", 0, 1, "r1", 1))


def test_network_racks_stand_in_the_middle_of_their_row() -> None:
    tiles = {(group, rack): (row, at) for row, at, group, rack in design(f"{POD}hall: {{positions: 12}}").hall.tiles()}  # type: ignore[union-attr]
    assert [tiles["compute/rack", i][1] for i in range(8)] == [0, 1, 2, 3, 6, 7, 8, 9]
    assert (tiles["backend/leaf", 0], tiles["backend/spine", 0]) == (("r0", 4), ("r0", 5))
    ends = {(group, rack): at for _, at, group, rack in design(f"{POD}hall: {{positions: 12, network: end}}").hall.tiles()}  # type: ignore[union-attr]
    assert (ends["backend/leaf", 0], ends["backend/spine", 0]) == (8, 9)


def test_zones_are_respected() -> None:
    text = f"{POD}hall: {{rows: 4, positions: 10, zones: {{small: {{rows: [r0, r1], power: 500 kW}}, dry: {{rows: [r2], cooling: air}}}}}}"
    where: dict[str, list[str]] = {}
    for row, _, group, _ in design(text).hall.tiles():  # type: ignore[union-attr]
        where.setdefault(group, []).append(row)
    assert where["compute/rack"].count("r0") + where["compute/rack"].count("r1") == 3  # 3 × 142 kW, a fourth would be 568 kW
    assert "r2" not in where["compute/rack"]
    assert where["compute/rack"].count("r3") == 5


def test_blocked_tiles_stay_empty() -> None:
    hall = design(f"{POD}hall: {{positions: 12, blocked: ['r0[2..3]']}}").hall
    assert hall
    assert {at for row, at, _, _ in hall.tiles() if row == "r0"} == {0, 1, 4, 5, 6, 7, 8, 9, 10, 11}
    assert hall.free_tiles == 0


ROOMS = """
hall:
  rooms: {a: {rows: 1, positions: 8}, b: {rows: 1, positions: 4}}
  place: {compute/rack: "a-r0", backend/leaf: "b-r0[0]", backend/spine: "b-r0[1]"}
  ducts: {d1: {between: ["a-r0[7]", "b-r0[0]"], length: LENGTH}}
"""


def test_rooms_are_joined_by_ducts_of_a_stated_length() -> None:
    found = [r for r in rows(POD + ROOMS.replace("LENGTH", "80 m")) if r["layer"] == "node-leaf" and r["a_tile"] == "a-r0[5]"]
    up = 2 * (2.7 - 24 * UNIT_M)
    assert {r["route_m"] for r in found} == {round(up + 2 * 0.6 + 80 + 2, 3)}
    assert {r["length_m"] for r in found} == {100}


def test_an_unknown_length_is_never_zero() -> None:
    text = POD + ROOMS.replace("LENGTH", "unknown")
    found = [r for r in rows(text) if r["layer"] == "node-leaf"]
    assert {(r["route_m"], r["length_m"], r["part"], r["length_basis"]) for r in found} == {(None, None, None, "to be measured")}
    assert {r.code for r in design(text).remarks} >= {"length-unknown"}


def test_devices_far_apart_get_another_kind_of_optic_and_cages_stay_of_one_kind() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {su: 2, node: 4}, per_rack: 1}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, per: [su, rail]}, spine: {part: qm9700}}}
hall:
  rows: 2
  positions: 140
  place: {"compute/node[su=0]": "r0[0..3]", "compute/node[su=1]": "r0[130..133]", backend/leaf: "r0[4]", backend/spine: "r0[5]"}
"""
    found = rows(text)
    kinds: dict[str, set[str]] = {}
    for r in found:
        kinds.setdefault(r["a_optic"], set()).add(r["part"])
    assert len({r["part"] for r in found}) == 2
    plugs: dict[tuple[str, str], set[str]] = {}
    for r in found:
        plugs.setdefault((r["z_device"], r["z_port"].split("/")[0]), set()).add(r["z_optic"])
    assert {len(x) for x in plugs.values()} == {1}


def test_the_table_of_a_design_without_a_hall_has_no_column_of_a_hall() -> None:
    assert "route_m" not in cable_table(design(POD)).frame().columns


FULL = """
racks: {compute: {part: gb300-nvl72, axes: {su: 4, rack: 8}}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}}
hall:
  positions: 14
  diameters: {fibre: 3 mm}
  trays:
    over: {along: all, width: 400 mm, depth: 100 mm}
    west: {across: start, width: 100 mm, depth: 100 mm}
    east: {across: end, width: 150 mm, depth: 100 mm}
    mid: {across: 9, width: WIDTH, depth: 100 mm}
"""


def test_what_overfills_a_tray_goes_round_and_no_longer_than_it_must() -> None:
    wide, narrow = (design(FULL.replace("WIDTH", width)) for width in ("600 mm", "150 mm"))
    assert wide.hall
    assert narrow.hall
    assert not wide.hall.detours
    assert narrow.hall.detours
    assert not any(x.full for x in narrow.loads)
    assert max(x.cables for x in wide.loads if x.tray.name == "mid") == 1080  # 1080 × 7.07 mm2 are 51 % of 150 × 100 mm
    ways = [{r["cable"]: r["route_m"] for r in cable_table(d).frame().to_dicts()} for d in (wide, narrow)]
    longer = {c for c in ways[0] if ways[1][c] > ways[0][c]}
    assert longer
    assert all(ways[1][c] >= ways[0][c] for c in ways[0])
    assert load(dump(narrow)) == narrow


def test_cables_in_a_stretch_add_up_to_those_that_pass_it() -> None:
    found = design(FULL.replace("WIDTH", "600 mm"))
    at = {f"{row}[{p}]": row for row, p, _, _ in found.hall.tiles()}  # type: ignore[union-attr]
    table = cable_table(found).frame().to_dicts()
    leaving = sum((at[r["a_tile"]] == "r0") != (at[r["z_tile"]] == "r0") for r in table)
    assert leaving > 0
    assert sum(x.cables for x in found.loads if x.tray.name in ("west", "mid", "east") and x.start_m == 0) == leaving


COPPER = """
racks: {compute: {part: gb300-nvl72, axes: {rack: 8}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    numbering: paired
    leaf: {part: q3400-ra, per: [rail, half=rack/4]}
    spine: {part: q3400-ra}
hall: {positions: 14, slack: 0.1 m, lead: 0.1 m, tray_height: 2.3 m, unit: top}
media: {policy: POLICY}
"""


def test_a_cable_with_legs_is_one_of_the_bill() -> None:
    found = design(COPPER.replace("POLICY", "cheapest"))
    table = cable_table(found).frame().to_dicts()
    legs = [r for r in table if r["part"] == "mca7k10"]
    assert legs
    assert {r["leg"] for r in legs} == {1, 2}
    by_cable: dict[str, list[dict[str, Any]]] = {}
    for r in legs:
        by_cable.setdefault(r["cable"], []).append(r)
    assert {len(x) for x in by_cable.values()} == {2}
    assert all(len({r["length_m"] for r in x}) == 1 and x[0]["length_m"] >= max(r["route_m"] for r in x) for x in by_cable.values())
    bought = {(b["part"], b["length_m"]): b["quantity"] for b in bom_table(found).frame().to_dicts() if b["kind"] == "cable"}
    assert sum(n for (part, _), n in bought.items() if part == "mca7k10") == len(by_cable)
    straight = [r for r in table if r["layer"] == "leaf-spine"]
    assert {r["part"] for r in straight} == {"mca4k50"}  # both ports of a cage go to one far cage
    assert len({r["cable"] for r in straight}) * 2 == len(straight) == 576


def test_a_straight_cable_of_two_ports_needs_both_at_one_far_cage() -> None:
    striped = design(COPPER.replace("POLICY", "cheapest").replace("numbering: paired", "numbering: striped"))
    assert {r["part"] for r in cable_table(striped).frame().to_dicts() if r["layer"] == "leaf-spine"} == {"mfp7e30"}


@pytest.mark.parametrize(
    ("policy", "media"),
    [("cheapest", {"acc", "fibre"}), ("lowest-power", {"acc", "fibre"}), ("fewest-kinds", {"fibre"}), ("shortest-reach", {"acc", "fibre"})],
)
def test_policies_choose(policy: str, media: set[str]) -> None:
    found = [r for r in cable_table(design(COPPER.replace("POLICY", policy))).frame().to_dicts() if r["layer"] == "node-leaf"]
    assert {r["medium"] for r in found} == media
    only = cable_table(design(COPPER.replace("POLICY", f"{policy}, allow: optic"))).frame().to_dicts()
    assert {r["medium"] for r in only} == {"fibre"}


def test_named_parts_are_taken() -> None:
    text = POD.replace("half=rack/4]", "half=rack/4], optics: [mms4a20-xm800, mms4a00-xm], cable: mpo-12-os2-trunk") + "hall: {}"
    found = [r for r in rows(text) if r["layer"] == "node-leaf"]
    assert {(r["a_optic"], r["part"], r["z_optic"]) for r in found} == {("mms4a20-xm800", "mpo-12-os2-trunk", "mms4a00-xm")}
