import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import networkx as nx
import pytest

from dcgen.analysis.model import Analysis
from dcgen.design.model import Axis, Block, Design, DeviceGroup, End, Fabric, Join
from dcgen.parts import Node, Switch
from dcgen.render import dot, engine, render
from dcgen.render.dot import drawings, write_drawings
from dcgen.render.drawing import Drawing, cut, width_pt
from dcgen.render.engine import CannotDraw, draw
from dcgen.render.model import Story
from dcgen.tables import cable_table
from tests.tables.example import dual_plane, management, rail_design, ring, three_tiers

HOSTILE = ["<b>x</b>", 'R&D "east"', "DOM\\Name", "C:\\rack\\", "\\N\\G\\l", "a::b", "00:1f:46:ab", "=cmd", "&lt;i&gt; &#65;", "<uplink>",
           'a\\"b', "Zürich-東京", "node", "javascript:alert(1)", "<svg onload=alert(1)>", "Long title " * 20]  # fmt: skip
DESIGNS = [
    rail_design(),
    rail_design(4, ("compute/tray[su=0,rack=5,tray=17]", "backend/spine[spine=3]"), gone=3),
    dual_plane("R&D <b>x</b>", "Long part title " * 13),
    management(),
    ring(),
    three_tiers(),
]


def _texts(svg: bytes) -> list[str]:
    return ["".join(e.itertext()) for e in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_nothing_covers_anything(design: Design) -> None:
    for drawing in drawings(design):
        assert drawing.overlapping() == [], drawing.name


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_texts_fit_their_boxes(design: Design) -> None:
    for drawing in drawings(design):
        for box in drawing.boxes:
            size = float(dict(box.style).get("fontsize", 12))
            assert size >= 11
            assert all(width_pt(t, size) <= box.width_pt for t in box.lines), box
            assert len(box.lines) * size * 1.2 <= box.height_pt + 1, box


@pytest.mark.parametrize("design", DESIGNS, ids=lambda d: d.name)
def test_svg_is_safe_and_always_the_same(design: Design) -> None:
    for drawing in drawings(design):
        svg = draw(drawing.source())
        assert draw(drawing.source()) == svg
        text = svg.decode().lower()
        assert not re.search(r"<script|<image|<foreignobject|<a[ >]|\son\w+=|xlink:href|href=", text)


def test_expected_views() -> None:
    names = {d.name for d in drawings(rail_design())}
    assert names == {"fabric-backend", "rail-backend", "rack-compute", "scale-up-compute", "rack-backend-leaf", "rack-backend-spine"}


@pytest.mark.parametrize("typed", HOSTILE)
def test_text_is_shown_exactly(typed: str) -> None:
    drawing = Drawing("x")
    drawing.box(0, 0, 4000, 60, [typed, "second"])
    drawing.text(0, 100, [typed], left=True)
    drawing.text(0, 200, [typed])
    typed = typed.strip()
    assert [t.replace("\xa0", " ").strip() for t in _texts(draw(drawing.source()))] == [typed, "second", typed, typed]


@pytest.mark.parametrize("title", HOSTILE)
def test_hostile_titles_draw(title: str) -> None:
    for drawing in drawings(dual_plane(title, title)):
        svg = draw(drawing.source())
        assert any(t.startswith(title[:5].strip()) or "…" in t for t in _texts(svg))


def test_boxes_of_the_dot_are_those_of_the_drawing(tmp_path: object) -> None:
    drawing = next(d for d in drawings(rail_design(title='a::b "x" \\')) if d.name == "rail-backend")
    canonical = draw(drawing.source(), "plain").decode()
    graph = nx.MultiGraph()
    for line in canonical.splitlines():
        words = line.split(" ", 3)
        if words[0] == "node":
            graph.add_node(words[1])
        if words[0] == "edge":
            assert words[1] in graph
            assert words[2] in graph
            graph.add_edge(words[1], words[2])
    assert set(graph) == {b.name for b in drawing.boxes}
    assert graph.number_of_edges() == len(drawing.lines)


def test_counts_on_the_folded_fabric_are_those_of_the_design() -> None:
    text = "\n".join(t for d in drawings(three_tiers()) if d.name == "fabric-backend" for b in d.boxes for t in b.lines)
    assert text.count("103,680 × 800G") == 3
    assert "864 × Crossbar 144" in text
    assert "103,680 GPUs in 1,440 racks" in text


def test_factory_wiring_is_dashed_and_says_so() -> None:
    drawing = next(d for d in drawings(rail_design()) if d.name.startswith("scale-up"))
    assert all(dict(style)["style"] == "dashed" for _, _, style in drawing.lines)
    text = " ".join(t for b in drawing.boxes for t in b.lines)
    assert "1,296 links in each rack" in text
    assert "10,368 links in 8 racks" in text
    assert "not in the cabling plan" in text


def test_a_rack_is_drawn_to_scale() -> None:
    drawing = next(d for d in drawings(rail_design()) if d.name == "rack-compute")
    slots = [b for b in drawing.boxes if b.lines and b.lines[0].endswith("1 U")]
    assert len(slots) == 18 + 9 + 8
    assert {b.height_pt for b in slots} == {18}
    assert any("U positions are not published" in t for b in drawing.boxes for t in b.lines)


def test_a_design_of_nothing_draws_nothing() -> None:
    assert list(drawings(Design("empty", {}))) == []


def test_a_failing_engine_costs_only_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(source: str) -> bytes:
        raise CannotDraw("no engine")

    monkeypatch.setattr(dot, "draw", fail)
    story = Story(Analysis(rail_design(), (), ()))
    paths = [a.path for a in write_drawings(story)]
    assert paths
    assert all(p.endswith(".dot") for p in paths)
    assert [d.code for d in story.skipped] == ["drawing-skipped"] * len(paths)


def test_a_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ENGINE", "no-such-engine")
    engine.engine.cache_clear()
    with pytest.raises(CannotDraw, match="not installed"):
        draw("graph {}")
    engine.engine.cache_clear()


def test_cut_keeps_what_fits() -> None:
    assert cut("short", 100) == "short"
    assert width_pt(cut("a long text that goes on", 60)) <= 60
    assert cut("a long text that goes on", 60).endswith("…")


def test_every_artifact_of_a_design() -> None:
    paths = [a.path for a in render(Analysis(dual_plane(), (), ()))]
    assert {"design.json", "analysis.json", "report.md", "bom.csv", "cables.csv", "ports.csv", "racks.csv"} < set(paths)
    assert sum(p.endswith(".svg") for p in paths) == sum(p.endswith(".dot") for p in paths) == 5
    assert len(set(paths)) == len(paths)


def test_the_path_in_words_is_in_the_cabling_plan() -> None:
    for design in DESIGNS:
        for name in ("backend", "fabric", "front"):
            drawing = next((d for d in drawings(design) if d.name == f"rail-{name}"), None)
            if drawing is None:
                continue
            words = next(b.lines for b in drawing.boxes if b.lines and b.lines[0].startswith("one path"))
            said = re.findall(r"\S+  \S+(?=  →|$)", words[0])
            ends = {
                (f"{a}  {p}", f"{z}  {q}")
                for a, p, z, q in cable_table(design).frame().select("a_device", "a_port", "z_device", "z_port").rows()
            }
            assert tuple(said) in ends
            assert sum(dict(style)["penwidth"] == "3" for _, _, style in drawing.lines) in (1, 2)


def _said(design: Design, name: str) -> list[str]:
    return [t for d in drawings(design) if d.name == name for b in d.boxes for t in b.lines]


def test_a_rack_of_switches_says_that_figures_are_of_one() -> None:
    lines = _said(rail_design(), "rack-backend-leaf")
    assert {"height of one: 4 U", "power of one, maximum: 7 kW", "mass of one: unknown"} <= set(lines)
    assert any(t.startswith("mass: 1.36") for t in _said(rail_design(), "rack-compute"))


@pytest.mark.parametrize(
    ("allotment", "said"), [(None, "7 kW with optics"), ({"value": 20.0}, "7 kW with optics, 5.56 kW without (estimate)")]
)
def test_a_figure_with_optics_is_shown_with_that_of_the_body(allotment: object, said: str) -> None:
    design = rail_design()
    raw = design.parts["x144"].model_dump(by_alias=True)
    power = {**raw["power"], "includes_optics": True, "optic_allotment": allotment}
    design = replace(design, parts={**design.parts, "x144": Switch.model_validate({**raw, "power": power})})
    assert f"power of one, maximum: {said}" in _said(design, "rack-backend-leaf")


def test_parallel_bundles_of_one_pair_are_one_line_of_text() -> None:
    design = rail_design()
    first, up, links = design.bundles
    halves = [replace(up, name=f"up{i}", ways={"way": 9}, a=replace(up.a, block=replace(up.a.block, first=36 + 18 * i))) for i in (0, 1)]
    halves[1] = replace(halves[1], b=replace(up.b, block=replace(up.b.block, first=36)))
    assert _said(replace(design, bundles=(first, *halves, links)), "fabric-backend").count("576 × 800G · fibre 10 m") == 1
    slower = replace(halves[1], rate_gbps=400)
    lines = _said(replace(design, bundles=(first, halves[0], slower, links)), "fabric-backend")
    assert {"288 × 800G · fibre 10 m", "288 × 400G · fibre 10 m"} <= set(lines)


def test_a_fabric_of_management_ports_speaks_of_no_gpu_and_no_rail() -> None:
    node = rail_design().parts["tray-4"].model_dump(by_alias=True)
    node["ports"]["bmc"] = {"cages": 1, "cage": "rj45", "modes": [(1, 1.0)], "lanes": 1, "label": "bmc{port}"}
    hosts, leaf = (
        DeviceGroup("hosts", "tray-4", (Axis("n", 40),), per_rack=4),
        DeviceGroup("oob/leaf", "x144", (Axis("leaf", 20),), role="leaf"),
    )
    join = Join("oob/hosts", End("hosts", Block("bmc"), {"n": ("leaf", "m")}), End("oob/leaf", Block("main")), ("leaf",), sizes={"leaf": 20, "m": 2},
                rate_gbps=1, fabric="oob", layer="node-leaf")  # fmt: skip
    parts = {**rail_design().parts, "tray-4": Node.model_validate(node)}
    lines = _said(
        Design("oob", {g.name: g for g in (hosts, leaf)}, (join,), parts, {"oob": Fabric("oob", "clos", ("oob/leaf",))}), "rail-oob"
    )
    text = "\n".join(lines)
    assert "one path, thick: port  hosts-n0  bmc1" in text
    assert "GPU" not in text
    assert "NIC" not in text
    assert "rail" not in text
    assert "NIC port" in _said(rail_design(), "rail-backend")
