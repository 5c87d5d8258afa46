"""The cabling plan as somebody asks for it: columns, racks, phases, both ways; labels, colours and bundles."""

from dataclasses import replace

import pytest

import dcgen
from dcgen.design.model import Design, Labels
from dcgen.diagnostics import Rejected
from dcgen.naming import natural, parse_selector
from dcgen.source import parse_text
from dcgen.tables import Book, cable_table, port_table
from dcgen.tables.bundles import TOGETHER, bundle_table
from dcgen.tables.label_sheet import device_label_table, label_table
from dcgen.tables.plan import Cut, plan_table
from dcgen.tables.sheets import SHEETS, Asked, sheet
from tests.tables.example import dual_plane, management, rail_design, ring

DESIGNS = [rail_design(), rail_design(2, ("compute/tray[su=0,rack=5,tray=17]",), gone=3), dual_plane(), management(), ring()]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_every_sheet_has_the_rows_and_columns_that_it_says(design: Design) -> None:
    book = Book(design)
    for name in SHEETS:
        table = sheet(book, name, Asked())
        frame = table.frame()
        assert frame.height == table.rows, name
        assert frame.columns == [c.name for c in table.columns], name


def test_columns_come_as_asked_for() -> None:
    table = sheet(Book(rail_design()), "cables", Asked(columns=["length_m", "rail", "a_device", "cable"]))
    assert [c.name for c in table.columns] == ["length_m", "rail", "a_device", "cable"] == table.frame().columns
    assert table.rows == table.frame().height == cable_table(rail_design()).rows


@pytest.mark.parametrize(
    ("name", "asked", "code", "said"),
    [
        ("cables", Asked(columns=["lenght_m"]), "unknown-column", "`cables` has no column `lenght_m`"),
        ("cables", Asked(columns=["cable", "cable"]), "unknown-column", "`cable` is asked for twice"),
        ("bom", Asked(rack="compute-su0-rack0"), "unknown-column", "the rows of `bom` have no rack"),
        ("cuts", Asked(phase="one"), "bad-reference", "there is no phase `one`"),
        ("cables", Asked(rack="compute-su9-rack0"), "bad-reference", "there is no rack `compute-su9-rack0`"),
        ("cabels", Asked(), "bad-choice", "there is no table `cabels`"),
        ("ports", Asked(both_ways=True), "bad-choice", "`ports` has one way only"),
        ("ports", Asked(by="phase"), "bad-choice", "`ports` is not split"),
        ("bom", Asked(by="colour"), "bad-reference", "the bill cannot be split by `colour`"),
    ],
)
def test_what_is_not_there_is_refused(name: str, asked: Asked, code: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        sheet(Book(rail_design()), name, asked)
    (found,) = caught.value.diagnostics
    assert (found.code, found.what) == (code, said)
    assert found.fix or "its columns are cable, fabric" in found.why


def test_a_list_of_columns_is_given_with_the_nearest() -> None:
    with pytest.raises(Rejected) as caught:
        sheet(Book(rail_design()), "cables", Asked(columns=["lenght_m"]))
    (found,) = caught.value.diagnostics
    assert found.fix == "did you mean `length_m`?"
    assert found.why.startswith("its columns are cable, fabric, a_rack")
    assert found.why.endswith("bundle, a_print, z_print")


def test_both_ways_is_every_cable_from_either_end_side_by_side() -> None:
    frame = plan_table(Book(rail_design()), ["a_label", "a_print"], Cut(both_ways=True)).frame()
    assert frame.height == 2 * cable_table(rail_design()).rows
    first, second = frame.rows(named=True)[:2]
    assert first["cable"] == second["cable"]
    assert [first[f"a_{k}"] for k in ("device", "port", "rack")] == [second[f"z_{k}"] for k in ("device", "port", "rack")]
    assert first["a_print"] != second["a_print"]
    assert (second["a_label"], second["a_os"]) == (second["a_device"], None)


def test_the_sheet_of_a_rack_begins_with_the_ends_in_it_in_natural_order() -> None:
    design = rail_design()
    frame = sheet(Book(design), "cables", Asked(rack="backend-leaf-rack0")).frame()
    assert set(frame["a_rack"]) == {"backend-leaf-rack0"}
    ends = [(natural(d), natural(p)) for d, p in frame.select("a_device", "a_port").rows()]
    assert ends == sorted(ends)
    assert frame.height == cable_table(design).frame().filter(layer="node-leaf").height * 2
    assert frame.height == sheet(Book(design), "labels", Asked(rack="backend-leaf-rack0")).rows


def test_every_cable_is_on_the_sheets_of_its_racks() -> None:
    book = Book(rail_design(gone=2))
    racks = {r for pair in cable_table(book).frame().select("a_rack", "z_rack").rows() for r in pair}
    sheets = [c for r in racks for c in sheet(book, "cables", Asked(rack=r)).frame()["cable"].to_list()]
    plan = cable_table(book).frame()
    twice = plan.filter(plan["a_rack"] != plan["z_rack"]).height
    assert len(sheets) == plan.height + twice
    assert set(sheets) == set(plan["cable"])


def test_a_phase_has_its_own_sheet_in_every_table_that_knows_phases() -> None:
    phases = {
        "one": (parse_selector("compute/tray[su=0]"), parse_selector("backend/leaf[su=0]")),
        "two": (parse_selector("backend/spine"),),
    }
    book = Book(replace(rail_design(2), phases=phases))
    assert sheet(book, "cables", Asked(phase="one")).rows == 576
    assert sheet(book, "labels", Asked(phase="one")).rows == 2 * 576
    assert sheet(book, "racks", Asked(phase="one")).rows == 144 + 8


def test_ports_come_in_natural_order_children_after_their_parent() -> None:
    ports = port_table(rail_design()).frame().filter(device="backend-leaf-su0-rail0-half0")["port"].to_list()
    plain = [p for p in ports if not p.startswith("mgmt/")]
    assert plain == sorted(plain, key=natural)
    assert plain.index("2/1") < plain.index("10/1")


def test_labels_are_both_ends_near_first() -> None:
    rows = label_table(Book(rail_design())).frame().to_dicts()
    a, z = rows[:2]
    assert (a["end"], z["end"], a["cable"]) == ("a", "z", z["cable"])
    assert a["label"] == "compute-tray-su0-rack0-tray0:slot1 / backend-leaf-su0-rail0-half0:1/1"
    assert z["label"] == "backend-leaf-su0-rail0-half0:1/1 / compute-tray-su0-rack0-tray0:slot1"
    assert (a["rail"], a["rail_colour"], z["rail_colour"], a["colour"]) == (0, "blue", "blue", None)


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
@pytest.mark.parametrize("pattern", ["{near} / {far}", "{near_device}:{near_port} > {far_device}:{far_port}", "{near_label} {near_port}"])
def test_every_label_is_of_one_end_only(design: Design, pattern: str) -> None:
    frame = label_table(Book(replace(design, labels=Labels(cable=pattern)))).frame()
    assert frame["label"].n_unique() == frame.height
    assert all(text.isprintable() and text for text in frame["label"])


def test_colours_are_of_the_fabric_and_of_the_rail() -> None:
    design = replace(rail_design(), labels=Labels(colours={"backend": "aqua"}, cable="{cable} {colour} {length}"))
    frame = label_table(Book(design)).frame()
    assert (set(frame["colour"]), set(frame["colour_hex"])) == ({"aqua"}, {"#56c5d0"})
    assert dict(frame.select("rail", "rail_colour").unique().rows()) == {0: "blue", 1: "orange", 2: "green", 3: "brown"}
    assert frame["label"][0] == "backend-leaf-su0-rail0-half0:1/1 aqua 2"


def test_units_stand_in_the_label_where_they_are_known() -> None:
    import polars as pl

    from dcgen.tables.printed import cable_text

    frame = pl.DataFrame(
        {"a_rack": ["AB12"], "a_unit": ["35"], "a_device": ["x"], "a_port": ["01"], "z_rack": ["AC03"], "z_unit": [None], "z_device": ["y"],
         "z_port": ["2"]}
    )  # fmt: skip
    assert frame.select(cable_text("{near} / {far}", "a_", "z_")).item() == "AB12-RU35:01 / y:2"


LABELLED = """
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 8}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}
    spine: {part: q3400-ra}
"""


def laid_out(text: str) -> Design:
    return dcgen.lay_out(dcgen.parse(parse_text(f"dcgen: 1\nname: case\n{text}", "case.yaml")))


def test_devices_are_labelled_by_a_pattern_over_their_coordinates() -> None:
    said = "labels: {device: {compute/tray: 'n{su:02}{rack:02}{tray:02}', backend: '{group}{name}'}}"
    frame = device_label_table(Book(laid_out(LABELLED + said))).frame()
    labels = dict(frame.select("device", "label").rows())
    assert labels["compute-tray-su1-rack3-tray17"] == "n010317"
    assert labels["backend-spine-spine3"] == "spinebackend-spine-spine3"
    assert labels["compute-rack-su1-rack3"] == "compute-rack-su1-rack3"
    assert frame["label"].n_unique() == frame.height


def test_what_is_printed_on_a_device_does_not_rename_it() -> None:
    plain, labelled = (laid_out(LABELLED + said) for said in ("", "labels: {device: {compute/tray: 'n{su:02}{rack:02}{tray:02}'}}"))
    assert cable_table(plain).frame().equals(cable_table(labelled).frame())


def test_growth_renames_no_label_and_no_bundle() -> None:
    small, large = (Book(laid_out(LABELLED.replace("su: 2", f"su: {{size: {n}, room: 3}}"))) for n in (2, 3))
    named = [dict(plan_table(b, ["a_print"]).frame().filter(layer="node-leaf").select("cable", "a_print").rows()) for b in (small, large)]
    assert named[0].items() <= named[1].items()


def test_bundles_hold_no_more_than_a_hand_can_dress() -> None:
    table = bundle_table(Book(rail_design()))
    frame = table.frame()
    assert frame["cables"].max() == TOGETHER
    assert frame["bundle"].n_unique() == frame.height
    assert table.note == "1,152 cables in 48 bundles between 9 pairs of racks; 2 kinds of cable by part and length"
    row = frame.row(0, named=True)
    assert (row["bundle"], row["a_rack"], row["z_rack"]) == (
        "compute-su0-rack0/backend-leaf-rack0/backend.node-leaf/1", "compute-su0-rack0", "backend-leaf-rack0",
    )  # fmt: skip


def test_labels_and_bundles_do_not_depend_on_the_order_of_the_file() -> None:
    racks = ["a: {part: dgx-h100, axes: {node: 6}}", "b: {part: dgx-h100, axes: {node: 4}}"]
    fabrics = [
        "one: {kind: clos, serves: a.fabric, leaf: {part: qm9700, per: [rail]}}",
        "two: {kind: clos, serves: b.fabric, leaf: {part: qm9700, per: [rail]}}",
    ]
    made = []
    for step in (1, -1):
        text = f"racks: {{{', '.join(racks[::step])}}}\nfabrics: {{{', '.join(fabrics[::step])}}}"
        book = Book(laid_out(text))
        made.append({tuple(r) for r in label_table(book).frame().rows()} | set(bundle_table(book).frame().rows()))
    assert made[0] == made[1]


def test_the_help_names_every_table() -> None:
    from dcgen.cli.table import Name

    said = Name.__metadata__[0].help.rstrip(".").replace(" or ", ", ")
    assert said.split(", ") == sorted(SHEETS)
