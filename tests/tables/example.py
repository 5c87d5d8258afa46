"""Designs built by hand, with parts that exist nowhere, for tests of tables and drawings."""

from typing import Any

from dcgen.design.model import Axis, Block, Deal, Decision, Design, DeviceGroup, End, Fabric, Join, Media, Requirement
from dcgen.naming import parse_selector
from dcgen.parts import Accelerator, Cable, Node, Optic, Part, Rack, Shelf, Switch, SwitchTray

SOURCES: dict[str, Any] = {"maker": "Acme", "sources": {"sheet": {"title": "data sheet"}}}
POWER = {"typical": {"value": 2900.0}, "max": {"value": 7000.0}}


def parts(title: str = "Crossbar 144") -> dict[str, Part]:
    """One part of each kind."""
    switch_ports = {
        "main": {"cages": 72, "cage": "osfp", "modes": [(1, 1600.0), (2, 800.0)], "label": "{cage}", "split_label": "{cage}/{leg}"},
        "mgmt": {"cages": 2, "cage": "rj45", "modes": [(1, 1.0)], "lanes": 1},
    }
    nics: dict[str, object] = {
        "cages": 4,
        "cage": "osfp-rhs",
        "modes": [(1, 800.0)],
        "lanes": 4,
        "axes": {"rail": 4},
        "label": "nic{port}",
        "nic": "card",
    }
    nics["map"] = [{"at": {"rail": r}, "port": f"slot{r + 1}", "os": f"mlx5_{r}"} for r in range(4)]
    lengths = [{"length": 2.0, "part_number": "C-2"}, {"length": 10.0, "part_number": "C-10"}]
    made: list[Part] = [
        Switch.model_validate({"part": "x144", "kind": "switch", "title": title, "fabric": "infiniband", "ports": switch_ports, "height": 4,
                               "power": POWER, "price": {"value": 90000, "estimate": True}, "part_number": "00123", **SOURCES}),
        Switch.model_validate({"part": "x144-cpo", "kind": "switch", "title": "Crossbar photonic", "fabric": "infiniband",
                               "ports": {"main": {**switch_ports["main"], "optics": "co-packaged"}}, **SOURCES}),
        Node.model_validate({"part": "tray-4", "kind": "tray", "title": "Compute tray 4", "accelerator": "gpu", "accelerators": 4,
                             "ports": {"fabric": nics}, "height": 1, "power": {"max": 6600.0}, **SOURCES}),
        SwitchTray.model_validate({"part": "nv-tray", "kind": "switch-tray", "title": "Link tray", "chips": 2, "ports_per_chip": 72,
                                   "port_rate": 400.0, "height": 1, "power": {"max": 400.0}, **SOURCES}),
        Shelf.model_validate({"part": "shelf-33", "kind": "shelf", "title": "Shelf 33 kW", "capacity": 33000.0, "height": 1, **SOURCES}),
        Rack.model_validate({"part": "rack-72", "kind": "rack", "title": "Rack 72", "accelerators": 72, "units": 48,
                             "contents": {"tray": {"part": "tray-4", "count": 18}, "link": {"part": "nv-tray", "count": 9},
                                          "shelf": {"part": "shelf-33", "count": 8}},
                             "scale_up": {"nodes": "tray", "switches": "link", "link_rate": 400.0},
                             "power": {"max": {"value": 142000.0, "estimate": True}}, "price": {"value": 4000000},
                             "mass": 1360.0, **SOURCES}),
        Accelerator.model_validate({"part": "gpu", "kind": "accelerator", "title": "Accelerator", **SOURCES}),
        Cable.model_validate({"part": "copper", "kind": "cable", "title": "Copper 800G", "medium": "dac", "fits": ["osfp"], "reach_m": 3.0,
                              "lengths": lengths[:1], "price": {"value": 200}, **SOURCES}),
        Cable.model_validate({"part": "fibre", "kind": "cable", "title": "Jumper", "medium": "fibre", "fibre": "single-mode",
                              "connector": "mpo12", "reach_m": 500.0, "lengths": lengths, **SOURCES}),
        Optic.model_validate({"part": "optic-2x800", "kind": "optic", "title": "Twin optic", "fits": ["osfp"], "ports": 2,
                              "port_rate": 800.0,
                              "lane_rate": 200.0, "fibre": "single-mode", "connector": "mpo12", "reach_class": "dr4", "reach_m": 500.0,
                              "protocols": ["infiniband"], "power": {"max": {"value": 33.5, "estimate": True}}, **SOURCES}),
    ]  # fmt: skip
    return {p.part: p for p in made}


COPPER = Media("dac", "copper", length_m=2.0, basis="assumed: same row")
FIBRE = Media("fibre", "fibre", ("optic-2x800", "optic-2x800"), 10.0, "assumed: network row")


def rail_design(su: int = 1, absent: tuple[str, ...] = (), title: str = "Training cluster", gone: int = 0, switch: str = "x144") -> Design:
    """Racks of 72, two leaves per rail and unit, spines that take 72 uplinks of each leaf."""
    spines = {1: 4, 2: 8, 4: 18}[su]
    holes = [parse_selector(s) for s in absent]
    axes = (Axis("su", su), Axis("rack", 8))

    def inside(name: str, part: str, count: int, role: str) -> DeviceGroup:
        hole = tuple(h for h in holes if h.group == f"compute/{name}")
        return DeviceGroup(f"compute/{name}", part, (*axes, Axis(name, count)), hole, role, rack_axes=("su", "rack"), inside="compute")

    spine_holes = tuple(h for h in holes if h.group == "backend/spine")
    groups = [
        DeviceGroup("compute", "rack-72", axes, role="rack"),
        inside("tray", "tray-4", 18, "node"),
        inside("link", "nv-tray", 9, "scale-up"),
        inside("shelf", "shelf-33", 8, "shelf"),
        DeviceGroup("backend/leaf", switch, (Axis("su", su), Axis("rail", 4), Axis("half", 2)), (), "leaf", "backend", 1),
        DeviceGroup("backend/spine", switch, (Axis("spine", spines),), spine_holes, "spine", "backend", 2),
    ]
    nodes = Join(
        "backend.node-leaf", End("compute/tray", Block("fabric", lanes=4), {"rack": ("half", "r")}, ("rail",)),
        End("backend/leaf", Block("main", 0, 2), order=("r", "tray")), ("su", "half"), sizes={"half": 2, "r": 4},
        rate_gbps=800, fabric="backend", layer="node-leaf", media=(COPPER,), gone=tuple(_first_links(gone)),
    )  # fmt: skip
    up = Join(
        "backend.leaf-spine", End("backend/leaf", Block("main", 36, 2), order=("way", "spine")),
        End("backend/spine", Block("main", 0, 2), order=("way", "su", "rail", "half")), ways={"way": 72 // spines},
        rate_gbps=800, fabric="backend", layer="leaf-spine", media=(FIBRE,),
    )  # fmt: skip
    links = Join(
        "compute.scale-up", End("compute/tray", Block("nvlink")), End("compute/link", Block("nvlink")), ("su", "rack"),
        ways={"gpu": 4, "chip": 2}, rate_gbps=400, fabric="compute-scale-up", layer="accelerator-chip", field_cabled=False,
    )  # fmt: skip
    return Design(
        "cluster",
        {g.name: g for g in groups},
        (nodes, up, links),
        parts(),
        {
            "backend": Fabric("backend", "clos", ("compute/tray", "backend/leaf", "backend/spine"), {"backend/leaf": 1.0}, title="Backend"),
            "compute-scale-up": Fabric("compute-scale-up", "scale-up", ("compute/tray", "compute/link"), field_cabled=False),
        },
        (Decision("backend/spine", f"{spines} spines", "the fewest that divide 72 uplinks"),),
        (Requirement("links(backend) == 1152", "links", "backend", "==", 1152 * su, expected=True),),
        title=title,
        parameters={"su": str(su)},
    )


def _first_links(count: int) -> list[dict[str, int]]:
    return [{"su": 0, "half": 0, "r": 0, "tray": t, "rail": 0} for t in range(count)]


def three_tiers(title: str = "Hundred thousand") -> Design:
    """103,680 accelerators: pods of 18 groups of 4 racks, 72 spines a pod, 720 cores that meet spines of one number."""
    tray = (Axis("pod", 20), Axis("grp", 18), Axis("rack", 4), Axis("tray", 18))
    rack = DeviceGroup("compute", "rack-72", tray[:3], role="rack")
    node = DeviceGroup("compute/tray", "tray-4", tray, role="node", rack_axes=("pod", "grp", "rack"), inside="compute")
    leaf = DeviceGroup("backend/leaf", "x144", (Axis("pod", 20), Axis("rail", 4), Axis("grp", 18)), role="leaf", fabric="backend", tier=1)
    spine = DeviceGroup("backend/spine", "x144", (Axis("pod", 20), Axis("spine", 72)), role="spine", fabric="backend", tier=2)
    core = DeviceGroup("backend/core", "x144", (Axis("spine", 72), Axis("core", 12)), role="core", fabric="backend", tier=3)
    low, high = Block("main", 0, 2), Block("main", 36, 2)
    shared: dict[str, Any] = {"rate_gbps": 800, "fabric": "backend"}
    bundles = (
        Join("backend.node-leaf", End("compute/tray", Block("fabric", lanes=4), order=("rail",)),
             End("backend/leaf", low, order=("rack", "tray")),
             ("pod", "grp"), layer="node-leaf", media=(COPPER,), **shared),
        Join("backend.leaf-spine", End("backend/leaf", high, order=("spine",)), End("backend/spine", low, order=("rail", "grp")),
             ("pod",), layer="leaf-spine", media=(FIBRE,), **shared),
        Join("backend.spine-core", End("backend/spine", high, order=("way", "core")), End("backend/core", low, order=("way", "pod")),
             ("spine",), {"way": 6}, layer="spine-core", media=(FIBRE,), **shared),
    )  # fmt: skip
    tiers = ("compute/tray", "backend/leaf", "backend/spine", "backend/core")
    groups = {g.name: g for g in (rack, node, leaf, spine, core)}
    return Design("hundred", groups, bundles, parts(), {"backend": Fabric("backend", "clos", tiers, {tiers[1]: 1.0})}, title=title)


def dual_plane(title: str = "Two planes", part_title: str = "Crossbar 144") -> Design:
    """Servers with eight ports in two planes that never meet, photonic switches, on racks by rule."""
    node = DeviceGroup("hosts", "server-8", (Axis("pair", 16), Axis("node", 4)), role="node", per_rack=4)
    leaf = DeviceGroup("fabric/leaf", "x144", (Axis("plane", 2), Axis("pair", 16), Axis("rail", 4)), role="leaf", fabric="fabric", tier=1)
    spine = DeviceGroup("fabric/spine", "x144-cpo", (Axis("plane", 2), Axis("spine", 4)), role="spine", fabric="fabric", tier=2)
    ports = {"cages": 4, "cage": "osfp", "modes": [(2, 400.0)], "axes": {"rail": 4, "plane": 2}, "first": 3, "label": "eth{port}"}
    server = {"part": "server-8", "kind": "node", "title": "Server 8", "accelerators": 8, "ports": {"nic": ports}, "height": 8, **SOURCES}
    access = Join("fabric.node-leaf", End("hosts", Block("nic", 0, 2), order=("rail", "plane")),
                  End("fabric/leaf", Block("main", 0, 2), order=("node",)), ("pair",), rate_gbps=400, fabric="fabric", layer="node-leaf",
                  media=(COPPER,))  # fmt: skip
    up = Join("fabric.leaf-spine", End("fabric/leaf", Block("main", 36, 2), order=("spine",)),
              End("fabric/spine", Block("main", 0, 2), order=("pair", "rail")), ("plane",), rate_gbps=400, fabric="fabric",
              layer="leaf-spine", media=(FIBRE,))  # fmt: skip
    all_parts = parts(part_title) | {"server-8": Node.model_validate(server)}
    fabric = Fabric("fabric", "clos", ("hosts", "fabric/leaf", "fabric/spine"), title=title)
    return Design("planes", {g.name: g for g in (node, leaf, spine)}, (access, up), all_parts, {"fabric": fabric}, title=title)


def management(served: int = 6) -> Design:
    """Many kinds of device on one pair of management switches that are also joined to each other, and a spine."""
    switch = Switch.model_validate({"part": "m48", "kind": "switch", "title": "Manager 48", "fabric": "ethernet", "ports": {
        "down": {"cages": 48, "cage": "rj45", "modes": [(1, 1.0)], "lanes": 1, "label": "eth{cage}"},
        "up": {"cages": 6, "cage": "qsfp28", "modes": [(1, 100.0)], "lanes": 4, "first": 49, "label": "eth{cage}"}}, **SOURCES},
    )  # fmt: skip
    kinds = [DeviceGroup(f"kind{i}", "x144", (Axis("n", 3),), role="leaf", fabric=f"f{i}", tier=1) for i in range(served)]
    leaf = DeviceGroup("oob/leaf", "m48", (Axis("leaf", 2),), role="leaf", fabric="oob", tier=1)
    spine = DeviceGroup("oob/spine", "m48", (), role="spine", fabric="oob", tier=2)
    bundles = [
        Join(f"oob/{g.name}", End(g.name, Block("mgmt", lanes=1), order=("leaf",)),
             End("oob/leaf", Block("down", 3 * i, lanes=1), order=("n",)),
             rate_gbps=1, fabric="oob", layer="node-leaf", media=(Media("twisted-pair", "copper", length_m=5.0),))
        for i, g in enumerate(kinds)
    ]  # fmt: skip
    up = Join("oob/leaf-spine", End("oob/leaf", Block("up", 0, lanes=4)), End("oob/spine", Block("up", 0, lanes=4), order=("leaf",)),
              rate_gbps=100, fabric="oob", layer="leaf-spine", media=(FIBRE,))  # fmt: skip
    groups = {g.name: g for g in (*kinds, leaf, spine)}
    return Design("oob", groups, (*bundles, up), parts() | {"m48": switch}, {"oob": Fabric("oob", "clos", ("oob/leaf", "oob/spine"))})


def ring(leaves: int = 7) -> Design:
    """Nodes whose two ports are dealt over all leaves, so that every rack meets every leaf; no spine."""
    node = DeviceGroup("hosts", "server-2", (Axis("rack", 10), Axis("node", 7)), per_rack=7)
    leaf = DeviceGroup("front/leaf", "x144", (Axis("leaf", leaves),), role="leaf", fabric="front", tier=1)
    ports = {"cages": 2, "cage": "osfp", "modes": [(1, 800.0)], "axes": {"port": 2}}
    server = {"part": "server-2", "kind": "node", "title": "Server 2", "ports": {"nic": ports}, **SOURCES}
    upper = End("front/leaf", Block("main", 0, 2), order=("rack", "node", "port"), spread=Deal("leaf"))
    lower = End("hosts", Block("nic"), order=("port",))
    access = Join("front/hosts", lower, upper, (), {"port": 2}, rate_gbps=800, fabric="front", layer="node-leaf", media=(COPPER,))  # fmt: skip
    all_parts = parts() | {"server-2": Node.model_validate(server)}
    return Design("ring", {g.name: g for g in (node, leaf)}, (access,), all_parts, {"front": Fabric("front", "clos", ("front/leaf",))})
