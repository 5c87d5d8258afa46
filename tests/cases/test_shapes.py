"""Families beside the Clos (`Collapsed`, `Direct`), twin racks, unequal racks, tenants, reserves; and how many `hops` they take."""

import re
from collections import Counter

import networkx as nx
import pytest

from dcgen.analysis import Analysis
from dcgen.design.graph import device_graph
from dcgen.diagnostics import Rejected
from dcgen.tables.ports import port_table
from tests.cases.support import ROOT, analysed, cables, ends, errors, value

AT = str(ROOT / "tests" / "cases" / "errors" / "case.yaml")


def switches(analysis: Analysis, group: str) -> nx.Graph:
    """The graph among the switches of one group."""
    bundles = [b for b in analysis.design.bundles if b.a.group == b.b.group == group]
    return nx.Graph(device_graph(analysis.design, bundles))


def direct(axes: str, neighbours: str, per: str) -> Analysis:
    return analysed(f"""
racks: {{hosts: {{part: dgx-h100, axes: {{{axes}}}}}}}
fabrics:
  net:
    kind: direct
    serves: hosts.storage
    switch: {{part: qm9700, per: [{per}]}}
    neighbours: {{{neighbours}}}
""")


def test_dragonfly() -> None:
    """a = 4 routers, h = 2 global links each, g = a·h + 1 = 9 groups: one link per pair of groups, h per router, diameter 3."""
    analysis = direct("group: 9, router: 4, host: 1", "router: mesh, group: {shape: mesh, over: router}", "group, router")
    assert value(analysis, "links", "net/group") == 36
    assert value(analysis, "links", "net/router") == 9 * 6
    graph = switches(analysis, "net/router")
    assert nx.diameter(graph) == 3
    assert {d for _, d in graph.degree()} == {3 + 2}
    assert errors(analysis) == {}


def test_hyperx() -> None:
    """4 × 4: every row and every column a mesh; bisection N·S/4 links along a dimension, as long as the hosts do not bind."""
    analysis = direct("x: 4, y: 4, host: 8", "x: mesh, y: mesh", "x, y")
    graph = switches(analysis, "net/router")
    assert (graph.number_of_edges(), nx.diameter(graph)) == (2 * 4 * 6, 2)
    assert value(analysis, "bisection", "net") == 16 * 4 / 4 * 400
    assert value(analysis, "hops", "net") == 3


def test_full_mesh_and_its_hops() -> None:
    analysis = direct("s: 6, host: 2", "s: {shape: mesh, links: 3}", "s")
    assert value(analysis, "links", "net/s") == 15 * 3
    assert value(analysis, "hops", "net") == 2


@pytest.mark.parametrize(("shape", "links", "diameter", "bisection"), [("ring", 3 * 64, 6, 2 * 16 * 400), ("line", 3 * 48, 9, 16 * 400)])
def test_torus_of_chips(shape: str, links: int, diameter: int, bisection: float) -> None:
    """4 × 4 × 4 chips joined by their own ports; halving a torus cuts 2·N/d links, a mesh half of that."""
    analysis = analysed(f"""
racks: {{cube: {{part: tpu-v4-chip, axes: {{x: 4, y: 4, z: 4}}}}}}
fabrics: {{ici: {{kind: direct, serves: cube.ici, neighbours: {{x: {shape}, y: {shape}, z: {shape}}}}}}}
""")
    graph = nx.Graph(device_graph(analysis.design, analysis.design.bundles))
    assert (value(analysis, "links", "ici"), nx.diameter(graph)) == (links, diameter)
    assert value(analysis, "bisection", "ici") == bisection


def test_a_ring_of_two_is_one_link() -> None:
    analysis = analysed("""
racks: {cube: {part: tpu-v4-chip, axes: {x: 2}}}
fabrics: {ici: {kind: direct, serves: cube.ici, neighbours: {x: ring}}}
""")
    assert value(analysis, "links", "ici") == 1


def test_rail_only_is_a_clos_without_spines() -> None:
    """16 racks of 18 trays: 288 ports to a rail, 144 to a switch: two per rail, and rails that never meet."""
    analysis = analysed("""
racks: {compute: {part: gb300-nvl72, axes: {rack: 16}}}
fabrics: {rail: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: rail, count: 2}}}
""")
    assert value(analysis, "devices", "rail/leaf") == 8
    assert value(analysis, "hops", "rail") == 1
    islands = [f for f in analysis.findings if f.code == "separate-islands"]
    assert "8 islands" in islands[0].what
    assert errors(analysis) == {}


def test_two_half_racks_are_one_domain() -> None:
    """NVL36×2: 72 GPUs and 18 switch trays in two racks; nothing of it in the field cabling plan."""
    one = analysed("racks: {compute: {part: gb200-nvl72, axes: {rack: 1}}}")
    two = analysed("racks: {compute: {part: gb200-nvl36, axes: {rack: 2}}}")
    assert value(one, "gpus") == value(two, "gpus") == 72
    assert [value(a, "racks") for a in (one, two)] == [1, 2]
    assert [value(a, "devices", "compute/switch-tray") for a in (one, two)] == [9, 18]
    assert cables("racks: {compute: {part: gb200-nvl36, axes: {rack: 2}}}") == []
    assert value(two, "links", "compute-scale-up/twins") == 18 * 36


def test_unequal_racks_keep_their_rails() -> None:
    """Racks of 18, 16, 9 and 8 trays: 51 in all; rail i of every tray that is there goes to leaf i; nothing is padded."""
    text = """
racks: {compute: {part: gb300-nvl72, axes: {rack: 4}, unequal: {tray: [18, 16, 9, 8]}}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: rail}}}
"""
    analysis = analysed(text)
    assert (value(analysis, "nodes"), value(analysis, "gpus")) == (51, 204)
    assert set(Counter(r["z_device"] for r in cables(text)).values()) == {51}
    full = text.replace(", unequal: {tray: [18, 16, 9, 8]}", "")
    assert ends(cables(text)) < ends(cables(full))


def tenants(at: str, part: str = "ufm-3-1") -> str:
    return f"""
racks:
  compute: {{part: dgx-h100, axes: {{su: 2, node: 32}}}}
  ufm: {{part: {part}, axes: {{unit: 2}}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {{part: qm9700, per: [su, rail]}}
    spine: {{part: qm9700}}
    in_place_of: {{ufm: {{serves: ufm.fabric, at: {at}}}}}
"""


def test_a_tenant_takes_the_sockets_of_the_node_it_displaces() -> None:
    whole = ends(cables(tenants("last").split("    in_place_of")[0].replace("ufm: {part", "spare: {part")))
    for at, node in (("last", "su1-node31"), ("'compute/node[su=0,node=5]'", "su0-node5"), ("'compute[su=0,node=6]'", "su0-node6")):
        rows = cables(tenants(at))
        mine = [r for r in rows if r["a_device"].startswith("ufm")]
        gone = {(z, p) for a, _, z, p in whole - ends(rows) if a == f"compute-node-{node}"}
        assert len(mine) == 4
        assert {(r["z_device"], r["z_port"]) for r in mine} < gone
        assert len({(r["a_device"], r["a_port"]) for r in mine}) == 4
        assert not [a for a, *_ in whole - ends(rows) if a != f"compute-node-{node}"]


def test_the_link_of_a_tenant_is_not_taken_out_by_its_port() -> None:
    row = next(r for r in cables(tenants("last")) if r["a_device"].startswith("ufm"))
    su, rail = re.findall(r"\d+", row["z_device"])
    text = f"{tenants('last')}    absent: ['backend/leaf[su={su},rail={rail}]:{row['z_port']}']\n"
    with pytest.raises(Rejected, match="nor that of a tenant"):
        analysed(text)


def reserved(mode: str) -> str:
    return f"""
params: {{su: 1}}
racks: {{compute: {{part: gb300-nvl72, axes: {{su: $su, rack: 8}}}}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {{part: q3400-ra, per: [su, rail, half=rack/4]}}
    spine: {{part: q3400-ra}}
    reserve: {{su: 4, spines: {mode}}}
"""


def test_a_reserve_that_is_built_now_keeps_every_cable() -> None:
    one = analysed(reserved("now"))
    assert value(one, "devices", "backend/spine") == 18
    assert ends(cables(reserved("now"))) < ends(cables(reserved("now"), su=2))
    assert errors(one) == {}


def test_a_reserve_that_follows_builds_what_today_needs_and_tells_what_growing_moves() -> None:
    one = analysed(reserved("follow"))
    assert value(one, "devices", "backend/spine") == 4
    assert any("18 at su 4" in d.what and "at most 128 stay" in d.why for d in one.design.decisions)
    assert errors(one) == {}


def test_how_many_links_stay_is_foretold_only_where_every_pair_is_alike() -> None:
    text = """
racks: {compute: {part: gb300-nvl72, axes: {su: 1, rack: 8}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    spread: near
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra}
    reserve: {su: 10, spines: follow}
"""
    (why,) = [d.why for d in analysed(text).design.decisions if d.what == "40 at su 10"]
    assert "only some stay" in why


def test_lengths_are_assumed_by_what_the_links_join() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {node: 8}}}
fabrics:
  pair: {kind: collapsed, switch: {part: qm9700}, attach: {nodes: {serves: compute.storage}}, isl: derived}
  mesh: {kind: direct, serves: compute.fabric, switch: {part: qm9700, per: rail}, neighbours: {rail: mesh}}
links: [["pair/switch[switch=0]:32/1", "mesh/router[rail=0]:32/1"]]
"""
    media = {b.name: b.longest for b in analysed(text).design.bundles}
    lengths = {name: m.length_m for name, m in media.items() if m and m.basis == "assumed"}
    assert lengths == {"pair/nodes": 30, "pair/isl": 50, "mesh/compute-fabric-router": 30, "mesh/rail": 50, "links/0": 30}


def test_both_ports_of_a_nic_go_to_two_switches() -> None:
    rows = [r for r in cables("blueprints/hpn-pod.yaml", segments=1) if r["layer"] == "node-leaf"]
    homes: dict[tuple[str, int], set[str]] = {}
    for r in rows:
        homes.setdefault((r["a_device"], (int(r["a_port"].removeprefix("nic")) - 1) // 2), set()).add(r["z_device"])
    assert len(homes) == 128 * 8
    assert all(len(h) == 2 for h in homes.values())


def test_frontend_storage_and_out_of_band_live_in_one_design() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {su: 1, node: 32}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, per: [su, rail]}, spine: {part: qm9700}}
  storage: {kind: clos, serves: compute.storage, leaf: {part: qm9700}, spine: {part: qm9700}, oversubscription: 1.67}
  oob: {kind: clos, serves: [compute.bmc, backend, storage.leaf], leaf: {part: sn2201}}
"""
    analysis = analysed(text)
    assert errors(analysis) == {}
    oob = 32 + 8 + 4 + value(analysis, "devices", "storage/leaf")
    assert value(analysis, "links", "oob") == oob
    assert value(analysis, "devices", "oob/leaf") == -(-oob // 48)
    assert value(analysis, "oversubscription", "storage/leaf") <= 1.67
    rows = cables(text)
    sockets = [(r[f"{e}_device"], r[f"{e}_port"]) for r in rows for e in "az"]
    assert len(set(sockets)) == len(sockets)


def test_swapping_the_order_of_endpoints_is_a_choice_of_the_author() -> None:
    """`serves` is a list: its order decides the ports, and nothing else does."""
    text = """
racks:
  b: {part: dgx-h100, axes: {node: 4}}
  a: {part: dgx-h100, axes: {node: 4}}
fabrics: {oob: {kind: clos, serves: [b.bmc, a.bmc], leaf: {part: sn2201, count: 2, fill: deal}}}
"""
    swapped = text.replace(
        "  b: {part: dgx-h100, axes: {node: 4}}\n  a: {part: dgx-h100, axes: {node: 4}}",
        "  a: {part: dgx-h100, axes: {node: 4}}\n  b: {part: dgx-h100, axes: {node: 4}}",
    )
    assert ends(cables(text)) == ends(cables(swapped))
    assert ends(cables(text)) != ends(cables(text.replace("[b.bmc, a.bmc]", "[a.bmc, b.bmc]")))


def test_several_tenants_in_one_node_take_a_socket_each() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {su: 2, node: 4}}, mgr: {part: ufm-3-1, axes: {unit: 3}}}
fabrics:
  f: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, per: [su]}, in_place_of: {mgr: {serves: mgr.fabric}}}
"""
    analysis = analysed(text)
    names = [b.name for b in analysis.design.bundles]
    assert len(names) == len(set(names))
    rows, sockets = cables(text), port_table(analysis.design).frame()
    mine = [r for r in rows if r["a_device"].startswith("mgr")]
    assert value(analysis, "links", "f") == len(rows) == 7 * 8 + len(mine)
    assert len({(r["z_device"], r["z_port"]) for r in rows}) == len(rows)
    assert sockets.select("device", "port").is_duplicated().sum() == 0
    assert sockets.filter(state="used").height == len(rows)


@pytest.mark.parametrize("serves", ["compute.dpu, more.dpu", "more.dpu, compute.dpu", "compute.dpu, store.nic"])
def test_several_kinds_of_device_walk_round_one_ring(serves: str) -> None:
    text = f"""
racks:
  compute: {{part: gb300-nvl72-era, axes: {{rack: 2}}}}
  more: {{part: gb300-nvl72-era, axes: {{rack: 1}}}}
  store: {{part: storage-server-200g, axes: {{n: 9}}}}
fabrics: {{frontend: {{kind: clos, serves: [{serves}], leaf: {{part: sn5610, count: 7, home: ring}}}}}}
"""
    analysis, rows = analysed(text), cables(text)
    assert errors(analysis) == {}
    assert len({(r["z_device"], r["z_port"]) for r in rows}) == len(rows) == value(analysis, "links", "frontend")


TPUS = "{part: tpu-v4-chip, axes: {x: {size: 4, room: 6}, y: 2}}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{kind: direct, serves: t.ici, neighbours: {x: ring}}", "bad-choice"),
        ("{kind: collapsed, switch: {part: qm9700, count: 2}, attach: {gpu: {serves: a.fabric, per: rail%9}}}", "bad-per"),
        ("{kind: clos, serves: a.fabric, leaf: {part: qm9700, per: [spine=rail]}, spine: {part: qm9700}}", "bad-per"),
        ("{kind: clos, serves: a.fabric, leaf: {part: qm9700, rate: 0G}}", "out-of-range"),
        ("{kind: clos, serves: a.fabric, leaf: {part: qm9700, rate: 300G}}", "rate-mismatch"),
        ("{kind: clos, serves: a.fabric, leaf: {part: qm9700, per: rail}, reserve: {axes: {node: 10000}}}", "port-shortage"),
    ],
)
def test_what_cannot_be_wired_is_refused(text: str, code: str) -> None:
    with pytest.raises(Rejected) as refused:
        analysed(f"racks: {{a: {{part: dgx-h100, axes: {{node: 4}}}}, t: {TPUS}}}\nfabrics:\n  f: {text}\n")
    assert code in {d.code for d in refused.value.diagnostics}
