"""Bill, cut list, tree, shares, cabling plan, labels, bundles, workbook and design: one total, told many times."""

import re
from collections import Counter
from dataclasses import replace
from io import BytesIO
from typing import Any

import openpyxl
from hypothesis import given
from hypothesis import strategies as st

from dcgen.design import Design, Fabric, Media
from dcgen.design.columns import cages, columns
from dcgen.design.wiring import links
from dcgen.parts import Cable, Optic, Part, Switch
from dcgen.render.fabric import fabric_view
from dcgen.render.xlsx import workbook
from dcgen.tables import Book, bom_table, cable_table
from dcgen.tables.bundles import TOGETHER, bundle_table
from dcgen.tables.cuts import cut_table
from dcgen.tables.label_sheet import label_table
from dcgen.tables.plan import Cut, plan_table
from dcgen.tables.splits import split_table
from dcgen.tables.tree import tree_table
from tests.laws.designs import Wild, chance, designs, law
from tests.laws.test_halls import halls, laid_out
from tests.tables.example import SOURCES

SOCKETS = {"cages": 64, "cage": "osfp", "modes": [(1, 800.0), (2, 400.0), (4, 200.0)], "lanes": 4, "label": "{cage}"}
PARTS: list[Part] = [
    Switch.model_validate({"part": "part", "kind": "switch", "title": "S", "fabric": "ethernet",
                           "ports": {"p0": SOCKETS, "p1": {**SOCKETS, "label": "b{cage}"}}, **SOURCES}),
    Cable.model_validate({"part": "copper", "kind": "cable", "title": "C", "medium": "dac", "fits": ["osfp"], "reach_m": 3.0, **SOURCES}),
    Cable.model_validate({"part": "fibre", "kind": "cable", "title": "F", "medium": "fibre", "fibre": "single-mode", "connector": "mpo12",
                          "reach_m": 500.0, **SOURCES}),
    *(Optic.model_validate({"part": name, "kind": "optic", "title": name, "fits": ["osfp"], "ports": 1, "port_rate": 800.0,
                            "lane_rate": 200.0, "fibre": "single-mode", "connector": "mpo12", "reach_class": "dr4", "reach_m": 500.0,
                            "protocols": ["ethernet"], **SOURCES}) for name in ("optic-a", "optic-b")),
]  # fmt: skip
MEDIA = [
    Media("dac", "copper", length_m=1.0),
    Media("dac", "copper", length_m=2.0),
    Media("fibre", "fibre", ("optic-a", "optic-a"), 10.0),
    Media("fibre", "fibre", ("optic-a", "optic-b"), 10.0),
    Media("fibre", "fibre", ("optic-b", "optic-b"), 30.0),
]
MEDIUM = re.compile(r"^[0-9,]+ × .* · (dac|fibre)")
"""What the drawing writes on the lines of cables that are pulled; those from the factory have no medium."""
Counts = Counter[tuple[str, float | None]]


@st.composite
def dressed(draw: st.DrawFn) -> Design:
    """A random design with parts, and media on its bundles."""
    design = draw(designs(Wild(two_ended=False)))
    bundles = tuple(replace(b, media=(draw(st.sampled_from(MEDIA)),), field_cabled=not draw(chance(6))) for b in design.bundles)
    fabric = {"fabric": Fabric("fabric", "clos", tuple(design.groups))}
    return replace(design, bundles=bundles, parts={p.part: p for p in PARTS}, fabrics=fabric)


def cables_in(rows: list[dict[str, Any]], count: str = "quantity") -> Counts:
    out: Counts = Counter()
    for row in rows:
        if row.get("kind", "cable") == "cable":
            out[row["part"], row["length_m"]] += int(row[count]) if count else 1
    return +out


@law(80)
@given(dressed())
def test_every_artefact_counts_the_same_cables(design: Design) -> None:
    book = Book(design)
    pulled = [b for b in design.bundles if b.field_cabled]
    plan = cables_in(cable_table(book).frame().to_dicts(), "")
    assert sum(plan.values()) == sum(links(design, b) for b in pulled) == sum(len(columns(design, b)) for b in pulled)
    assert cables_in(bom_table(book).frame().to_dicts()) == plan
    assert cables_in(cut_table(book).frame().to_dicts()) == plan
    assert cables_in(tree_table(book).frame().to_dicts()) == plan
    for by in ("fabric", "phase", "room", "x"):
        if by != "x" or any("x" in g.sizes for g in design.groups.values()):
            assert cables_in(split_table(book, by).frame().to_dicts()) == plan, by
    assert label_table(book).frame().height == label_table(book).rows == 2 * sum(plan.values())
    assert bundle_table(book).frame()["cables"].sum() == sum(plan.values())
    assert plan_table(book, (), Cut(both_ways=True)).frame().height == 2 * sum(plan.values())


@law(40)
@given(dressed())
def test_the_drawing_of_a_fabric_counts_the_same_cables(design: Design) -> None:
    view = fabric_view(design, design.fabrics["fabric"])
    said = [line for box in (view.boxes if view else []) for line in box.lines if MEDIUM.search(line)]
    assert sum(int(line.split(" × ")[0].replace(",", "")) for line in said) == cable_table(design).rows


@law(60)
@given(dressed())
def test_transceivers_of_the_bill_sit_in_cages_that_hold_a_cable(design: Design) -> None:
    plugs = set()
    for join in (b for b in design.bundles if b.field_cabled):
        c = columns(design, join)
        for end, flat, port, optic in zip(join.ends, (c.a, c.b), (c.a_port, c.b_port), join.media[0].optics, strict=True):
            if optic:
                cage, _ = cages(end, port)
                plugs |= {(optic, end.group, end.block.name, *at) for at in zip(flat.tolist(), cage.tolist(), strict=True)}
    bill = {r["part"]: int(r["quantity"]) for r in bom_table(design).frame().to_dicts() if r["kind"] == "optic"}
    assert bill == Counter(p[0] for p in plugs)


@law(30)
@given(dressed())
def test_the_workbook_holds_what_the_tables_hold(design: Design) -> None:
    tables = [bom_table(design), cable_table(design)]
    content = b"".join(workbook(tables))
    assert content == b"".join(workbook(tables))
    read = openpyxl.load_workbook(BytesIO(content), read_only=True)
    for table in tables:
        header, *rows = read[table.name].iter_rows(values_only=True)
        assert list(header) == [c.name for c in table.columns]
        assert [tuple(r) for r in rows] == [tuple(v if v != "" else None for v in row) for row in table.frame().rows()]


@law(60)
@given(dressed(), st.data())
def test_taking_a_cable_out_renames_no_other_bundle(design: Design, data: st.DataObject) -> None:
    before = dict(plan_table(Book(design), ["bundle"]).frame().select("cable", "bundle").rows())
    sizes = Counter(plan_table(Book(design), ["bundle"]).frame()["bundle"].to_list())
    assert all(n <= TOGETHER for n in sizes.values())
    group = data.draw(
        st.sampled_from(sorted(n for n, g in design.groups.items() if g.axes)) if any(g.axes for g in design.groups.values()) else st.none()
    )
    if group is None:
        return
    from dcgen.naming import Selector

    one = design.groups[group]
    gone = Selector(group, tuple((a.name, 0, 0) for a in one.axes))
    holed = replace(design, groups={**design.groups, group: replace(one, absent=(*one.absent, gone))})
    after = dict(plan_table(Book(holed), ["bundle"]).frame().select("cable", "bundle").rows())
    twice = [c for c, n in Counter(cable_table(design).frame()["cable"].to_list()).items() if n > 1]
    assert {c: b for c, b in after.items() if c not in twice} == {c: before[c] for c in after if c not in twice}


ROOMS = """
hall:
  rooms: {a: {rows: 1, positions: 6}, b: {rows: 1, positions: 30}}
  ducts: {d: {between: ["a-r0[5]", "b-r0[0]"], length: 80 m}}
"""
SHARES = ("fabric", "phase", "room")


@law(12)
@given(halls(), st.booleans())
def test_shares_of_a_bill_add_up_in_a_hall(words: tuple[str, str], in_rooms: bool) -> None:
    phases = "\nphases: {one: 'compute[su=0]', two: [backend]}"
    design = laid_out(words[0], (ROOMS if in_rooms else words[1]) + phases)
    whole: Counter[tuple[object, ...]] = Counter()
    for row in bom_table(design).frame().to_dicts():
        whole[row["part"], row["length_m"], row["bought"]] += row["quantity"]
    for by in (*SHARES, "su"):
        rows = split_table(Book(design), by).frame().to_dicts()
        found: Counter[tuple[object, ...]] = Counter()
        for row in rows:
            found[row["part"], row["length_m"], row["bought"]] += row["quantity"]
        assert found == whole, by
        assert all(row["quantity"] > 0 for row in rows), by
    rooms = {row["room"] for row in split_table(Book(design), "room").frame().to_dicts()}
    assert rooms == ({"a", "b"} if in_rooms else {row.room for row in design.hall.rows}) if design.hall else {None}
