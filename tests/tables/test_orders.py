"""From need to order, step by step; licences and accessories; the bill in shares."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from dcgen.analysis.order import Spare, order, spare
from dcgen.design.model import Added, Design, Spares, Stock
from dcgen.naming import parse_selector
from dcgen.parts import Cable, Extra, Optic, Part
from dcgen.tables import Book, bom_table
from dcgen.tables.cuts import cut_table
from dcgen.tables.lead_times import lead_time_table
from dcgen.tables.splits import split_table
from dcgen.tables.tree import tree_table
from tests.tables.example import SOURCES, rail_design

OPTIC = "optic-2x800"


def part(name: str, **more: Any) -> Part:
    """The example's part of this name, with other fields."""
    known = rail_design().parts[name]
    return type(known).model_validate({**known.model_dump(by_alias=True), **more})


def extra(name: str, per: str, **more: Any) -> Extra:
    return Extra.model_validate({"part": name, "kind": "licence", "title": name, "per": per, **SOURCES, **more})


def with_parts(design: Design, *parts: Part) -> Design:
    return replace(design, parts={**design.parts, **{p.part: p for p in parts}})


def line(design: Design, name: str, length_m: float | None = None, bought: str = "") -> dict[str, Any]:
    rows = bom_table(design).frame().to_dicts()
    (found,) = (r for r in rows if (r["part"], r["length_m"]) == (name, length_m) and bought in r["bought"])
    return found


@pytest.mark.parametrize(
    ("need", "share", "fixed", "least", "min_order", "pack", "ordered"),
    [
        (110, "1/10", 0, 0, None, None, 121),
        (100, "1/4", 10, 0, None, None, 135),
        (100, "1/4", 10, 0, 200, None, 200),
        (100, "1/4", 10, 0, None, 64, 192),
        (100, "1/4", 10, 0, 200, 64, 256),
        (101, "1/4", 10, 0, None, None, 137),
        (0, "1/4", 10, 5, 200, 64, 0),
        (3, "1/100", 0, 4, None, None, 7),
        (10**9, "1/1000", 0, 0, None, None, 1_001_000_000),
    ],
)
def test_needs_spares_minimum_and_packs_in_that_order(
    need: int, share: str, fixed: int, least: int, min_order: int | None, pack: int | None, ordered: int
) -> None:
    rule = Spares("percent", {"optic": share}, {"optic": fixed}, {"optic": least})
    optic = part(OPTIC, min_order=min_order, pack=pack)
    store = spare(Design("d", {}, spares=rule), optic, [Fraction(need)])
    assert order(optic, Fraction(need), store, Fraction(0)).ordered == ordered


def test_stock_is_taken_before_the_minimum_and_the_packs() -> None:
    optic = part(OPTIC, min_order=50, pack=20)
    found = order(optic, Fraction(100), Spare(Fraction(10), ""), Fraction(95))
    assert (found.missing, found.ordered) == (15, 60)
    assert order(optic, Fraction(100), Spare(Fraction(10), ""), Fraction(110)).ordered == 0


def test_every_step_is_a_column() -> None:
    design = with_parts(rail_design(), part(OPTIC, min_order=500, pack=64))
    design = replace(design, spares=Spares(share={"optic": "1/10"}, fixed={OPTIC: 2}), have=(Stock(OPTIC, 30),))
    found = line(design, OPTIC)
    assert found["quantity"] == 576
    steps = ("spares", "spares_basis", "have", "missing", "min_order", "pack", "to_order")
    assert [found[k] for k in steps] == [60, "10 %, 2 fixed", 30, 606, 500, 64, 640]


def test_a_part_comes_before_its_class() -> None:
    design = replace(rail_design(), spares=Spares(share={"optic": "1/10", OPTIC: "1/2"}))
    assert line(design, OPTIC)["spares"] == 288


def test_every_place_has_a_store_of_its_own() -> None:
    two = rail_design(2)
    one, each = (replace(two, spares=Spares(share={"switch": "1/100"}, per=per)) for per in ("", "su"))
    assert line(one, "x144")["spares"] == 1
    # 8 leaves in each of 2 units, and the spines, which are of no unit
    assert line(each, "x144")["spares"] == 3
    assert line(each, "x144")["spares_basis"] == "1 %, in each of 3 pools"


def test_spares_of_a_length_are_of_that_length() -> None:
    design = replace(rail_design(), spares=Spares(share={"cable": "1/100"}))
    needs = {k: line(design, "fibre", k)["quantity"] for k in (10.0,)}
    assert line(design, "fibre", 10.0)["spares"] == -(-needs[10.0] // 100)


def test_trays_come_in_their_rack_and_only_their_spares_are_ordered() -> None:
    design = replace(rail_design(), spares=Spares(share={"tray": "1/100"}))
    found = line(design, "tray-4")
    assert (found["quantity"], found["spares"], found["to_order"], found["fitted"]) == (144, 2, 2, "factory")
    stocked = replace(design, have=(Stock("tray-4", 1),))
    assert (line(stocked, "tray-4")["have"], line(stocked, "tray-4")["to_order"]) == (1, 1)


def test_poisson_takes_failure_rate_and_lead_time_and_says_so() -> None:
    known = part(OPTIC, failure_rate={"value": 1000.0, "estimate": True}, lead_time={"value": 90 * 86400e9})
    design = replace(with_parts(rail_design(), known), spares=Spares("poisson", least={"cable": 3}))
    found = line(design, OPTIC)
    # 576 x 1000e-9 x 2160 h = 1.244 failures in 90 days: 4 cover 99.1 % of the cases, 3 only 96.5 %
    assert (found["spares"], found["spares_basis"]) == (4, "Poisson 99 % over 90 d, rate estimated")
    bare = line(design, "x144")
    assert (bare["spares"], bare["spares_basis"], bare["to_order"]) == (None, "unknown: no failure rate", 12)
    cable = line(design, "copper", 2.0)
    assert (cable["spares"], cable["spares_basis"]) == (None, "unknown: no failure rate, at least 3")


def test_what_fails_in_poisson_lasts_the_assumed_lead_time_of_a_part_without_one() -> None:
    known = part(OPTIC, failure_rate={"value": 1000.0})
    design = replace(with_parts(rail_design(), known), spares=Spares("poisson"))
    assert line(design, OPTIC)["spares_basis"] == "Poisson 99 % over 14 d, lead time assumed"


def test_licences_go_with_switches_and_accelerators_year_by_year() -> None:
    parts = (extra("os", "switch", yearly=True), extra("suite", "accelerator"), extra("flat", "site", amount=2), extra("none", "optic"))
    design = with_parts(rail_design(), *parts)
    added = (Added("os", ("backend",), 3), Added("suite"), Added("flat"), Added("none", ("compute",)))
    design = replace(design, extras=added)
    assert line(design, "os")["quantity"] == 12 * 3
    assert line(design, "suite")["quantity"] == 576
    assert line(design, "flat")["quantity"] == 2
    assert "none" not in bom_table(design).frame()["part"].to_list(), "no transceiver is of the compute racks"
    assert line(design, "os")["fitted"] is None


def test_whole_units_stay_whole_and_bulk_goods_fractional() -> None:
    ties = extra("ties", "cable", kind="accessory", amount=1.5)
    sleeve = extra("sleeve", "cable", kind="accessory", amount=0.15, sold_by="m")
    design = replace(with_parts(rail_design(gone=1), ties, sleeve), extras=(Added("ties"), Added("sleeve")))
    cables = sum(r["quantity"] for r in bom_table(design).frame().to_dicts() if r["kind"] == "cable")
    assert cables == 1151
    assert line(design, "ties")["quantity"] == 1727, "1726.5, rounded up once"
    assert (line(design, "sleeve")["quantity"], line(design, "sleeve")["unit"]) == (172.65, "m")


def test_a_cable_that_is_sold_by_the_metre_is_one_line_of_metres() -> None:
    reel = part("fibre", sold_by="m", pack=500)
    assert isinstance(reel, Cable)
    design = replace(with_parts(rail_design(), reel), have=(Stock("fibre", 2, 500.0),), spares=Spares(share={"cable": "1/10"}))
    found = line(design, "fibre")
    assert (found["quantity"], found["spares"], found["have"], found["missing"], found["to_order"]) == (5760, 576, 1000, 5336, 5500)
    assert cut_table(Book(design)).frame().filter(part="fibre")["length_m"].to_list() == [10.0]


def test_the_tree_adds_up_to_the_flat_bill() -> None:
    design = replace(with_parts(rail_design(), extra("os", "switch")), extras=(Added("os"),))
    tree, flat = tree_table(Book(design)).frame(), bom_table(design).frame()
    for name in flat["part"].unique():
        assert tree.filter(part=name)["quantity"].sum() == flat.filter(part=name)["quantity"].sum(), name
    paths = dict(tree.select("part", "path").rows())
    assert paths["tray-4"] == "compute > compute/tray"
    assert set(tree.filter(part=OPTIC)["path"]) == {f"backend > backend/{t} > transceivers" for t in ("leaf", "spine")}


def test_the_cut_list_is_the_cables_of_the_bill_by_colour_and_length() -> None:
    design = rail_design()
    cuts = cut_table(Book(design)).frame()
    bill = bom_table(design).frame().filter(kind="cable")
    assert cuts.select("part", "length_m", "quantity").rows() == bill.select("part", "length_m", "quantity").rows()
    assert cuts["total_m"].to_list() == [a * b for a, b in cuts.select("length_m", "quantity").rows()]


def test_shares_of_the_bill_add_up() -> None:
    phases = {"core": ("backend/spine",), "first": ("compute/tray[su=0]", "backend/leaf[su=0]")}
    design = replace(rail_design(2), phases={n: tuple(parse_selector(s) for s in texts) for n, texts in phases.items()})
    design = replace(with_parts(design, extra("os", "switch"), extra("flat", "site")), extras=(Added("os"), Added("flat")))
    whole = {(r["part"], r["length_m"]): r["quantity"] for r in bom_table(design).frame().to_dicts()}
    for by in ("phase", "fabric", "su"):
        rows = split_table(Book(design), by).frame()
        found: dict[tuple[str, float | None], float] = {}
        for row in rows.to_dicts():
            key = (row["part"], row["length_m"])
            found[key] = found.get(key, 0) + row["quantity"]
        assert found == whole, by
        assert all(row["quantity"] > 0 for row in rows.to_dicts())
    assert split_table(Book(design), "su").frame().filter(su="su=1", part="copper")["quantity"].to_list() == [576]


def test_the_longest_lead_time_stands_first_and_unknown_ones_last() -> None:
    slow, quick = part("x144", lead_time={"value": 30 * 604800e9}), part(OPTIC, lead_time={"value": 12 * 604800e9, "estimate": True})
    design = replace(with_parts(rail_design(), slow, quick), phases={"core": (parse_selector("backend/spine"),)})
    table = lead_time_table(Book(design))
    rows = table.frame().to_dicts()
    assert [(r["part"], r["lead_time_weeks"]) for r in rows[:3]] == [("x144", 30), (OPTIC, 12), ("rack-72", None)]
    assert rows[1]["lead_time_basis"].endswith("estimate")
    assert [r["first_phase"] for r in rows[:2]] == ["before the first", "core"]
    assert table.note == "3 of 5 lines have no known lead time"
    assert "tray-4" not in {r["part"] for r in rows}, "what comes in a rack is not ordered"


def test_amounts_are_exact() -> None:
    assert extra("a", "cable", amount=0.1).amount == Decimal("0.1")
    assert isinstance(part(OPTIC), Optic)
