"""The shelf finds parts, and every part that ships is well formed, cited and adds up."""

from pathlib import Path

import pytest

from dcgen import catalog
from dcgen.catalog import Shelf
from dcgen.diagnostics import Rejected
from dcgen.parts import Cable, Cdu, Figure, Laser, MoneyFigure, Node, Optic, Part, Pdu, Ports, Rack, Switch, SwitchTray
from dcgen.source import parse_text

DATA = Path(catalog.__file__).parent / "data"
FILES = sorted(DATA.glob("*/*.yaml"))
SHELF = Shelf()
MANAGEMENT = ("mgmt", "bmc", "oob")
WITHOUT_ADDRESS = ("address unknown", "address not kept", "through a mirror", "copied by", "difference of", "ANSI/TIA-")

USERS_PART = """
part: {name}
kind: accelerator
maker: us
title: Test
memory_gb: 7
sources: {{us: {{title: our bench}}}}
"""


def ids(kind: type[Part]) -> list[str]:
    return [part.part for part in SHELF.all() if isinstance(part, kind)]


def groups() -> list[tuple[str, str, Ports]]:
    return [(part.part, name, ports) for part in SHELF.all() for name, ports in part.port_groups().items()]


# every file


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_file_is_a_part_of_its_name_and_folder(file: Path) -> None:
    part = SHELF.get(file.stem)
    assert (part.part, part.kind) == (file.stem, file.parent.name)
    assert file.stem == file.stem.lower()


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_figure_is_cited(file: Path) -> None:
    part = SHELF.get(file.stem)
    assert part.source or all(f.source for f in part.figures().values())
    for source in part.sources.values():
        assert source.read
        assert source.url or any(words in source.title for words in WITHOUT_ADDRESS), source.title


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_source_is_used_or_explains_something(file: Path) -> None:
    part = SHELF.get(file.stem)
    used = {f.source or part.source for f in part.figures().values()} | {part.source}
    assert set(part.sources) & used, "no figure cites any of the sources"


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_text_is_fit_to_ship(file: Path) -> None:
    text = file.read_text()
    assert "gh-text-id" not in text
    assert "TODO" not in text
    assert text.endswith("\n")
    assert not any(line != line.rstrip() or "\t" in line for line in text.splitlines())


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_figures_agree(file: Path) -> None:
    part = SHELF.get(file.stem)
    typical, most = part.power.typical_w, part.power.max_w
    assert not typical or not most or most.value >= typical.value
    body, _ = part.body_w("max")
    assert body is None or body > 0
    assert all(isinstance(f, MoneyFigure | Figure) and f.value > 0 for f in part.figures().values())
    assert part.power.includes_optics == (part.power.optic_allotment_w is not None)


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_weak_figures_are_marked(file: Path) -> None:
    part = SHELF.get(file.stem)
    weak = {key for key, source in part.sources.items() if source.tier in ("secondary", "reseller", "derived") and not source.url}
    for name, figure in part.figures().items():
        cited = figure.source or part.source
        assert figure.estimate or cited not in weak or cited == "tia-568", f"{name} rests on `{cited}` alone"


# the whole shelf


def test_no_name_stands_in_two_folders() -> None:
    assert len({f.stem for f in FILES}) == len(FILES) >= 150
    assert SHELF.ids() == sorted(f.stem for f in FILES)


def test_references_point_at_parts_of_the_right_kind() -> None:
    for part in SHELF.all():
        if isinstance(part, Node) and part.accelerator:
            assert SHELF.get(part.accelerator).kind == "accelerator", part.part
        if isinstance(part, Rack):
            assert all(SHELF.get(content.part) for content in part.contents.values())
    for name, group, ports in groups():
        assert ports.nic is None or SHELF.get(ports.nic).kind in ("nic", "dpu"), f"{name} {group}"


@pytest.mark.parametrize(("name", "group", "ports"), [pytest.param(*g, id=f"{g[0]}-{g[1]}") for g in groups()])
def test_ports_add_up(name: str, group: str, ports: Ports) -> None:
    assert not ports.axes or ports.count(ports.modes[0][0]) == ports.size
    assert ports.protocols
    assert len({rate for _, rate in ports.modes}) == len(ports.modes)
    if ports.lane_rate_gbps:
        for split, rate in ports.modes:
            assert split * rate <= ports.lanes * ports.lane_rate_gbps
    labels = [ports.port_label(cage, sub, split, n) for split, _ in ports.modes[:1] for n, (cage, sub) in enumerate(
        ((c, s) for c in range(ports.first, ports.first + ports.cages) for s in range(split)), ports.first)]  # fmt: skip
    assert len(set(labels)) == len(labels), f"{name} {group} repeats a label"


@pytest.mark.parametrize("name", ids(Rack))
def test_rack_holds_what_it_says(name: str) -> None:
    rack = SHELF.get(name)
    assert isinstance(rack, Rack)
    parts = [(SHELF.get(content.part), content.count) for content in rack.contents.values()]
    assert sum(part.accelerators * count for part, count in parts if isinstance(part, Node)) == (rack.accelerators or 0)
    if rack.power.max_w:
        assert sum((part.body_w("max")[0] or 0) * count for part, count in parts) <= rack.power.max_w.value
    if rack.units:
        assert sum((part.height_u.value if part.height_u else 0) * count for part, count in parts) <= rack.units


@pytest.mark.parametrize("name", [n for n in ids(Rack) if "nvl72" in n or "nvl36" in n if n != "vr-nvl72"])
def test_scale_up_domain_adds_up(name: str) -> None:
    rack = SHELF.get(name)
    assert isinstance(rack, Rack)
    assert rack.scale_up
    assert rack.accelerators
    switch = SHELF.get(rack.contents[rack.scale_up.switches].part)
    assert isinstance(switch, SwitchTray)
    assert rack.contents[rack.scale_up.nodes]
    assert rack.domain_racks * rack.accelerators == switch.ports_per_chip
    assert switch.port_rate_gbps == rack.scale_up.link_rate_gbps


def test_half_racks_know_their_other_half() -> None:
    racks = {part.part: part.domain_racks for part in SHELF.all() if isinstance(part, Rack)}
    assert {name for name, racks_of_domain in racks.items() if racks_of_domain > 1} == {"gb200-nvl36"}
    assert racks["gb200-nvl36"] == 2


@pytest.mark.parametrize("name", ids(Optic))
def test_optic_fits_some_cage_and_cannot_be_confused(name: str) -> None:
    optic = SHELF.get(name)
    assert isinstance(optic, Optic)
    cages = {ports.cage for _, _, ports in groups()}
    assert set(optic.fits) <= cages
    assert (optic.port_rate_gbps / optic.lane_rate_gbps).is_integer()
    assert ("T" in name.upper().split("-")) <= (optic.protocols == ["ethernet"])


@pytest.mark.parametrize("name", ids(Cable))
def test_cable_plugs_into_some_cage(name: str) -> None:
    cable = SHELF.get(name)
    assert isinstance(cable, Cable)
    assert set(cable.fits) <= {ports.cage for _, _, ports in groups()}
    assert [x.length_m for x in cable.lengths] == sorted(x.length_m for x in cable.lengths)
    connectors = {o.connector for o in SHELF.all() if isinstance(o, Optic)} | {ports.connector for _, _, ports in groups()}
    assert cable.connector is None or cable.connector in connectors


@pytest.mark.parametrize(
    ("a", "b", "rate", "protocol"),
    [
        (("qm9700", "main"), ("gb200-compute-tray", "fabric"), 400, "infiniband"),
        (("qm9700", "main"), ("dgx-h100", "fabric"), 400, "infiniband"),
        (("qm9700", "main"), ("dgx-h100", "storage"), 400, "infiniband"),
        (("q3400-ra", "main"), ("gb300-compute-tray", "fabric"), 800, "infiniband"),
        (("q3400-ra", "main"), ("dgx-b300", "fabric"), 800, "infiniband"),
        (("q3400-ra", "main"), ("q3400-ra", "main"), 800, "infiniband"),
        (("sn5610", "main"), ("gb300-compute-tray-era", "fabric"), 400, "ethernet"),
        (("sn5610", "main"), ("hgx-b300-dual-plane", "fabric"), 400, "ethernet"),
        (("sn5610", "main"), ("gb300-compute-tray", "dpu"), 400, "ethernet"),
        (("sn5600", "main"), ("hgx-b200-server", "fabric"), 400, "ethernet"),
        (("sn5610", "main"), ("sn5610", "main"), 400, "ethernet"),
        (("sn6600", "main"), ("sn6600-ld", "main"), 800, "ethernet"),
    ],
    ids=lambda x: "-".join(x) if isinstance(x, tuple) else None,
)  # fmt: skip
def test_light_gets_through(a: tuple[str, str], b: tuple[str, str], rate: float, protocol: str) -> None:
    def light(part: str, group: str) -> set[tuple[object, ...]]:
        ports = SHELF.get(part).port_groups()[group]
        assert protocol in ports.protocols
        assert ports.split_for(rate)
        return {
            (o.reach_class, o.lane_rate_gbps, o.connector, o.fibre)
            for o in SHELF.all()
            if isinstance(o, Optic) and ports.cage in o.fits and o.port_rate_gbps == rate and protocol in o.protocols
        }

    fibres = {(c.connector, c.fibre) for c in SHELF.all() if isinstance(c, Cable) and c.medium == "fibre"}
    assert {(connector, fibre) for _, _, connector, fibre in light(*a) & light(*b)} & fibres


def test_published_maps_are_complete() -> None:
    for name in ("dgx-h100", "dgx-h200", "gb200-compute-tray"):
        ports = SHELF.get(name).port_groups()["fabric"]
        assert len(ports.map) == ports.size
    era = SHELF.get("gb300-compute-tray-era").port_groups()["fabric"]
    assert (era.port_label(0, 0, 2, era.first), era.port_label(0, 0, 2, era.first + era.size - 1)) == ("eth3", "eth10")


def test_switch_body_is_the_maximum_less_its_optics() -> None:
    bodies = {name: SHELF.get(name).body_w("max")[0] for name in ("qm9700", "q3400-ra", "sn5610", "cisco-n9364e-sg2-o")}
    assert bodies == {"qm9700": 1720 - 32 * 17, "q3400-ra": 7000 - 72 * 33.5, "sn5610": 900, "cisco-n9364e-sg2-o": 2270}


def test_only_co_packaged_ports_say_what_light_comes_out() -> None:
    dark = set()
    for name, group, ports in groups():
        light = (ports.fibre, ports.connector, ports.reach_class, ports.reach_m)
        assert all(light) or not any(light), f"{name} {group}: half a light"
        assert ports.optics == "co-packaged" or not any(light), f"{name} {group}"
        dark |= {name} if ports.optics == "co-packaged" and not any(light) else set()
    assert dark == {"broadcom-th5-bailly", "broadcom-th6-davisson"}, "their light was published nowhere that was read"


def test_laser_modules_cover_every_port() -> None:
    for name in ids(Switch):
        part = SHELF.get(name)
        if isinstance(part, Switch) and part.lasers:
            assert part.lasers.modules * part.lasers.per_module == part.ports["main"].cages
            module = SHELF.get(part.lasers.part or "")
            assert isinstance(module, Laser)
            assert module.lasers == part.lasers.per_module
            assert part.lasers.modules * (module.feeds or 0) == part.ports["main"].cages


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("hgx-2-8-9-400", {"fabric": ({"card": 8}, 400), "ns": ({"nic": 2}, 200), "bmc": ({"port": 4}, 1)}),
        ("hgx-2-8-5-200", {"fabric": ({"card": 4}, 400), "ns": ({"nic": 2}, 200), "bmc": ({"port": 4}, 1)}),
        ("hgx-2-4-3-200", {"fabric": ({"card": 2}, 400), "ns": ({"nic": 2}, 200), "bmc": ({"port": 1}, 1)}),
        ("support-server", {"ns": ({"nic": 2}, 200), "bmc": ({"port": 4}, 1)}),
        ("storage-server-100g", {"nic": ({"port": 6}, 100), "bmc": ({}, 1)}),
        ("ufm-3-1", {"fabric": ({"port": 2}, 400), "bmc": ({}, 1)}),
        ("gb300-compute-tray-era", {"fabric": ({"rail": 4, "plane": 2}, 400), "dpu": ({"nic": 1, "port": 2}, 200), "bmc": ({}, 1), "oob": ({}, 1)}),
        ("tpu-v4-chip", {"ici": ({"direction": 6}, 400)}),
        ("tpu-v4-host", {"ici": ({"chip": 4, "direction": 4}, 400)}),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)  # fmt: skip
def test_reference_nodes_have_the_published_ports(name: str, shape: dict[str, tuple[dict[str, int], float]]) -> None:
    assert {key: (ports.axes, ports.modes[0][1]) for key, ports in SHELF.get(name).port_groups().items()} == shape


def test_a_cube_is_half_bare_of_links() -> None:
    cube, host = SHELF.get("tpu-v4-cube"), SHELF.get("tpu-v4-host")
    assert isinstance(cube, Rack)
    ends = cube.contents["host"].count * host.port_groups()["ici"].size
    faces = 6 * 16
    joined_in_trays = 4 * 16
    assert ends == faces + 2 * (3 * 4 * 4 * 3 - joined_in_trays)


@pytest.mark.parametrize("kind", ["pdu", "cdu", "laser"])
def test_new_kinds_are_stocked(kind: str) -> None:
    parts = [part for part in SHELF.all() if part.kind == kind]
    assert len(parts) >= 2
    assert {type(part) for part in parts} <= {Pdu, Cdu, Laser}


def test_two_pdus_are_published_by_number() -> None:
    pdus = [part for part in SHELF.all() if isinstance(part, Pdu)]
    assert {part.part_number for part in pdus} == {"PX3-5878I2R-P1Q2R1A15D5", "PX3-5747V-V2"}
    assert all(part.capacity_w is part.outlets is part.phases is None for part in pdus), "none of it was published where we read"


def test_coolant_units_say_how_much_heat() -> None:
    units = {part.part: part for part in SHELF.all() if isinstance(part, Cdu)}
    assert all(unit.capacity_w for unit in units.values())
    best = units["vertiv-coolchip-2300"]
    assert (best.capacity_w and best.capacity_w.value, best.approach_k and best.approach_k.value) == (2_300_000, 4)
    assert best.flow_lpm
    assert not best.flow_lpm.estimate


def test_management_ports_meet() -> None:
    sockets = {ports.cage for _, group, ports in groups() if group in MANAGEMENT}
    assert sockets == {SHELF.get("sn2201").port_groups()["access"].cage}


# finding


def test_names_are_known_without_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    shelf = Shelf()
    monkeypatch.setattr("dcgen.catalog.shelf.read", None)
    monkeypatch.setattr("dcgen.catalog.shelf.parse_text", None)
    assert "qm9700" in shelf.ids()


def test_a_part_is_read_once() -> None:
    assert SHELF.get("qm9700") is SHELF.get("qm9700")


def test_users_part_wins(tmp_path: Path) -> None:
    (tmp_path / "gb200-gpu.yaml").write_text(USERS_PART.format(name="gb200-gpu"))
    (tmp_path / "ours.yaml").write_text(USERS_PART.format(name="ours"))
    shelf = Shelf(tmp_path)
    assert shelf.get("gb200-gpu").maker == "us"
    assert shelf.get("qm9700") == SHELF.get("qm9700")
    assert "ours" in shelf.ids()
    assert len(shelf.ids()) == len(SHELF.ids()) + 1
    assert {part.part for part in shelf.all()} == set(shelf.ids())


def test_folder_need_not_exist(tmp_path: Path) -> None:
    assert Shelf(tmp_path / "parts").ids() == SHELF.ids()


@pytest.mark.parametrize(
    ("name", "meant"), [("qm970", "qm9700"), ("QM9700", "qm9700"), ("gb300-nvl27", "gb300-nvl72"), ("connectx8", "connectx-8")]
)
def test_unknown_part_names_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(Rejected) as caught:
        SHELF.get(name)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "unknown-part"
    assert name in diagnostic.what
    assert meant in diagnostic.fix


def test_a_path_is_not_a_name(tmp_path: Path) -> None:
    (tmp_path / "secret.yaml").write_text(USERS_PART.format(name="secret"))
    folder = tmp_path / "parts"
    folder.mkdir()
    with pytest.raises(Rejected, match="no part"):
        Shelf(folder).get("../secret")


def test_file_and_part_must_have_one_name(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(USERS_PART.format(name="yours"))
    with pytest.raises(Rejected) as caught:
        Shelf(tmp_path).get("mine")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "bad-name"
    assert "yours" in diagnostic.what
    assert diagnostic.where
    assert diagnostic.where.line == 2


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("part: x\nkind: swich\n", "bad-choice", "switch"),
        ("part: x\nkind: [switch]\n", "bad-choice", "node"),
        ("part: x\nkind:\n", "bad-choice", "node"),
        ("part: x\nmaker: us\n", "missing-key", "kind"),
        ("part: x\nkind: accelerator\nmaker: us\ntitle: T\nsources: {us: {title: t}}\npower: {max: 3}\n", "bad-unit", "3 W"),
    ],
)
def test_parse_says_what_is_wrong(text: str, code: str, hint: str) -> None:
    with pytest.raises(Rejected) as caught:
        Shelf.parse(parse_text(text, "x.yaml"))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == code
    assert hint in diagnostic.fix
    assert diagnostic.where
    assert diagnostic.where.file == "x.yaml"
