"""Links with an end on a selection: inside one group, at ports whose axes are split, and of cables written one by one."""

from dataclasses import replace

import pytest

from dcgen.design import Join, Line, Mesh, Table
from dcgen.design.columns import columns
from dcgen.design.select import links_at
from dcgen.naming import parse_selector
from tests.cases.support import analysed
from tests.design.test_wiring import design, end, group

FOUR = group("sw", x=4, plane=2)


@pytest.mark.parametrize(
    ("box", "mesh", "ring", "table"),
    [
        ({"x": range(1)}, 6, 4, 4),
        ({"x": range(2)}, 10, 6, 4),
        ({"x": range(3, 4), "plane": range(1)}, 3, 2, 1),
        ({"plane": range(1, 2)}, 6, 4, 3),
        ({}, 12, 8, 6),
    ],
)
def test_a_link_inside_one_group_counts_when_either_end_is_selected(box: dict[str, range], mesh: int, ring: int, table: int) -> None:
    d = design(FOUR)
    ends = end("sw"), end("sw", view={"x": ("y",)})
    for pairs, want in ((Mesh("x", "y"), mesh), (Line("x", "y", wrap=True), ring)):
        found = replace(d, bundles=(Join("j", *ends, ("plane",), pairs=pairs),))
        assert links_at(found, "sw", "", box) == want
    rows = (((0,), (1,), 1), ((0,), (2,), 1), ((2,), (3,), 1))
    found = replace(d, bundles=(Join("j", *ends, ("plane",), pairs=Table(("x",), ("y",), rows)),))
    assert links_at(found, "sw", "", box) == table


def test_what_is_absent_has_no_links_there() -> None:
    d = design(replace(FOUR, absent=(parse_selector("sw[x=1,plane=0]"),)))
    bundle = Join("j", end("sw"), end("sw", view={"x": ("y",)}), ("plane",), pairs=Mesh("x", "y"))
    d = replace(d, bundles=(bundle,))
    assert links_at(d, "sw", "", {"x": range(1)}) == 2 + 3
    assert links_at(d, "sw", "", {"x": range(1, 2)}) == 3
    assert links_at(d, "sw", "", {}) == len(columns(d, bundle)) == 3 + 6


SPLIT_RAILS = """
racks: {compute: {part: gb300-nvl72, axes: {su: 1, rack: 8}}}
fabrics: {backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, pair=rail/2, half=rack/4]}, spine: {part: q3400-ra}}}
"""


def test_ports_are_selected_by_their_own_axis_however_leaves_read_it() -> None:
    d = analysed(SPLIT_RAILS).design
    assert links_at(d, "compute/tray", "fabric", {"rail": range(1)}) == 144
    assert links_at(d, "compute/tray", "fabric", {"rail": range(1, 4), "rack": range(2)}) == 2 * 18 * 3


TORUS = """
racks: {pod: {part: tpu-v4-chip, axes: {x: 4, y: 4, z: 2}}}
fabrics: {ici: {kind: direct, serves: pod.ici, neighbours: {x: ring, y: ring, z: ring}, factory: true}}
"""


def test_ports_of_nodes_that_are_joined_to_each_other() -> None:
    d = analysed(TORUS).design
    assert links_at(d, "pod/node", "ici", {"direction": range(1)}) == 32
    assert links_at(d, "pod/node", "ici", {"direction": range(2)}) == 32, "the other end of an upward link is a downward port"
    assert links_at(d, "pod/node", "ici", {"direction": range(1), "x": range(1)}) == 8
    assert links_at(d, "pod/node", "ici", {"x": range(1)}) == 8 * 2 + 8 + 4, "a ring of two is one link"


def test_a_requirement_counts_links_among_switches() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {node: 16}}}
fabrics: {mesh: {kind: direct, serves: compute.fabric, switch: {part: qm9700, per: rail}, neighbours: {rail: {shape: mesh, links: 4}}}}
require: ['links(mesh/router[rail=0]) == 45', 'links(mesh/router[rail=0..1]) == 84']
"""
    broken = [f.what for f in analysed(text).findings if f.code == "requirement-broken"]
    assert broken == ["`links(mesh/router[rail=0]) == 45` does not hold: links(mesh/router[rail=0]) is 44"]
