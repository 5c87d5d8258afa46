"""What is owned and when it is built, in the tables, the report and the findings."""

from dataclasses import replace

import pytest

from dcgen.analysis import analyse
from dcgen.design.model import Design, Stock
from dcgen.design.phases import cables_by_phase, devices_by_phase
from dcgen.design.save import dump, load
from dcgen.diagnostics import Rejected
from dcgen.naming import parse_selector
from dcgen.render.model import Story
from dcgen.render.report import write_report
from dcgen.tables import bom_table, cable_table, rack_table
from tests.cases.support import analysed
from tests.tables.example import rail_design

BLUEPRINT = """
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 8}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra}
"""


def phased(**phases: tuple[str, ...]) -> Design:
    return replace(rail_design(4), phases={n: tuple(parse_selector(s) for s in texts) for n, texts in phases.items()})


THREE = {
    "core": ("backend/spine",),
    "first": ("compute/tray[su=0]", "backend/leaf[su=0]"),
    "rest": ("compute/tray[su=1..2]", "backend/leaf[su=1..2]", "compute/tray[su=2,rack=0]"),
}


def test_devices_and_cables_come_with_their_phase() -> None:
    design = phased(**THREE)
    racks, cables = rack_table(design).frame(), cable_table(design).frame()
    for name in THREE:
        assert racks.filter(phase=name).height == devices_by_phase(design)[name]
        assert cables.filter(phase=name).height == cables_by_phase(design)[name]
    assert racks["phase"].null_count() == devices_by_phase(design)[""]
    assert cables["phase"].null_count() == cables_by_phase(design)[""]
    assert (racks.columns[-1], cables.columns[-1]) == ("phase", "phase")


def test_a_cable_waits_for_the_later_of_its_ends() -> None:
    cables = cable_table(phased(**THREE)).frame()
    up = cables.filter(layer="leaf-spine")
    assert set(up.filter(a_device="backend-leaf-su0-rail0-half0")["phase"]) == {"first"}
    assert set(up.filter(a_device="backend-leaf-su3-rail0-half0")["phase"]) == {"core"}
    reverse = cable_table(phased(first=THREE["first"], core=THREE["core"])).frame()
    assert set(reverse.filter(layer="leaf-spine", a_device="backend-leaf-su0-rail0-half0")["phase"]) == {"core"}


def test_without_phases_the_column_is_empty() -> None:
    assert cable_table(rail_design()).frame()["phase"].null_count() == cable_table(rail_design()).rows
    assert rack_table(rail_design()).frame()["phase"].null_count() == rack_table(rail_design()).rows


def test_phases_are_a_table_of_the_report() -> None:
    design = phased(**THREE)
    text = next(iter(write_report(Story(analyse(design, quick=True), (), "9.9")))).bytes.decode()
    assert "## Phases" in text
    assert "| in no phase |" in text
    assert "## Phases" not in next(iter(write_report(Story(analyse(rail_design(), quick=True), (), "9.9")))).bytes.decode()


def test_what_is_owned_need_not_be_ordered() -> None:
    design = replace(rail_design(), have=(Stock("x144", 5), Stock("fibre", 100, 10.0), Stock("rack-72", 99), Stock("tray-4", 3)))
    lines = {(r["part"], r["length_m"]): (r["quantity"], r["have"], r["to_order"]) for r in bom_table(design).frame().iter_rows(named=True)}
    assert lines["x144", None] == (12, 5, 7)
    quantity, have, order = lines["fibre", 10.0]
    assert (have, order) == (100, quantity - 100)
    assert lines["rack-72", None] == (8, 99, 0)
    assert lines["tray-4", None] == (144, 0, 0), "trays come inside the racks"


def test_what_is_left_over_is_said() -> None:
    design = replace(rail_design(), have=(Stock("x144", 12), Stock("rack-72", 99), Stock("tray-4", 3)))
    said = [f.what for f in analyse(design, quick=True).findings if f.code == "stock-surplus"]
    assert said == ["`rack-72`: 99 owned, 8 needed, 91 left over", "`tray-4`: 3 owned, 0 needed, 3 left over"]


def test_stock_and_phases_are_saved_in_their_order() -> None:
    design = replace(phased(zebra=("backend/leaf[su=1]",), alpha=("backend/leaf[su=0]",)), have=(Stock("fibre", 3, 10.0),))
    back = load(dump(design))
    assert back == design
    assert list(back.phases) == ["zebra", "alpha"]


def test_stock_is_written_by_part_or_with_lengths() -> None:
    assert analysed(BLUEPRINT + "have: {q3400-ra: 2}").design.have == (Stock("q3400-ra", 2),)
    both = "have: [{part: q3400-ra, count: 2}, {part: q3400-ra, count: 1}, {part: smf-mpo12-apc, length: 30 m, count: 10}]"
    cable = next(b.media[0].cable for b in analysed(BLUEPRINT).design.bundles if b.field_cabled and b.media)
    assert analysed(BLUEPRINT + both.replace("smf-mpo12-apc", cable)).design.have == (Stock("q3400-ra", 3), Stock(cable, 10, 30.0))


def test_a_cable_is_owned_in_a_length() -> None:
    cable = next(b.media[0].cable for b in analysed(BLUEPRINT).design.bundles if b.field_cabled and b.media)
    with pytest.raises(Rejected) as caught:
        analysed(BLUEPRINT + f"have: {{{cable}: 10}}")
    assert "is a cable: how long" in caught.value.diagnostics[0].what


def test_an_entry_or_a_fabric_stands_for_all_its_groups() -> None:
    design = analysed(BLUEPRINT + "phases: {one: 'compute[su=0]', two: [backend, 'compute/rack[su=1]']}").design
    assert [s.group for s in design.phases["two"]][:2] == ["backend/leaf", "backend/spine"]
    assert devices_by_phase(design) == {"": 0, "one": 296, "two": 320}


@pytest.mark.parametrize(
    ("phases", "said"),
    [
        ("{one: 'compute[rail=0]'}", "`compute[rail=0]` names no device"),
        ("{one: 'backend/leaf[su=7]'}", "`su` of backend/leaf runs from 0 to 1"),
        ("{one: nowhere}", "there is no group `nowhere`"),
        ("{one: 'backend/leaf[su=0]:3'}", "names a port"),
        ("{one: '[['}", "is not an address or selector"),
    ],
)
def test_a_phase_names_devices(phases: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        analysed(f"{BLUEPRINT}phases: {phases}")
    assert said in caught.value.diagnostics[0].what
