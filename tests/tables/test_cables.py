from dataclasses import replace

import pytest

from dcgen.design.model import Design
from dcgen.design.placement import rack_label
from dcgen.design.wiring import links
from dcgen.naming import label, natural
from dcgen.parts import Node
from dcgen.tables import cable_table
from dcgen.tables.cables import COLUMNS
from dcgen.tables.labels import devices
from tests.tables.example import dual_plane, management, rail_design, ring, three_tiers

HOLES = ("compute/tray[su=0,rack=5,tray=17]", "backend/spine[spine=3]")
DESIGNS = [rail_design(), rail_design(4, HOLES, gone=3), dual_plane(), management(), ring()]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_one_row_per_link_and_no_socket_twice(design: Design) -> None:
    table = cable_table(design)
    frame = table.frame()
    assert table.rows == frame.height == sum(links(design, b) for b in design.bundles if b.field_cabled)
    assert frame.columns == [c.name for c in COLUMNS]
    ends = frame.select("a_device", "a_port").rows() + frame.select("z_device", "z_port").rows()
    assert len(set(ends)) == 2 * frame.height
    assert frame["cable"].n_unique() == frame.height


def test_first_columns_are_what_a_contractor_asks_for() -> None:
    names = "cable fabric a_rack a_unit a_device a_port z_rack z_unit z_device z_port medium part length_m length_basis rate_gbps"
    assert [c.name for c in COLUMNS][:15] == names.split()


def test_a_row_says_what_the_design_says() -> None:
    row = cable_table(rail_design()).frame().row(0, named=True)
    assert row["cable"] == "backend-leaf-su0-rail0-half0:1/1"
    assert (row["a_device"], row["a_port"], row["a_os"]) == ("compute-tray-su0-rack0-tray0", "slot1", "mlx5_0")
    assert (row["a_rack"], row["z_rack"]) == ("compute-su0-rack0", "backend-leaf-rack0")
    assert (row["length_m"], row["rate_gbps"], row["layer"], row["part"]) == (2.0, 800.0, "node-leaf", "copper")
    assert (row["a_unit"], row["z_unit"], row["a_optic"]) == (None, None, None)


def test_rows_stand_in_natural_order_of_the_upper_end() -> None:
    frame = cable_table(rail_design()).frame().filter(layer="node-leaf")
    ends = [(natural(d), natural(p)) for d, p in frame.select("z_device", "z_port").rows()]
    assert ends == sorted(ends)


def test_taking_a_device_out_changes_no_other_cable() -> None:
    whole, holed = (set(cable_table(d).frame().rows()) for d in (rail_design(4), rail_design(4, HOLES[:1])))
    assert holed < whole
    assert len(whole - holed) == 4


def test_factory_wiring_is_in_no_cabling_plan() -> None:
    assert set(cable_table(rail_design()).frame()["fabric"]) == {"backend"}


def test_no_bundle_no_row() -> None:
    table = cable_table(Design("empty", {}))
    assert (table.rows, table.frame().columns) == (0, [c.name for c in COLUMNS])


def test_a_hundred_thousand_accelerators_are_streamed() -> None:
    table = cable_table(three_tiers())
    sizes = [f.height for f in table.chunks()]
    assert table.rows == sum(sizes) == 311_040
    assert len(sizes) >= 3


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_labels_are_those_of_naming_and_placement(design: Design) -> None:
    for group in design.groups.values():
        named = devices(design, group)
        for flat in [f for f, row in enumerate(named.row) if row >= 0][:50]:
            assert named.label[int(named.row[flat])] == label(group.name, group.coordinates(flat))
            assert named.rack_label[int(named.rack[named.row[flat]])] == rack_label(design, group, flat)


def test_ports_with_room_for_growth_keep_their_labels() -> None:
    design = rail_design()
    roomy = {n: replace(g, axes=tuple(replace(a, room=4) if a.name == "su" else a for a in g.axes)) for n, g in design.groups.items()}
    frame = cable_table(replace(design, groups=roomy)).frame().filter(layer="node-leaf")
    assert frame.rows() == cable_table(design).frame().filter(layer="node-leaf").rows()


def test_a_pattern_that_tells_no_ports_apart_is_made_to() -> None:
    design = rail_design()
    plain = design.parts["x144"].model_dump(by_alias=True)
    plain["ports"]["main"]["split_label"] = None
    parts = {**design.parts, "x144": type(design.parts["x144"]).model_validate(plain)}
    frame = cable_table(replace(design, parts=parts)).frame()
    assert frame["z_port"].to_list()[:3] == ["1/1", "1/2", "2/1"]


def test_socket_groups_printed_alike_are_told_apart() -> None:
    design = dual_plane()
    node = design.parts["server-8"].model_dump(by_alias=True)
    node["ports"]["dpu"] = {**node["ports"]["nic"]}
    end = replace(design.bundles[0].a, block=replace(design.bundles[0].a.block, name="dpu"))
    parts = {**design.parts, "server-8": Node.model_validate(node)}
    bundles = (replace(design.bundles[0], a=end), design.bundles[1])
    assert cable_table(replace(design, parts=parts, bundles=bundles)).frame()["a_port"][0] == "dpu/eth3"
