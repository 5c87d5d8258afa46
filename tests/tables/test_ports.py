from dataclasses import replace

import pytest

from dcgen.design.columns import columns
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.tables import Book, cable_table, port_table, ports
from dcgen.tables.layout import budgets
from tests.tables.example import dual_plane, management, rail_design, ring

DESIGNS = [
    rail_design(),
    rail_design(4, ("compute/tray[su=0,rack=5,tray=17]", "backend/spine[spine=3]"), gone=3),
    dual_plane(),
    management(),
    ring(),
]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_every_port_of_every_switch_once(design: Design) -> None:
    table = port_table(design)
    frame = table.frame()
    assert table.rows == frame.height
    assert frame.select("device", "port").n_unique() == frame.height


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_used_ports_are_the_ends_of_the_cables(design: Design) -> None:
    used = port_table(design).frame().filter(state="used")
    cables = cable_table(design).frame()
    switches = set(used["device"])
    ends = [*cables.select("a_device", "a_port").rows(), *cables.select("z_device", "z_port").rows()]
    assert sorted(used.select("device", "port").rows()) == sorted(e for e in ends if e[0] in switches)
    upper = used.join(cables, left_on=["device", "port"], right_on=["z_device", "z_port"])
    assert upper.height == cables.height
    assert (upper["far_device"] == upper["a_device"]).all()
    assert (upper["far_port"] == upper["a_port"]).all()


def test_what_is_absent_keeps_its_ports() -> None:
    frame = port_table(rail_design(absent=("compute/tray[su=0,rack=5,tray=17]",))).frame()
    kept = frame.filter(state="kept")
    assert set(kept["far_device"]) == {"compute-tray-su0-rack5-tray17"}
    assert kept["far_port"].to_list() == ["slot1", "slot2", "slot3", "slot4"]
    assert frame.filter(state="free").height == port_table(rail_design()).frame().filter(state="free").height


def test_links_taken_out_keep_their_ports() -> None:
    states = port_table(rail_design(gone=5)).frame()["state"].value_counts()
    assert dict(states.rows())["kept"] == 5


def test_cages_that_nothing_may_use_are_reserved() -> None:
    design = dual_plane()
    leaf = replace(design.groups["fabric/leaf"], reserved=(70, 71), reserve_reason="test set")
    design = replace(design, groups={**design.groups, leaf.name: leaf})
    frame = port_table(design).frame().filter(state="reserved")
    assert set(frame["port"]) == {"71/1", "71/2", "72/1", "72/2"}
    assert budgets(design, leaf)[0].reserved == 4


def test_budget_is_the_fullest_switch() -> None:
    design = rail_design(4, ("compute/tray[su=0,rack=5,tray=17]",))
    main, mgmt = budgets(design, design.groups["backend/leaf"])
    assert (main.ports, main.used, main.free, main.rate_gbps) == (144, 144, 0, 800)
    assert (mgmt.used, mgmt.free) == (0, 2)


def test_one_cage_run_in_two_ways_on_different_switches() -> None:
    design = rail_design()
    up = design.bundles[1]
    halves = [
        replace(
            up, name=f"up{i}", a=replace(up.a, where={"half": range(i, i + 1)}, block=replace(up.a.block, split=2 - i)), ways={"way": 9}
        )
        for i in (0, 1)
    ]
    b = [replace(h, b=replace(h.b, block=replace(h.b.block, first=36 * i))) for i, h in enumerate(halves)]
    mixed = replace(design, bundles=(design.bundles[0], *b))
    table = port_table(mixed)
    frame = table.frame()
    assert table.rows == frame.height
    used = sum(len(columns(mixed, x)) for x in mixed.bundles) + sum(len(columns(mixed, x)) for x in b)
    assert frame.filter(state="used").height == used
    assert frame.select("device", "port").n_unique() == frame.height


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_frames_are_slices_of_devices_and_the_rows_stay_the_same(design: Design, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = port_table(design).frame()
    monkeypatch.setattr(ports, "AT_ONCE", 300)
    frames = list(port_table(design).chunks())
    assert len(frames) > 2
    assert all(f.height <= 300 or f["device"].n_unique() == 1 for f in frames)
    assert port_table(design).frame().equals(whole)


def test_one_book_serves_every_table_and_makes_links_and_labels_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from dcgen.design import columns as made
    from dcgen.tables import labels

    asked: list[str] = []
    links, devices = made.columns, labels.devices

    def noted_links(design: Design, join: Join) -> made.Columns:
        asked.append(join.name)
        return links(design, join)

    def noted_devices(design: Design, group: DeviceGroup) -> labels.Devices:
        asked.append(group.name)
        return devices(design, group)

    monkeypatch.setattr(made, "columns", noted_links)
    monkeypatch.setattr(labels, "devices", noted_devices)
    book = Book(rail_design())
    for table in (cable_table(book), port_table(book), port_table(book)):
        assert table.frame().height == table.rows
    assert len(asked) == len(set(asked))


def test_switches_that_only_come_inside_a_rack_stand_last() -> None:
    design = rail_design()
    inside = replace(design.groups["compute/link"], name="compute/manager", part="x144")
    design = replace(design, groups={"compute/manager": inside, **design.groups})
    devices = list(dict.fromkeys(port_table(design).frame()["device"].to_list()))
    assert devices[0] == "backend-leaf-su0-rail0-half0"
    assert devices[-1].startswith("compute-manager-")
