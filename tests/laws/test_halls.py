"""What must hold in any hall: routes against a plain graph, counts against rows, and moves that touch nothing else."""

from collections import Counter
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dcgen
from dcgen.design import Design, End, Join
from dcgen.design.columns import Columns, columns
from dcgen.design.hall import UNIT_M, Hall, in_runs
from dcgen.design.ladder import rungs
from dcgen.design.save import dump, load
from dcgen.source import parse_text
from dcgen.tables import bom_table, cable_table
from tests.cases.support import ROOT
from tests.laws.designs import law

BLUEPRINTS = (
    """
racks: {compute: {part: gb300-nvl72, axes: {su: 2, rack: 4}, absent: ["compute/tray[su=1,rack=2,tray=3]"]}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail]}, spine: {part: q3400-ra}}}
""",
    """
racks: {compute: {part: dgx-h100, axes: {su: 2, node: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, per: [su, rail]}, spine: {part: qm9700}}
  oob: {kind: clos, serves: [compute.bmc, backend], leaf: {part: sn2201}}
""",
)


@st.composite
def halls(draw: st.DrawFn) -> tuple[str, str]:
    """(blueprint without its hall, its hall)."""
    words = {
        "positions": draw(st.sampled_from([5, 9, 30, 150])),
        "pitch": f"{draw(st.sampled_from([600, 800]))} mm",
        "slack": f"{draw(st.integers(0, 3))} m",
        "network": draw(st.sampled_from(["middle", "end"])),
        "unit": draw(st.sampled_from(["top", "middle", "bottom"])),
    }
    if draw(st.booleans()):
        across = draw(st.sampled_from(["start", "middle", "end", "2"]))
        low = "low: {along: r0, below: 300 mm}, y: {across: start, below: 300 mm}"
        words["trays"] = f"{{over: {{along: all}}, x: {{across: {across}}}, {low}}}"
    hall = "hall: {" + ", ".join(f"{k}: {v}" for k, v in words.items()) + "}"
    policy = draw(st.sampled_from(["cheapest", "lowest-power", "fewest-kinds", "shortest-reach"]))
    return draw(st.sampled_from(BLUEPRINTS)), hall + (f"\nmedia: {{policy: {policy}}}" if draw(st.booleans()) else "")


def laid_out(blueprint: str, hall: str) -> Design:
    return dcgen.lay_out(dcgen.parse(parse_text(f"dcgen: 1\nname: case\n{blueprint}{hall}", str(ROOT / "blueprints" / "case.yaml"))))


def rows(design: Design) -> list[dict[str, Any]]:
    return cable_table(design).frame().to_dicts()


def _printed(design: Design, end: End) -> list[str]:
    return design.part(end.group).printed(end.block.name, end.block.split, 200)


def plain_graph(hall: Hall) -> "nx.Graph[Any]":
    """Every tray as points 0.1 m apart that are joined, trays joined where they cross, and racks hung under them."""
    graph: nx.Graph[Any] = nx.Graph()
    for t in hall.trays:
        places = {round(t.start_m, 6), round(t.stop_m, 6)}
        places |= {round(o.at_m, 6) for o in hall.trays if bool(o.along) != bool(t.along) and t.start_m - 1e-6 <= o.at_m <= t.stop_m + 1e-6}
        places |= {round(hall.x_m(p), 6) for row, p, _, _ in hall.tiles() if row == t.along and t.start_m <= hall.x_m(p) <= t.stop_m}
        order = sorted(places)
        for x, y in zip(order, order[1:], strict=False):
            graph.add_edge((t.name, x), (t.name, y), weight=y - x)
        for row, p, group, rack in hall.tiles():
            if row == t.along:
                graph.add_edge((group, rack), (t.name, round(hall.x_m(p), 6)), weight=1000 + abs(t.z_m - hall.unit_m))
    for t in (t for t in hall.trays if t.along):
        for o in (o for o in hall.trays if not o.along):
            if t.start_m - 1e-6 <= o.at_m <= t.stop_m + 1e-6 and o.start_m - 1e-6 <= t.at_m <= o.stop_m + 1e-6:
                graph.add_edge((t.name, round(o.at_m, 6)), (o.name, round(t.at_m, 6)), weight=abs(t.z_m - o.z_m))
    return graph


@law(12)
@given(halls())
def test_routes_are_the_shortest_ways_of_a_plain_graph(words: tuple[str, str]) -> None:
    design = laid_out(*words)
    hall = design.hall
    assert hall
    graph, tile_of = plain_graph(hall), {f"{row}[{p}]": (group, rack) for row, p, group, rack in hall.tiles()}
    seen: dict[tuple[str, str], float] = {}
    for r in rows(design):
        seen[r["a_tile"], r["z_tile"]] = r["route_m"]
    for (a, z), found in seen.items():
        length = nx.dijkstra_path_length(graph, tile_of[a], tile_of[z]) - 2000 if a != z else hall.rack_u / 2 * UNIT_M
        assert found == pytest.approx(length + 2 * (hall.lead_m + hall.slack_m), abs=1.1e-3), (a, z)


@law(20)
@given(halls())
def test_every_artefact_adds_up_to_the_design(words: tuple[str, str]) -> None:
    design = laid_out(*words)
    plan, bom = rows(design), bom_table(design).frame().to_dicts()
    ordered = {(b["part"], b["length_m"]): b["quantity"] for b in bom if b["kind"] == "cable"}
    pulled = {(r["cable"], r["part"], r["length_m"]) for r in plan}
    assert Counter((part, length) for _, part, length in pulled) == ordered
    ends = [e for b in design.bundles if b.field_cabled for e in b.ends]
    cage = {(e.group, label): n // e.block.split for e in ends for n, label in enumerate(_printed(design, e))}
    group = {(b.fabric, b.layer, end): e.group for b in design.bundles for end, e in zip("az", b.ends, strict=True)}
    plugs: set[tuple[str, str, int]] = set()
    for r in plan:
        for end in "az":
            if r[f"{end}_optic"]:
                socket = group[r["fabric"], r["layer"], end], r[f"{end}_port"]
                plugs.add((r[f"{end}_optic"], r[f"{end}_device"], cage[socket]))
    bought = Counter[str]()
    for b in bom:
        if b["kind"] == "optic":
            bought[b["part"]] += b["quantity"]
    assert Counter(p for p, _, _ in plugs) == bought
    assert all(r["length_m"] >= r["route_m"] for r in plan)
    assert load(dump(design)) == design


@law(12)
@given(halls(), st.sampled_from(["slack", "pitch", "aisle"]))
def test_more_of_anything_never_shortens(words: tuple[str, str], what: str) -> None:
    before = laid_out(*words)
    assert before.hall
    grown = {"slack": {"slack_m": before.hall.slack_m + 1}, "pitch": {"pitch_m": before.hall.pitch_m}, "aisle": {"aisle_m": 9.0}}[what]
    stretch = 2.0 if what == "pitch" else 1.0
    trays = tuple(
        replace(t, start_m=t.start_m * stretch, stop_m=t.stop_m * stretch) if t.along else replace(t, at_m=t.at_m * stretch)
        for t in before.hall.trays
    )
    hall = replace(before.hall, trays=trays, **grown)
    after = replace(before, hall=replace(hall, pitch_m=hall.pitch_m * stretch))
    assert before.floor
    assert after.floor
    for join in before.bundles:
        if join.field_cabled:
            c = columns(before, join)
            assert (after.floor.routes(join, c).length_m >= before.floor.routes(join, c).length_m - 1e-9).all()


@law(12)
@given(halls(), st.data())
def test_a_rack_that_moves_changes_only_its_own_cables(words: tuple[str, str], data: st.DataObject) -> None:
    before = laid_out(*words)
    hall = before.hall
    assert hall
    places = {(group, rack): (row, p) for row, p, group, rack in hall.tiles()}
    free = [(r.name, p) for r in hall.rows for p in range(r.positions) if (r.name, p) not in places.values()]
    if not free:
        return
    moved = data.draw(st.sampled_from(list(places)))
    places[moved] = data.draw(st.sampled_from(free))
    after = replace(before, hall=replace(hall, runs=in_runs(places)))
    assert before.floor
    assert after.floor
    number = next(i for i, (_, _, group, rack) in enumerate(hall.tiles()) if (group, rack) == moved)
    for join in before.bundles:
        if not join.field_cabled:
            continue
        c = columns(before, join)
        mine = (before.floor.racks(join.a.group)[c.a] == number) | (before.floor.racks(join.b.group)[c.b] == number)
        one, other = (d.floor.routes(join, c) for d in (before, after))  # type: ignore[union-attr]
        assert (one.length_m == other.length_m)[~mine].all()
        changed = rungs(before, join, c, one) != rungs(after, join, c, other)
        assert not changed[~_with_cage_mates(join, c, mine)].any()


def _with_cage_mates(join: Join, c: Columns, some: "np.ndarray[Any, Any]") -> "np.ndarray[Any, Any]":
    """These links, those in the same cages, those in the same cages as those, and so on."""
    cages = [(c.a * 10_000 + c.a_port // join.a.block.split), (c.b * 10_000 + c.b_port // join.b.block.split)]
    while True:
        more = some | np.isin(cages[0], cages[0][some]) | np.isin(cages[1], cages[1][some])
        if (more == some).all():
            return some
        some = more
